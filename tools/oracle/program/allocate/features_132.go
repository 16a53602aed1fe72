//go:build kube1.32 && !kube1.33

package allocate

import (
	kubefeatures "k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

// features returns what the scheduler of this release gives to the allocator:
// whether admin access is enabled.
func features() bool { return gates.Enabled(kubefeatures.DRAAdminAccess) }
