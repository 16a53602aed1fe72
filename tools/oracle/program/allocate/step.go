//go:build kube1.31

package allocate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"dractl-oracle/api"
)

type stepResult struct {
	Node           *string           `json:"node"`
	Allocations    []map[string]any  `json:"allocations"`
	ErrorsByNode   map[string]string `json:"errors_by_node"`
	FatalNodes     []string          `json:"fatal_nodes,omitempty"`
	Error          string            `json:"error,omitempty"`
	Timeout        bool              `json:"timeout,omitempty"`
	Seconds        float64           `json:"seconds"`
	Implementation string            `json:"allocator,omitempty"`
	Stats          map[string]any    `json:"stats,omitempty"`

	chosen []api.Allocation
}

func newStepResult() *stepResult {
	return &stepResult{Allocations: []map[string]any{}, ErrorsByNode: map[string]string{}}
}

// pod holds the claims of a step: the pending ones, and where the others are.
type pod struct {
	pending   []*api.Claim
	selectors map[string]*nodeaffinity.NodeSelector // by the name of the claim
	allocated []*api.Claim                          // of all pods
}

// readPod finds out which claims of a step are allocated already: by their
// status, or by an earlier step.
func readPod(claims, allocated []*api.Claim) (*pod, error) {
	p := &pod{selectors: map[string]*nodeaffinity.NodeSelector{}, allocated: allocated}
	for _, claim := range claims {
		known := findClaim(p.allocated, claimName(claim))
		switch {
		case claim.Status.Allocation == nil && known != nil:
			claim.Status.Allocation = known.Status.Allocation
		case claim.Status.Allocation == nil:
			p.pending = append(p.pending, claim)
			continue
		case known == nil:
			p.allocated = append(p.allocated, claim)
		}
		if terms := claim.Status.Allocation.NodeSelector; terms != nil {
			selector, err := nodeaffinity.NewNodeSelector(terms)
			if err != nil {
				return p, err
			}
			p.selectors[claimName(claim)] = selector
		}
	}
	return p, nil
}

// keptFrom returns why an allocated claim keeps the pod from a node; empty if none
// does.
func (p *pod) keptFrom(node *corev1.Node) string {
	var names []string
	for name, selector := range p.selectors {
		if !selector.Match(node) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	sort.Strings(names)
	return fmt.Sprintf("allocated claim %s is not available on the node", names[0])
}

// missingClass does what the scheduler's plugin does before it makes an
// allocator: a pod whose claims need an unknown class is unschedulable.
func (inv *inventory) missingClass(pending []*api.Claim) string {
	for _, claim := range pending {
		names := api.ClassNames(claim)
		sort.Strings(names)
		for _, name := range names {
			if _, err := inv.classes.Get(name); err != nil {
				return fmt.Sprintf("device class %s does not exist", name)
			}
		}
	}
	return ""
}

// play tries the nodes of a step in order, allocates on the first that fits, and
// returns all allocated claims.
func (r *runner) play(ctx context.Context, step *Step, claims, allocated []*api.Claim, result *stepResult) ([]*api.Claim, ending) {
	p, err := readPod(claims, allocated)
	if err != nil {
		result.Error = err.Error()
		return p.allocated, complete
	}
	if result.Error = r.missingClass(p.pending); result.Error != "" {
		return p.allocated, complete
	}
	var started *search
	if len(p.pending) > 0 {
		start := time.Now()
		started, err = r.searches.start(ctx, p.pending, p.allocated)
		result.Seconds += time.Since(start).Seconds()
		if err != nil {
			result.Error = err.Error()
			return p.allocated, complete
		}
		result.Implementation = started.implementation
	}
	for _, name := range r.order(step) {
		node := r.node(name)
		if node == nil {
			result.ErrorsByNode[name] = "no such node"
			continue
		}
		if reason := p.keptFrom(node); reason != "" {
			result.ErrorsByNode[name] = reason
			continue
		}
		if started == nil {
			result.Node = &node.Name
			return p.allocated, complete
		}
		found, ending := started.try(ctx, node, len(p.pending), result)
		if ending != complete {
			return p.allocated, ending
		}
		if found != nil {
			result.Node, result.chosen = &node.Name, found
			return append(p.allocated, keep(p.pending, found, result)...), complete
		}
		if r.request.StopOnError && len(result.FatalNodes) > 0 {
			return p.allocated, complete
		}
	}
	return p.allocated, complete
}

// order returns the names of the nodes to try: by default all, as given.
func (inv *inventory) order(step *Step) []string {
	if len(step.NodeOrder) > 0 {
		return step.NodeOrder
	}
	var names []string
	for _, node := range inv.nodes {
		names = append(names, node.Name)
	}
	return names
}

// node returns the node of a name, the last one if there are several.
func (inv *inventory) node(name string) *corev1.Node {
	for i := len(inv.nodes) - 1; i >= 0; i-- {
		if inv.nodes[i].Name == name {
			return inv.nodes[i]
		}
	}
	return nil
}

// keep writes allocations into the claims and the result, and returns the claims.
func keep(pending []*api.Claim, found []api.Allocation, result *stepResult) []*api.Claim {
	for i, claim := range pending {
		claim.Status.Allocation = &found[i]
		row := map[string]any{"claim": claimName(claim)}
		if data, err := json.Marshal(found[i]); err != nil {
			row["error"] = err.Error()
		} else {
			row["allocation"] = json.RawMessage(data)
		}
		result.Allocations = append(result.Allocations, row)
	}
	return pending
}

// grace is how long an allocator may take to notice the end of its context.
// Releases before 1.34 never look at it.
const grace = 2 * time.Second

type found struct {
	allocations []api.Allocation
	err         error
}

// try runs the search for one node, for a wanted number of claims. It returns nil
// if they do not fit; the result says why.
func (s *search) try(ctx context.Context, node *corev1.Node, wanted int, result *stepResult) ([]api.Allocation, ending) {
	if err := ctx.Err(); err != nil {
		result.Timeout = true
		result.ErrorsByNode[node.Name] = err.Error()
		return nil, timedOut
	}
	start := time.Now()
	answer, stopped := s.inBackground(ctx, node)
	result.Seconds += time.Since(start).Seconds()
	if !stopped {
		result.Timeout = true
		result.ErrorsByNode[node.Name] = "timeout; the allocator did not stop"
		return nil, abandoned
	}
	if size := s.size(); size != nil {
		result.Stats = map[string]any{"allocate_one": size}
	}
	switch {
	case errors.Is(answer.err, context.DeadlineExceeded):
		result.Timeout = true
		result.ErrorsByNode[node.Name] = answer.err.Error()
		return nil, timedOut
	case answer.err != nil:
		result.ErrorsByNode[node.Name] = answer.err.Error()
		if !concernsOneNode(answer.err) {
			// The scheduler gives up on the pod.
			result.FatalNodes = append(result.FatalNodes, node.Name)
		}
		return nil, complete
	case len(answer.allocations) != wanted:
		result.ErrorsByNode[node.Name] = "cannot allocate all claims"
		return nil, complete
	}
	return answer.allocations, complete
}

// inBackground runs the search, and reports false if it outlives its time.
func (s *search) inBackground(ctx context.Context, node *corev1.Node) (answer found, stopped bool) {
	done := make(chan found, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				done <- found{nil, fmt.Errorf("panic: %v", cause)}
			}
		}()
		allocations, err := s.allocate(ctx, node)
		done <- found{allocations, err}
	}()
	select {
	case answer = <-done:
		return answer, true
	case <-ctx.Done():
	}
	select {
	case answer = <-done:
		return answer, true
	case <-time.After(grace):
		return found{}, false
	}
}
