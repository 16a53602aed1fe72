//go:build kube1.35

package allocate

import (
	"errors"
	"fmt"

	"k8s.io/dynamic-resource-allocation/structured"
)

// selectImplementation limits the choice to the named implementation until
// restore is called. By default the most stable one with the enabled features is
// taken.
func selectImplementation(name string) (restore func(), err error) {
	switch name {
	case "":
		return func() {}, nil
	case "stable", "incubating", "experimental":
		structured.EnableAllocators(name)
		return func() { structured.EnableAllocators() }, nil
	}
	return nil, fmt.Errorf("unknown allocator %q", name)
}

// concernsOneNode tells whether other nodes may still fit after an error.
func concernsOneNode(err error) bool { return errors.Is(err, structured.ErrFailedAllocationOnNode) }
