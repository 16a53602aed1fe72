//go:build kube1.32 && !kube1.34

package allocate

import (
	"context"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"

	"dractl-oracle/api"
)

// celCacheSize is that of the scheduler's plugin.
const celCacheSize = 10

type searches struct {
	*inventory
	cache *cel.Cache
}

func newSearches(inv *inventory) *searches { return &searches{inv, cel.NewCache(celCacheSize)} }

func (s *searches) start(ctx context.Context, pending, allocated []*api.Claim) (*search, error) {
	used := sets.New[structured.DeviceID]()
	for _, claim := range allocated {
		for _, device := range claim.Status.Allocation.Devices.Results {
			if !api.IsAdmin(device.AdminAccess) {
				used.Insert(structured.MakeDeviceID(device.Driver, device.Pool, device.Device))
			}
		}
	}
	allocator, err := structured.NewAllocator(ctx, features(), pending, used, s.classes, s.slices, s.cache)
	if err != nil {
		return nil, err
	}
	return &search{allocate: allocator.Allocate, size: func() any { return nil }}, nil
}
