//go:build kube1.33 && !kube1.38

package taints

import (
	"k8s.io/apimachinery/pkg/runtime"

	"dractl-oracle/api"
)

// cached returns a slice in the form in which the informer caches it.
func cached(slice *api.Slice) runtime.Object { return slice }
