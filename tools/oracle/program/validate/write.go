package validate

import (
	"cmp"
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// What a server chooses at random, or by its clock, is constant: answers can be
// compared with each other.
const (
	fixedUID     = types.UID("00000000-0000-4000-8000-000000000001")
	fixedSuffix  = "abcde"
	firstVersion = "1"
)

var fixedTime = metav1.NewTime(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))

// validator validates once more what was sent, and returns errors with values.
type validator func() field.ErrorList

// create does what the create handler and the generic registry do before an
// object goes to storage. The validator is nil where nothing was validated.
func create(ctx context.Context, strategy rest.RESTCreateStrategy, sent object, namespace string) (validator, error) {
	obj, objectMeta := sent.Object, sent.meta
	rest.WipeObjectMetaSystemFields(objectMeta)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, objectMeta); err != nil {
		return nil, err
	}
	rest.FillObjectMetaSystemFields(objectMeta)
	objectMeta.SetUID(fixedUID)
	objectMeta.SetCreationTimestamp(fixedTime)
	if generateName := objectMeta.GetGenerateName(); generateName != "" && objectMeta.GetName() == "" {
		generated := strategy.GenerateName(generateName)
		if len(generated) >= len(fixedSuffix) {
			generated = generated[:len(generated)-len(fixedSuffix)] + fixedSuffix
		}
		objectMeta.SetName(generated)
	}
	pristine := obj.DeepCopyObject()
	err := rest.BeforeCreate(strategy, ctx, obj)
	return func() field.ErrorList {
		strategy.PrepareForCreate(ctx, pristine)
		return createErrors(ctx, strategy, pristine)
	}, err
}

// update does what the update handler and the generic registry do before an
// object takes the place of a stored one.
func update(ctx context.Context, strategy rest.RESTUpdateStrategy, sent, stored object, namespace string) (validator, error) {
	obj, objectMeta, old, oldMeta := sent.Object, sent.meta, stored.Object, stored.meta
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, oldMeta); err != nil {
		return nil, err
	}
	fillStored(oldMeta, objectMeta)
	if objectMeta.GetName() == "" {
		objectMeta.SetName(oldMeta.GetName())
	}
	if objectMeta.GetName() != oldMeta.GetName() {
		return nil, apierrors.NewBadRequest("the name of the object does not match the name on the URL")
	}
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, objectMeta); err != nil {
		return nil, err
	}
	if uid := objectMeta.GetUID(); uid != "" && uid != oldMeta.GetUID() {
		return nil, apierrors.NewConflict(schema.GroupResource{}, oldMeta.GetName(), fmt.Errorf("precondition failed: UID"))
	}
	switch version := objectMeta.GetResourceVersion(); {
	case version == "" && allowsUnconditionalUpdate(ctx, strategy):
		objectMeta.SetResourceVersion(oldMeta.GetResourceVersion())
	case version == "":
		errs := field.ErrorList{field.Invalid(field.NewPath("metadata").Child("resourceVersion"), 0, "must be specified for an update")}
		return func() field.ErrorList { return errs }, apierrors.NewInvalid(schema.GroupKind{}, oldMeta.GetName(), errs)
	case version != oldMeta.GetResourceVersion():
		return nil, apierrors.NewConflict(schema.GroupResource{}, oldMeta.GetName(), fmt.Errorf("the object has been modified"))
	}
	pristine, pristineOld := obj.DeepCopyObject(), old.DeepCopyObject()
	err := rest.BeforeUpdate(strategy, ctx, obj, old)
	return func() field.ErrorList {
		// BeforeUpdate has filled in the metadata of obj.
		if target, err := meta.Accessor(pristine); err == nil {
			target.SetGeneration(oldMeta.GetGeneration())
			strategy.PrepareForUpdate(ctx, pristine, pristineOld)
			target.SetUID(objectMeta.GetUID())
			target.SetCreationTimestamp(objectMeta.GetCreationTimestamp())
			target.SetDeletionTimestamp(objectMeta.GetDeletionTimestamp())
			target.SetDeletionGracePeriodSeconds(objectMeta.GetDeletionGracePeriodSeconds())
		}
		return updateErrors(ctx, strategy, pristine, pristineOld)
	}, err
}

// fillStored gives a stored object what the storage would have given it: the
// same as the sent object has, or constants.
func fillStored(stored, sent metav1.Object) {
	if stored.GetUID() == "" {
		stored.SetUID(cmp.Or(sent.GetUID(), fixedUID))
	}
	if stored.GetResourceVersion() == "" {
		stored.SetResourceVersion(cmp.Or(sent.GetResourceVersion(), firstVersion))
	}
	if created := stored.GetCreationTimestamp(); created.IsZero() {
		stored.SetCreationTimestamp(fixedTime)
	}
}

// allowsUnconditionalUpdate calls AllowUnconditionalUpdate, which takes no
// context in older releases.
func allowsUnconditionalUpdate(ctx context.Context, strategy any) bool {
	switch s := strategy.(type) {
	case interface {
		AllowUnconditionalUpdate(context.Context) bool
	}:
		return s.AllowUnconditionalUpdate(ctx)
	case interface{ AllowUnconditionalUpdate() bool }:
		return s.AllowUnconditionalUpdate()
	}
	return true
}
