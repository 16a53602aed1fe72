//go:build kube1.34

package api

import resourceapi "k8s.io/api/resource/v1"

// The API types of these releases.
type (
	Slice      = resourceapi.ResourceSlice
	Class      = resourceapi.DeviceClass
	Claim      = resourceapi.ResourceClaim
	Allocation = resourceapi.AllocationResult
	Name       = resourceapi.QualifiedName
	Attribute  = resourceapi.DeviceAttribute
	Capacity   = resourceapi.DeviceCapacity
)

// Version is the API version of these types.
var Version = resourceapi.SchemeGroupVersion

// IsAdmin tells whether a field adminAccess is set and true.
func IsAdmin(adminAccess *bool) bool { return adminAccess != nil && *adminAccess }
