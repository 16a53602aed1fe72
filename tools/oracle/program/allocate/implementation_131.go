//go:build kube1.31 && !kube1.35

package allocate

import "errors"

// selectImplementation fails with a name: before 1.35 the release and its features
// decide.
func selectImplementation(name string) (restore func(), err error) {
	if name != "" {
		return nil, errors.New("this release cannot select an allocator")
	}
	return func() {}, nil
}

// concernsOneNode returns false: these releases have no such errors.
func concernsOneNode(error) bool { return false }
