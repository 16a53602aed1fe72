//go:build kube1.36

package selectors

import (
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/kubernetes/pkg/features"

	"dractl-oracle/gates"
)

// Features returns what API server and scheduler enable for selectors.
func Features() cel.Features {
	return cel.Features{
		EnableConsumableCapacity: gates.Enabled(features.DRAConsumableCapacity),
		EnableListTypeAttributes: gates.Enabled(features.DRAListTypeAttributes),
	}
}
