//go:build kube1.38

package selectors

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"

	"dractl-oracle/api"
)

// celDevice makes a device as the allocator does: from a slice in the scheduler's
// form.
func celDevice(device *device) cel.Device {
	slice := api.Converted(&api.Slice{Spec: resourceapi.ResourceSliceSpec{
		Driver: device.Driver,
		Devices: []resourceapi.Device{{
			Name:                     "device",
			Attributes:               device.Attributes,
			Capacity:                 device.capacity,
			AllowMultipleAllocations: device.AllowMultipleAllocations,
		}},
	}})
	converted := &slice.Spec.Devices[0]
	return cel.Device{
		Driver:                   device.Driver,
		AllowMultipleAllocations: converted.AllowMultipleAllocations,
		LookupUniqueString:       slice.LookupUniqueString,
		Attributes:               converted.Attributes,
		Capacity:                 converted.Capacity,
	}
}
