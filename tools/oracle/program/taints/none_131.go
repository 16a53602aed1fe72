//go:build kube1.31 && !kube1.33

// Package taints applies DeviceTaintRules to ResourceSlices. These releases have
// no such rules.
package taints

import (
	"k8s.io/apimachinery/pkg/runtime"

	"dractl-oracle/api"
)

// IsRule returns false.
func IsRule(runtime.Object) bool { return false }

// Apply returns the slices as they are.
func Apply(slices []*api.Slice, _ []*api.Class, _ []runtime.Object) ([]*api.Slice, error) {
	return slices, nil
}
