//go:build kube1.38

package allocate

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	draapi "k8s.io/dynamic-resource-allocation/api"
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
	converted []*draapi.ResourceSlice
	cache     *cel.Cache
}

func newSearches(inv *inventory) *searches {
	s := &searches{inventory: inv, cache: cel.NewCache(celCacheSize, selectors.Features())}
	for _, slice := range inv.slices {
		s.converted = append(s.converted, api.Converted(slice))
	}
	return s
}

func (s *searches) start(ctx context.Context, pending, allocated []*api.Claim) (*search, error) {
	state, err := stateOf(allocated)
	if err != nil {
		return nil, err
	}
	allocator, err := structured.NewAllocator(ctx, features(), state, s.classes, s.converted, s.cache)
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
// with admin access do not count, results with a share ID count as shared only
// with DRAConsumableCapacity, and a negative consumed capacity is an error.
func stateOf(allocated []*api.Claim) (structured.AllocatedState, error) {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.DeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	canShare := gates.Enabled(kubefeatures.DRAConsumableCapacity)
	for _, claim := range allocated {
		for _, device := range claim.Status.Allocation.Devices.Results {
			id := structured.MakeDeviceID(device.Driver, device.Pool, device.Device)
			if negative := negativeCapacity(device); canShare && negative != "" {
				return state, fmt.Errorf("claim %s, device %s: consumed capacity %s", claimName(claim), id, negative)
			}
			switch {
			case api.IsAdmin(device.AdminAccess):
			case canShare && device.ShareID != nil:
				state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, device.ShareID).GetDeviceID())
				if device.ConsumedCapacity != nil {
					state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, device.ConsumedCapacity))
				}
			default:
				state.AllocatedDevices.Insert(id)
			}
		}
	}
	return state, nil
}

// negativeCapacity describes the first negative consumed capacity; empty if there
// is none.
func negativeCapacity(device resourceapi.DeviceRequestAllocationResult) string {
	for _, name := range slices.Sorted(maps.Keys(device.ConsumedCapacity)) {
		if quantity := device.ConsumedCapacity[name]; quantity.Sign() < 0 {
			return fmt.Sprintf("%q must not be negative, got %s", name, quantity.String())
		}
	}
	return ""
}
