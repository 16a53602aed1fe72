//go:build kube1.31 && !kube1.32

package allocate

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	resourcelisters "k8s.io/client-go/listers/resource/v1alpha3"
	"k8s.io/dynamic-resource-allocation/structured"

	"dractl-oracle/api"
)

type searches struct{ *inventory }

func newSearches(inv *inventory) *searches { return &searches{inv} }

type claimLister []*api.Claim

func (l claimLister) ListAllAllocated() ([]*api.Claim, error) { return l, nil }

type classLister struct {
	resourcelisters.DeviceClassLister
	list classList
}

func (l classLister) List(labels.Selector) ([]*api.Class, error) { return l.list, nil }
func (l classLister) Get(name string) (*api.Class, error)        { return l.list.Get(name) }

type sliceLister struct {
	resourcelisters.ResourceSliceLister
	list []*api.Slice
}

func (l sliceLister) List(labels.Selector) ([]*api.Slice, error) { return l.list, nil }

func (s *searches) start(ctx context.Context, pending, allocated []*api.Claim) (*search, error) {
	allocator, err := structured.NewAllocator(
		ctx, pending, claimLister(allocated), classLister{list: s.classes}, sliceLister{list: s.slices})
	if err != nil {
		return nil, err
	}
	return &search{
		allocate: func(ctx context.Context, node *corev1.Node) ([]api.Allocation, error) {
			found, err := allocator.Allocate(ctx, node)
			var allocations []api.Allocation
			for _, allocation := range found {
				allocations = append(allocations, *allocation)
			}
			return allocations, err
		},
		size: func() any { return nil },
	}, nil
}
