//go:build kube1.31 && !kube1.32

package validate

import (
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/podschedulingcontext"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// resourceStrategies returns the strategies of resource.k8s.io by kind.
func resourceStrategies() map[string]strategies {
	return map[string]strategies{
		"ResourceSlice":         {"resourceslices", resourceslice.Strategy, resourceslice.Strategy, nil},
		"DeviceClass":           {"deviceclasses", deviceclass.Strategy, deviceclass.Strategy, nil},
		"ResourceClaim":         {"resourceclaims", resourceclaim.Strategy, resourceclaim.Strategy, resourceclaim.StatusStrategy},
		"ResourceClaimTemplate": {"resourceclaimtemplates", resourceclaimtemplate.Strategy, resourceclaimtemplate.Strategy, nil},
		"PodSchedulingContext":  {"podschedulingcontexts", podschedulingcontext.Strategy, podschedulingcontext.Strategy, podschedulingcontext.StatusStrategy},
	}
}
