//go:build kube1.35

package gates

import utilfeature "k8s.io/apiserver/pkg/util/feature"

// dependencies returns the gates that each gate requires.
func dependencies() map[string][]string {
	required := map[string][]string{}
	for name, list := range utilfeature.DefaultMutableFeatureGate.Dependencies() {
		for _, other := range list {
			required[string(name)] = append(required[string(name)], string(other))
		}
	}
	return required
}
