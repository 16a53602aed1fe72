//go:build !kube1.35

package gates

// dependencies returns nil: gates of these releases do not depend on each other.
func dependencies() map[string][]string { return nil }
