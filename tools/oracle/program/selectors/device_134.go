//go:build kube1.34 && !kube1.38

package selectors

import "k8s.io/dynamic-resource-allocation/cel"

func celDevice(device *device) cel.Device {
	return cel.Device{
		Driver:                   device.Driver,
		AllowMultipleAllocations: device.AllowMultipleAllocations,
		Attributes:               device.Attributes,
		Capacity:                 device.capacity,
	}
}
