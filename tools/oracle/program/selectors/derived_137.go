//go:build kube1.37

package selectors

import (
	"context"

	"k8s.io/dynamic-resource-allocation/cel"
)

// setDerived makes an expression that of a derived attribute.
func setDerived(options *cel.Options) bool {
	options.DerivedAttribute = true
	return true
}

func evaluateDerived(ctx context.Context, result cel.CompilationResult, device cel.Device) value {
	found := value{}
	derived, details, err := result.EvaluateDerivedAttribute(ctx, device)
	if err != nil {
		found.Error = err.Error()
	} else {
		found.Value = derived
	}
	if details != nil && details.ActualCost() != nil {
		found.Cost = *details.ActualCost()
	}
	return found
}
