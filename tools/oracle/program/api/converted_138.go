//go:build kube1.38

package api

import draapi "k8s.io/dynamic-resource-allocation/api"

// Converted returns a slice in the form that the scheduler's informer gives it:
// its strings are unique handles.
func Converted(slice *Slice) *draapi.ResourceSlice {
	converted := &draapi.ResourceSlice{}
	if err := draapi.Convert_v1_ResourceSlice_To_api_ResourceSlice(slice, converted, nil); err != nil {
		panic(err) // This conversion has no errors of its own.
	}
	return converted
}
