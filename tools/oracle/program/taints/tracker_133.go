//go:build kube1.33 && !kube1.34

package taints

import (
	"context"

	rulesapi "k8s.io/api/resource/v1alpha3"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

func newRule() runtime.Object { return &rulesapi.DeviceTaintRule{} }

func rulesEnabled() bool { return gates.Enabled(features.DRADeviceTaints) }

func startTracker(ctx context.Context, factory informers.SharedInformerFactory) (sliceTracker, error) {
	return tracker.StartTracker(ctx, tracker.Options{
		EnableDeviceTaints: true,

		SliceInformer: factory.Resource().V1beta1().ResourceSlices(),
		TaintInformer: factory.Resource().V1alpha3().DeviceTaintRules(),
		ClassInformer: factory.Resource().V1beta1().DeviceClasses(),
	})
}
