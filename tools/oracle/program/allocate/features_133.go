//go:build kube1.33 && !kube1.34

package allocate

import (
	"k8s.io/dynamic-resource-allocation/structured"
	kubefeatures "k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

// features derives the features of the allocator from gates as the scheduler does.
func features() structured.Features {
	return structured.Features{
		AdminAccess:          gates.Enabled(kubefeatures.DRAAdminAccess),
		PrioritizedList:      gates.Enabled(kubefeatures.DRAPrioritizedList),
		PartitionableDevices: gates.Enabled(kubefeatures.DRAPartitionableDevices),
		DeviceTaints:         gates.Enabled(kubefeatures.DRADeviceTaints),
	}
}
