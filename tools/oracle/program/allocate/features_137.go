//go:build kube1.37

package allocate

import (
	"k8s.io/dynamic-resource-allocation/structured"
	kubefeatures "k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

// features derives the features of the allocator from gates as the scheduler does.
func features() structured.Features {
	return structured.Features{
		AdminAccess:             gates.Enabled(kubefeatures.DRAAdminAccess),
		PrioritizedList:         gates.Enabled(kubefeatures.DRAPrioritizedList),
		PartitionableDevices:    gates.Enabled(kubefeatures.DRAPartitionableDevices),
		DeviceTaints:            gates.Enabled(kubefeatures.DRADeviceTaints),
		DeviceBindingAndStatus:  gates.Enabled(kubefeatures.DRADeviceBindingConditions) && gates.Enabled(kubefeatures.DRAResourceClaimDeviceStatus),
		ConsumableCapacity:      gates.Enabled(kubefeatures.DRAConsumableCapacity),
		FractionalCapacityRange: gates.Enabled(kubefeatures.DRAFractionalCapacityRange),
		ListTypeAttributes:      gates.Enabled(kubefeatures.DRAListTypeAttributes),
		OptionalNodeOperations:  gates.Enabled(kubefeatures.DRAOptionalNodeOperations),
		DerivedAttributes:       gates.Enabled(kubefeatures.DRADerivedAttributes),
		CompatibilityGroups:     gates.Enabled(kubefeatures.DRADeviceCompatibilityGroups),
	}
}
