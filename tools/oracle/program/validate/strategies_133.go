//go:build kube1.33 && !kube1.35

package validate

import (
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// resourceStrategies returns the strategies of resource.k8s.io by kind.
func resourceStrategies() map[string]strategies {
	claim := resourceclaim.NewStrategy(namespaceClient)
	template := resourceclaimtemplate.NewStrategy(namespaceClient)
	return map[string]strategies{
		"ResourceSlice":         {"resourceslices", resourceslice.Strategy, resourceslice.Strategy, nil},
		"DeviceClass":           {"deviceclasses", deviceclass.Strategy, deviceclass.Strategy, nil},
		"ResourceClaim":         {"resourceclaims", claim, claim, resourceclaim.NewStatusStrategy(claim)},
		"ResourceClaimTemplate": {"resourceclaimtemplates", template, template, nil},
		"DeviceTaintRule":       {"devicetaintrules", devicetaintrule.Strategy, devicetaintrule.Strategy, nil},
	}
}
