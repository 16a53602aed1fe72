// Package release names the Kubernetes release whose code is compiled in.
package release

import "strings"

// Version is set by the linker, for example to "v1.37.2".
var Version = "unknown"

// Minor returns the minor of the release, for example "1.37".
func Minor() string {
	parts := strings.SplitN(strings.TrimPrefix(Version, "v"), ".", 3)
	if len(parts) < 2 {
		return Version
	}
	return parts[0] + "." + parts[1]
}
