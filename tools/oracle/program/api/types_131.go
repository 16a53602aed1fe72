//go:build kube1.31 && !kube1.32

package api

import (
	resourceapi "k8s.io/api/resource/v1alpha3"
	"k8s.io/apimachinery/pkg/api/resource"
)

// The API types of this release.
type (
	Slice      = resourceapi.ResourceSlice
	Class      = resourceapi.DeviceClass
	Claim      = resourceapi.ResourceClaim
	Allocation = resourceapi.AllocationResult
	Name       = resourceapi.QualifiedName
	Attribute  = resourceapi.DeviceAttribute
	Capacity   = resource.Quantity
)

// Version is the API version of these types.
var Version = resourceapi.SchemeGroupVersion
