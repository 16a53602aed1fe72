//go:build kube1.33 && !kube1.34

package api

// ClassNames returns the device classes that the requests of a claim name.
func ClassNames(claim *Claim) []string {
	var names []string
	for _, request := range claim.Spec.Devices.Requests {
		if request.DeviceClassName != "" {
			names = append(names, request.DeviceClassName)
		}
		for _, sub := range request.FirstAvailable {
			names = append(names, sub.DeviceClassName)
		}
	}
	return names
}
