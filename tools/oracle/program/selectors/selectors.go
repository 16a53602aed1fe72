// Package selectors compiles CEL expressions of device selectors and evaluates
// them for devices.
package selectors

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"dractl-oracle/api"
)

// Request asks what an expression is for each device. README.md describes the fields.
type Request struct {
	Expression string            `json:"expression"`
	Devices    []json.RawMessage `json:"devices"`
	Env        string            `json:"env"`
	Derived    bool              `json:"derived"`
}

// device has the fields of a device in resource.k8s.io/v1; a capacity is read in
// the form that the release works with.
type device struct {
	Driver                   string                       `json:"driver"`
	Attributes               map[api.Name]api.Attribute   `json:"attributes"`
	CapacityTexts            map[api.Name]json.RawMessage `json:"capacity"`
	AllowMultipleAllocations *bool                        `json:"allowMultipleAllocations"`

	capacity map[api.Name]api.Capacity
}

type value struct {
	Match *bool  `json:"match"`
	Error string `json:"error,omitempty"`
	Cost  any    `json:"cost,omitempty"`
	Value any    `json:"value,omitempty"`
}

// unknownCost is the estimate of an expression without one.
const unknownCost = math.MaxUint64

// program is a compiled expression of any release; evaluate is nil if there is
// nothing to evaluate.
type program struct {
	errorType  string
	errorText  string
	maxCost    uint64
	outputType string
	evaluate   func(ctx context.Context, device *device) value
}

func unsupported(text string) program {
	return program{errorType: "Unsupported", errorText: text, maxCost: unknownCost}
}

// Answer compiles the expression of a request, and evaluates it if it compiles.
func Answer(request *Request) map[string]any {
	compiled := compile(request)
	result := map[string]any{"compile_error": nil}
	if compiled.errorType != "" {
		result["compile_error"] = map[string]string{"type": compiled.errorType, "message": compiled.errorText}
	}
	if compiled.maxCost != unknownCost {
		result["max_cost"] = compiled.maxCost
	}
	if compiled.outputType != "" {
		result["output_type"] = compiled.outputType
	}
	if compiled.evaluate == nil {
		return result
	}
	values := []value{}
	for _, text := range request.Devices {
		device, err := readDevice(text)
		if err != nil {
			values = append(values, value{Error: "device: " + err.Error()})
			continue
		}
		values = append(values, compiled.evaluate(context.Background(), device))
	}
	result["devices"] = values
	return result
}

func readDevice(text json.RawMessage) (*device, error) {
	read := &device{capacity: map[api.Name]api.Capacity{}}
	if err := json.Unmarshal(text, read); err != nil {
		return nil, err
	}
	for name, capacityText := range read.CapacityTexts {
		capacity, err := readCapacity(capacityText)
		if err != nil {
			return nil, fmt.Errorf("capacity: %w", err)
		}
		read.capacity[name] = capacity
	}
	return read, nil
}
