//go:build !kube1.37

package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	genericvalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// createErrors returns the errors that rest.BeforeCreate makes a status of. These
// releases do not export that part.
func createErrors(ctx context.Context, strategy rest.RESTCreateStrategy, obj runtime.Object) field.ErrorList {
	if errs := strategy.Validate(ctx, obj); len(errs) > 0 {
		return errs
	}
	objectMeta, err := meta.Accessor(obj)
	if err != nil {
		return nil
	}
	return genericvalidation.ValidateObjectMetaAccessor(
		objectMeta, strategy.NamespaceScoped(), path.ValidatePathSegmentName, field.NewPath("metadata"))
}

// updateErrors returns the errors that rest.BeforeUpdate makes a status of.
func updateErrors(ctx context.Context, strategy rest.RESTUpdateStrategy, obj, old runtime.Object) field.ErrorList {
	objectMeta, err := meta.Accessor(obj)
	if err != nil {
		return nil
	}
	oldMeta, err := meta.Accessor(old)
	if err != nil {
		return nil
	}
	metadata := field.NewPath("metadata")
	errs := genericvalidation.ValidateObjectMetaAccessor(
		objectMeta, strategy.NamespaceScoped(), path.ValidatePathSegmentName, metadata)
	errs = append(errs, genericvalidation.ValidateObjectMetaAccessorUpdate(objectMeta, oldMeta, metadata)...)
	return append(errs, strategy.ValidateUpdate(ctx, obj, old)...)
}
