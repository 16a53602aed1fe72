// Package decode reads objects as an API server does.
package decode

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/yaml"
)

// DefaultNamespace is the namespace of an object that names none.
const DefaultNamespace = "default"

// Problem is a decode error: "strict" for a field that is unknown or a duplicate,
// "fatal" for a text that is not an object at all.
type Problem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// Object turns text into the internal version of its kind, with defaults. With
// strict it also reports unknown and duplicate fields.
func Object(text, format string, strict bool) (runtime.Object, *schema.GroupVersionKind, []Problem) {
	data := []byte(text)
	mediaType := "application/yaml"
	switch format {
	case "", "yaml":
	case "json":
		mediaType = "application/json"
	case "kubectl":
		converted, err := yaml.YAMLToJSON(data)
		if err != nil {
			return nil, nil, []Problem{{"fatal", err.Error()}}
		}
		data, mediaType = converted, "application/json"
	default:
		return nil, nil, []Problem{{"fatal", "unknown format " + format}}
	}
	info, found := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), mediaType)
	if !found {
		return nil, nil, []Problem{{"fatal", "no serializer for " + mediaType}}
	}
	serializer := info.Serializer
	if strict {
		serializer = info.StrictSerializer
	}
	decoder := legacyscheme.Codecs.DecoderToVersion(serializer, internalVersions{})
	obj, gvk, err := decoder.Decode(data, nil, nil)
	if err == nil {
		return obj, gvk, nil
	}
	if strictError, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		var list []Problem
		for _, e := range strictError.Errors() {
			list = append(list, Problem{"strict", e.Error()})
		}
		return obj, gvk, list
	}
	return nil, gvk, []Problem{{"fatal", err.Error()}}
}

// internalVersions selects the internal version of any group.
type internalVersions struct{}

func (internalVersions) KindForGroupVersionKinds(kinds []schema.GroupVersionKind) (schema.GroupVersionKind, bool) {
	for _, kind := range kinds {
		if kind.Version == runtime.APIVersionInternal {
			return kind, true
		}
	}
	for _, kind := range kinds {
		return schema.GroupVersionKind{Group: kind.Group, Version: runtime.APIVersionInternal, Kind: kind.Kind}, true
	}
	return schema.GroupVersionKind{}, false
}

func (internalVersions) Identifier() string { return "internal" }
