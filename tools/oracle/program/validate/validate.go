// Package validate takes an object through the steps that an API server takes
// before it stores it.
package validate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"dractl-oracle/decode"
	"dractl-oracle/release"
)

// Request is a create, or with Old an update. README.md describes the fields.
type Request struct {
	Manifest        string                       `json:"manifest"`
	Old             *string                      `json:"old"`
	Format          string                       `json:"format"`
	Subresource     string                       `json:"subresource"`
	Detail          bool                         `json:"detail"`
	NamespaceLabels map[string]map[string]string `json:"namespace_labels"`
}

const statusSubresource = "status"

// object is an object of the internal version, with its metadata.
type object struct {
	runtime.Object
	meta metav1.Object
}

type warnings struct{ texts []string }

func (w *warnings) AddWarning(_, text string) { w.texts = append(w.texts, text) }

// Answer returns what the API server says about a request, and what it stores.
func Answer(request *Request) map[string]any {
	result := map[string]any{}
	if err := answer(request, result); err != nil {
		result["error"] = err.Error()
	}
	return result
}

// answer adds to the result; an error means that the request has no answer.
func answer(request *Request, result map[string]any) error {
	namespaceClient.labels = request.NamespaceLabels
	obj, gvk, problems := decode.Object(request.Manifest, request.Format, true)
	result["decode_errors"] = append([]decode.Problem{}, problems...)
	if gvk != nil {
		result["gvk"] = gvk.GroupVersion().String() + "/" + gvk.Kind
	}
	if obj == nil {
		return nil
	}
	row, found := byKind()[gvk.GroupKind()]
	if !found {
		return fmt.Errorf("kind %s is not handled", gvk)
	}
	describeLifecycle(result, gvk)
	objectMeta, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	sent := object{obj, objectMeta}
	stored, err := decodeOld(request, gvk)
	if err != nil {
		return fmt.Errorf("old: %w", err)
	}
	if request.Subresource != "" && (request.Subresource != statusSubresource || row.status == nil || stored == nil) {
		return fmt.Errorf("subresource %q is not handled for this request", request.Subresource)
	}

	info := requestInfo(request, row, gvk, sent, stored)
	recorder := &warnings{}
	ctx := requestContext(info, recorder)
	var again validator
	var rejection error
	switch {
	case stored == nil:
		again, rejection = create(ctx, row.create, sent, info.Namespace)
	case request.Subresource == statusSubresource:
		again, rejection = update(ctx, row.status, sent, *stored, info.Namespace)
	default:
		again, rejection = update(ctx, row.update, sent, *stored, info.Namespace)
	}
	result["errors"] = []validationError{}
	if rejection != nil {
		describeError(result, rejection, again, request.Detail)
	}
	result["warnings"] = len(recorder.texts)
	if request.Detail {
		result["warning_texts"] = recorder.texts
	}

	sent.meta.SetManagedFields(nil)
	data, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(gvk.GroupVersion()), sent.Object)
	if err != nil {
		result["result_error"] = err.Error()
	} else {
		result["result"] = json.RawMessage(bytes.TrimSpace(data))
	}
	return nil
}

// decodeOld returns the stored object of an update, and nil for a create.
func decodeOld(request *Request, gvk *schema.GroupVersionKind) (*object, error) {
	if request.Old == nil {
		return nil, nil
	}
	old, oldGVK, problems := decode.Object(*request.Old, request.Format, false)
	if old == nil {
		return nil, fmt.Errorf("%v", problems)
	}
	if oldGVK.GroupKind() != gvk.GroupKind() {
		return nil, errors.New("is of another kind")
	}
	oldMeta, err := meta.Accessor(old)
	if err != nil {
		return nil, err
	}
	return &object{old, oldMeta}, nil
}

// requestInfo describes the HTTP request that would carry the object: strategies
// and declarative validation look at it.
func requestInfo(request *Request, row strategies, gvk *schema.GroupVersionKind, sent object, stored *object) *genericapirequest.RequestInfo {
	info := &genericapirequest.RequestInfo{
		IsResourceRequest: true,
		Path:              "/",
		Verb:              "create",
		APIPrefix:         "apis",
		APIGroup:          gvk.Group,
		APIVersion:        gvk.Version,
		Resource:          row.resource,
		Subresource:       request.Subresource,
		Name:              sent.meta.GetName(),
		Parts:             []string{row.resource},
	}
	namespace := sent.meta.GetNamespace()
	if stored != nil {
		info.Verb, info.Name = "update", stored.meta.GetName()
		namespace = cmp.Or(stored.meta.GetNamespace(), namespace)
	}
	if row.create.NamespaceScoped() {
		info.Namespace = cmp.Or(namespace, decode.DefaultNamespace)
	}
	return info
}

func requestContext(info *genericapirequest.RequestInfo, recorder warning.Recorder) context.Context {
	ctx := genericapirequest.WithNamespace(context.Background(), info.Namespace)
	ctx = genericapirequest.WithUser(ctx, &user.DefaultInfo{Name: "oracle", Groups: []string{user.SystemPrivilegedGroup}})
	ctx = genericapirequest.WithRequestInfo(ctx, info)
	return warning.WithWarningRecorder(ctx, recorder)
}

// describeLifecycle adds whether the API version is deprecated in this release,
// and which release no longer serves it.
func describeLifecycle(result map[string]any, gvk *schema.GroupVersionKind) {
	versioned, err := legacyscheme.Scheme.New(*gvk)
	if err != nil {
		return
	}
	majorText, minorText, _ := strings.Cut(release.Minor(), ".")
	major, majorErr := strconv.Atoi(majorText)
	minor, minorErr := strconv.Atoi(minorText)
	if majorErr != nil || minorErr != nil {
		return
	}
	if deprecation.IsDeprecated(versioned, major, minor) {
		result["deprecated"] = true
	}
	if removed := deprecation.RemovedRelease(versioned); removed != "" {
		result["removed_in"] = removed
	}
}
