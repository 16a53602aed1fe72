//go:build kube1.37

package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// createErrors returns the errors that rest.BeforeCreate makes a status of.
func createErrors(ctx context.Context, strategy rest.RESTCreateStrategy, obj runtime.Object) field.ErrorList {
	return rest.ValidateCreate(ctx, obj, strategy)
}

// updateErrors returns the errors that rest.BeforeUpdate makes a status of.
func updateErrors(ctx context.Context, strategy rest.RESTUpdateStrategy, obj, old runtime.Object) field.ErrorList {
	return rest.ValidateUpdate(ctx, obj, old, strategy)
}
