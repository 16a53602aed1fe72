//go:build kube1.32 && !kube1.37

package selectors

import (
	"context"

	"k8s.io/dynamic-resource-allocation/cel"
)

// setDerived returns false: these releases have no derived attributes.
func setDerived(*cel.Options) bool { return false }

func evaluateDerived(context.Context, cel.CompilationResult, cel.Device) value { return value{} }
