//go:build kube1.31 && !kube1.33

package api

// ClassNames returns the device classes that the requests of a claim name.
func ClassNames(claim *Claim) []string {
	var names []string
	for _, request := range claim.Spec.Devices.Requests {
		names = append(names, request.DeviceClassName)
	}
	return names
}
