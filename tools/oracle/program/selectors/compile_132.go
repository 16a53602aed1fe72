//go:build kube1.32

package selectors

import (
	"context"
	"encoding/json"

	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"

	"dractl-oracle/api"
)

// compile compiles an expression and estimates its cost.
func compile(request *Request) program {
	options := cel.Options{}
	if request.Env == "new" {
		environmentType := environment.NewExpressions
		options.EnvType = &environmentType
	}
	if request.Derived && !setDerived(&options) {
		return unsupported("this release has no derived attributes")
	}
	result := compileExpression(request.Expression, options)
	compiled := program{maxCost: result.MaxCost}
	if result.OutputType != nil {
		compiled.outputType = result.OutputType.String()
	}
	if result.Error != nil {
		compiled.errorType, compiled.errorText = string(result.Error.Type), result.Error.Detail
	}
	if result.Program == nil {
		return compiled
	}
	compiled.evaluate = func(ctx context.Context, device *device) value {
		if request.Derived {
			return evaluateDerived(ctx, result, celDevice(device))
		}
		found := value{}
		match, details, err := result.DeviceMatches(ctx, celDevice(device))
		if err != nil {
			found.Error = err.Error()
		} else {
			found.Match = &match
		}
		if details != nil && details.ActualCost() != nil {
			found.Cost = *details.ActualCost()
		}
		return found
	}
	return compiled
}

func readCapacity(text json.RawMessage) (api.Capacity, error) {
	var capacity api.Capacity
	err := json.Unmarshal(text, &capacity)
	return capacity, err
}
