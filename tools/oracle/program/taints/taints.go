//go:build kube1.33

// Package taints applies DeviceTaintRules to ResourceSlices.
package taints

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"

	"dractl-oracle/api"
)

// IsRule tells whether an object is a DeviceTaintRule.
func IsRule(obj runtime.Object) bool {
	_, ok := obj.(*resource.DeviceTaintRule)
	return ok
}

// sliceTracker is what is used of the scheduler's ResourceSlice tracker.
type sliceTracker interface {
	HasSynced() bool
	ListPatchedResourceSlices() ([]*api.Slice, error)
	Stop()
}

const maxWait = 30 * time.Second

// Apply returns the slices with the taints of DeviceTaintRules, from the tracker
// that the scheduler uses. Slices keep their order.
func Apply(slices []*api.Slice, classes []*api.Class, rules []runtime.Object) ([]*api.Slice, error) {
	if len(rules) == 0 || !rulesEnabled() {
		return slices, nil
	}
	order := map[string]int{}
	var servedSlices, servedClasses, servedRules []runtime.Object
	for i, slice := range slices {
		order[slice.Name] = i
		servedSlices = append(servedSlices, cached(slice))
	}
	for _, class := range classes {
		servedClasses = append(servedClasses, class)
	}
	for _, internal := range rules {
		rule := newRule()
		if err := legacyscheme.Scheme.Convert(internal, rule, nil); err != nil {
			return nil, err
		}
		servedRules = append(servedRules, rule)
	}
	factory := informers.NewSharedInformerFactory(nil, 0)
	serve(factory, cached(&api.Slice{}), servedSlices)
	serve(factory, &api.Class{}, servedClasses)
	serve(factory, newRule(), servedRules)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tracker, err := startTracker(ctx, factory)
	if err != nil {
		return nil, err
	}
	defer tracker.Stop()
	factory.Start(ctx.Done())
	deadline := time.Now().Add(maxWait)
	for !tracker.HasSynced() {
		if time.Now().After(deadline) {
			return nil, errors.New("the tracker did not sync")
		}
		time.Sleep(time.Millisecond)
	}
	patched, err := tracker.ListPatchedResourceSlices()
	if err != nil {
		return nil, err
	}
	if len(patched) != len(slices) {
		return nil, fmt.Errorf("the tracker returned %d of %d slices", len(patched), len(slices))
	}
	sort.Slice(patched, func(i, j int) bool { return order[patched[i].Name] < order[patched[j].Name] })
	return patched, nil
}

// serve makes the informer for a type deliver a fixed list of objects.
func serve(factory informers.SharedInformerFactory, example runtime.Object, objects []runtime.Object) {
	const version = "1"
	source := &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
			list := &metav1.List{ListMeta: metav1.ListMeta{ResourceVersion: version}}
			for _, obj := range objects {
				list.Items = append(list.Items, runtime.RawExtension{Object: obj})
			}
			return list, nil
		},
		WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) {
			watcher := watch.NewFakeWithChanSize(len(objects)+1, false)
			if options.SendInitialEvents != nil && *options.SendInitialEvents {
				for _, obj := range objects {
					watcher.Add(obj)
				}
				bookmark := example.DeepCopyObject()
				if accessor, err := meta.Accessor(bookmark); err == nil {
					accessor.SetResourceVersion(version)
					accessor.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
				}
				watcher.Action(watch.Bookmark, bookmark)
			}
			return watcher, nil
		},
	}
	factory.InformerFor(example, func(kubernetes.Interface, time.Duration) cache.SharedIndexInformer {
		return cache.NewSharedIndexInformer(source, example, 0, cache.Indexers{})
	})
}
