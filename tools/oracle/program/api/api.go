// Package api names the API types of the allocator: those of resource.k8s.io in
// the version that the allocator of the release works with.
package api
