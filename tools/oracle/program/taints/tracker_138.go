//go:build kube1.38

package taints

import (
	"context"

	rulesapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	draapi "k8s.io/dynamic-resource-allocation/api"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/kubernetes/pkg/features"

	"dractl-oracle/api"
	"dractl-oracle/gates"
)

func newRule() runtime.Object { return &rulesapi.DeviceTaintRule{} }

func rulesEnabled() bool { return gates.Enabled(features.DRADeviceTaintRules) }

// cached returns a slice in the form in which the informer caches it.
func cached(slice *api.Slice) runtime.Object { return api.Converted(slice) }

// convertingTracker returns slices of the v1 API.
type convertingTracker struct{ *tracker.Tracker }

func (t convertingTracker) ListPatchedResourceSlices() ([]*api.Slice, error) {
	patched, err := t.Tracker.ListPatchedResourceSlices()
	if err != nil {
		return nil, err
	}
	var out []*api.Slice
	for _, slice := range patched {
		one := &api.Slice{}
		if err := draapi.Convert_api_ResourceSlice_To_v1_ResourceSlice(slice, one, nil); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func startTracker(ctx context.Context, factory informers.SharedInformerFactory) (sliceTracker, error) {
	informer := draapi.NewInformerForResourceSlice(factory)
	started, err := tracker.StartTracker(ctx, tracker.Options{
		EnableDeviceTaintRules:   true,
		EnableConsumableCapacity: gates.Enabled(features.DRAConsumableCapacity),
		SliceLister:              draapi.NewResourceSliceLister(informer.GetIndexer()),
		SliceInformer:            informer,
		TaintInformer:            factory.Resource().V1().DeviceTaintRules(),
	})
	if err != nil {
		return nil, err
	}
	return convertingTracker{started}, nil
}
