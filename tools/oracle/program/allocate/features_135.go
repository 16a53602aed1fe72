//go:build kube1.35 && !kube1.37

package allocate

import (
	"k8s.io/dynamic-resource-allocation/structured"
	kubefeatures "k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

// features derives the features of the allocator from gates as the scheduler does.
// Kubernetes 1.36 has a feature ListTypeAttributes that its scheduler does not set.
func features() structured.Features {
	return structured.Features{
		AdminAccess:            gates.Enabled(kubefeatures.DRAAdminAccess),
		PrioritizedList:        gates.Enabled(kubefeatures.DRAPrioritizedList),
		PartitionableDevices:   gates.Enabled(kubefeatures.DRAPartitionableDevices),
		DeviceTaints:           gates.Enabled(kubefeatures.DRADeviceTaints),
		DeviceBindingAndStatus: gates.Enabled(kubefeatures.DRADeviceBindingConditions) && gates.Enabled(kubefeatures.DRAResourceClaimDeviceStatus),
		ConsumableCapacity:     gates.Enabled(kubefeatures.DRAConsumableCapacity),
	}
}
