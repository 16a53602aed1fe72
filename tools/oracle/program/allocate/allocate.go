//go:build kube1.31

// Package allocate gives claims their devices with the structured allocator of
// the scheduler.
package allocate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"dractl-oracle/api"
	"dractl-oracle/decode"
)

// Request holds objects and the pods that are scheduled one after the other.
// README.md describes the fields.
type Request struct {
	Objects     []json.RawMessage `json:"objects"`
	Steps       []Step            `json:"steps"`
	Allocator   string            `json:"allocator"`
	TimeoutS    float64           `json:"timeout_s"`
	Repeat      int               `json:"repeat"`
	StopOnError bool              `json:"stop_on_error"`
}

// Step is one pod: its claims, and the nodes to try.
type Step struct {
	NodeOrder  []string          `json:"node-order"`
	Claims     []json.RawMessage `json:"claims"`
	Deallocate []string          `json:"deallocate"`
}

// search looks for the devices of the pending claims of one pod.
type search struct {
	allocate func(ctx context.Context, node *corev1.Node) ([]api.Allocation, error)
	// implementation names the allocator that works; empty before 1.34.
	implementation string
	// size returns how many steps the search took; nil if that is not counted.
	size func() any
}

// runner plays the steps of a request.
type runner struct {
	*inventory
	request  *Request
	searches *searches
}

// Answer plays the steps of a request. With mustEnd an allocation that cannot be
// stopped still runs.
func Answer(request *Request) (answer map[string]any, mustEnd bool) {
	inv, err := readInventory(request.Objects)
	if err != nil {
		return map[string]any{"error": err.Error()}, false
	}
	restore, err := selectImplementation(request.Allocator)
	if err != nil {
		return map[string]any{"error": err.Error()}, false
	}
	defer restore()
	ctx := context.Background()
	if request.TimeoutS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(request.TimeoutS*float64(time.Second)))
		defer cancel()
	}

	r := &runner{inv, request, newSearches(inv)}
	steps, ending := r.run(ctx)
	result := map[string]any{"steps": steps}
	if request.Repeat > 1 && ending == complete {
		var alternatives []map[string]any
		if alternatives, ending = r.repeat(ctx, steps); ending == complete {
			result["alternatives"] = alternatives
		}
	}
	if ending != complete {
		result["timeout"] = true
	}
	if ending == abandoned {
		result["abandoned"] = true
	}
	return result, ending == abandoned
}

// ending is how steps end: all played, out of time, or out of time with an
// allocator that did not stop.
type ending int

const (
	complete ending = iota
	timedOut
	abandoned
)

// repeat plays all steps again and counts the outcomes: several releases look at
// pools in random order.
func (r *runner) repeat(ctx context.Context, first []*stepResult) ([]map[string]any, ending) {
	alternatives := []map[string]any{{"steps": first, "count": 1}}
	seen := map[string]map[string]any{outcome(first): alternatives[0]}
	for range r.request.Repeat - 1 {
		steps, ending := r.run(ctx)
		if ending != complete {
			return nil, ending
		}
		text := outcome(steps)
		if known, found := seen[text]; found {
			known["count"] = known["count"].(int) + 1
			continue
		}
		seen[text] = map[string]any{"steps": steps, "count": 1}
		alternatives = append(alternatives, seen[text])
	}
	return alternatives, complete
}

// outcome is the same text for steps with the same nodes, devices and errors.
func outcome(steps []*stepResult) string {
	var out strings.Builder
	for _, step := range steps {
		node := ""
		if step.Node != nil {
			node = *step.Node
		}
		fmt.Fprintf(&out, "%s|%s|%v|", node, step.Error, step.ErrorsByNode)
		for _, allocation := range step.chosen {
			for _, device := range allocation.Devices.Results {
				fmt.Fprintf(&out, "%s %s/%s/%s,", device.Request, device.Driver, device.Pool, device.Device)
			}
			out.WriteString(";")
		}
		out.WriteString("\n")
	}
	return out.String()
}

// run plays all steps once.
func (r *runner) run(ctx context.Context) ([]*stepResult, ending) {
	allocated := append([]*api.Claim(nil), r.allocated...)
	results := []*stepResult{}
	for i := range r.request.Steps {
		step := &r.request.Steps[i]
		allocated = without(allocated, step.Deallocate)
		result := newStepResult()
		results = append(results, result)
		claims, err := decodeClaims(step.Claims)
		if err != nil {
			result.Error = err.Error()
			continue
		}
		var ending ending
		if allocated, ending = r.play(ctx, step, claims, allocated, result); ending != complete {
			return results, ending
		}
	}
	return results, complete
}

// without returns the claims whose names are not among those to deallocate.
func without(claims []*api.Claim, names []string) []*api.Claim {
	drop := map[string]bool{}
	for _, name := range names {
		if !strings.Contains(name, "/") {
			name = decode.DefaultNamespace + "/" + name
		}
		drop[name] = true
	}
	var kept []*api.Claim
	for _, claim := range claims {
		if !drop[claimName(claim)] {
			kept = append(kept, claim)
		}
	}
	return kept
}
