//go:build !kube1.31

package validate

import (
	"k8s.io/kubernetes/pkg/registry/resource/podschedulingcontext"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimparameters"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclassparameters"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// resourceStrategies returns the strategies of resource.k8s.io by kind.
func resourceStrategies() map[string]strategies {
	return map[string]strategies{
		"ResourceSlice":           {"resourceslices", resourceslice.Strategy, resourceslice.Strategy, nil},
		"ResourceClass":           {"resourceclasses", resourceclass.Strategy, resourceclass.Strategy, nil},
		"ResourceClassParameters": {"resourceclassparameters", resourceclassparameters.Strategy, resourceclassparameters.Strategy, nil},
		"ResourceClaim":           {"resourceclaims", resourceclaim.Strategy, resourceclaim.Strategy, resourceclaim.StatusStrategy},
		"ResourceClaimParameters": {"resourceclaimparameters", resourceclaimparameters.Strategy, resourceclaimparameters.Strategy, nil},
		"ResourceClaimTemplate":   {"resourceclaimtemplates", resourceclaimtemplate.Strategy, resourceclaimtemplate.Strategy, nil},
		"PodSchedulingContext":    {"podschedulingcontexts", podschedulingcontext.Strategy, podschedulingcontext.Strategy, podschedulingcontext.StatusStrategy},
	}
}
