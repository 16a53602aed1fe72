//go:build kube1.34 && !kube1.38

package allocate

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	kubefeatures "k8s.io/kubernetes/pkg/features"

	"dractl-oracle/api"
	"dractl-oracle/gates"
	"dractl-oracle/selectors"
)

// celCacheSize is that of the scheduler's plugin.
const celCacheSize = 10

type searches struct {
	*inventory
	cache *cel.Cache
}

func newSearches(inv *inventory) *searches {
	return &searches{inv, cel.NewCache(celCacheSize, selectors.Features())}
}

func (s *searches) start(ctx context.Context, pending, allocated []*api.Claim) (*search, error) {
	allocator, err := structured.NewAllocator(ctx, features(), stateOf(allocated), s.classes, s.slices, s.cache)
	if err != nil {
		return nil, err
	}
	return &search{
		allocate: func(ctx context.Context, node *corev1.Node) ([]api.Allocation, error) {
			return allocator.Allocate(ctx, node, pending)
		},
		implementation: implementationOf(allocator),
		size:           func() any { return searchSize(allocator) },
	}, nil
}

// stateOf gathers used devices as the scheduler's claim tracker does: results
// with admin access do not count, and results with a share ID count as shared
// only with DRAConsumableCapacity.
func stateOf(allocated []*api.Claim) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	canShare := gates.Enabled(kubefeatures.DRAConsumableCapacity)
	for _, claim := range allocated {
		for _, device := range claim.Status.Allocation.Devices.Results {
			id := structured.MakeDeviceID(device.Driver, device.Pool, device.Device)
			switch {
			case api.IsAdmin(device.AdminAccess):
			case canShare && device.ShareID != nil:
				state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, device.ShareID))
				if device.ConsumedCapacity != nil {
					state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, device.ConsumedCapacity))
				}
			default:
				state.AllocatedDevices.Insert(id)
			}
		}
	}
	return state
}
