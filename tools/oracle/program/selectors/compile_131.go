//go:build kube1.31 && !kube1.32

package selectors

import (
	"bytes"
	"context"
	"encoding/json"

	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"

	"dractl-oracle/api"
)

// compile compiles an expression. This release reports no costs.
func compile(request *Request) program {
	if request.Derived {
		return unsupported("this release has no derived attributes")
	}
	environmentType := environment.StoredExpressions
	if request.Env == "new" {
		environmentType = environment.NewExpressions
	}
	result := cel.GetCompiler().CompileCELExpression(request.Expression, environmentType)
	compiled := program{maxCost: unknownCost}
	if result.OutputType != nil {
		compiled.outputType = result.OutputType.String()
	}
	if result.Error != nil {
		compiled.errorType, compiled.errorText = string(result.Error.Type), result.Error.Detail
		return compiled
	}
	compiled.evaluate = func(ctx context.Context, device *device) value {
		match, err := result.DeviceMatches(ctx, cel.Device{
			Driver: device.Driver, Attributes: device.Attributes, Capacity: device.capacity,
		})
		if err != nil {
			return value{Error: err.Error()}
		}
		return value{Match: &match}
	}
	return compiled
}

// readCapacity reads a quantity, as in v1alpha3, or an object with a value, as in
// later API versions.
func readCapacity(text json.RawMessage) (api.Capacity, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var object struct {
			Value api.Capacity `json:"value"`
		}
		err := json.Unmarshal(text, &object)
		return object.Value, err
	}
	var quantity api.Capacity
	err := json.Unmarshal(text, &quantity)
	return quantity, err
}
