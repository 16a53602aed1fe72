//go:build kube1.37 && !kube1.38

package taints

import (
	"context"

	rulesapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

func newRule() runtime.Object { return &rulesapi.DeviceTaintRule{} }

func rulesEnabled() bool { return gates.Enabled(features.DRADeviceTaintRules) }

func startTracker(ctx context.Context, factory informers.SharedInformerFactory) (sliceTracker, error) {
	return tracker.StartTracker(ctx, tracker.Options{
		EnableDeviceTaintRules:   true,
		EnableConsumableCapacity: gates.Enabled(features.DRAConsumableCapacity),
		SliceInformer:            factory.Resource().V1().ResourceSlices(),
		TaintInformer:            factory.Resource().V1().DeviceTaintRules(),
	})
}
