//go:build kube1.31

package allocate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	core "k8s.io/kubernetes/pkg/apis/core"
	corev1conversion "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/resource"

	"dractl-oracle/api"
	"dractl-oracle/decode"
	"dractl-oracle/taints"
)

// classList is the device class lister of an allocator.
type classList []*api.Class

func (l classList) List() ([]*api.Class, error) { return l, nil }

func (l classList) Get(name string) (*api.Class, error) {
	for _, class := range l {
		if class.Name == name {
			return class, nil
		}
	}
	kind := schema.GroupResource{Group: api.Version.Group, Resource: "deviceclasses"}
	return nil, apierrors.NewNotFound(kind, name)
}

// inventory is what the objects of a request are.
type inventory struct {
	slices    []*api.Slice
	classes   classList
	nodes     []*corev1.Node
	allocated []*api.Claim
	rules     []runtime.Object
}

func readInventory(objects []json.RawMessage) (*inventory, error) {
	inv := &inventory{}
	for i, text := range objects {
		if err := inv.add(text); err != nil {
			return nil, fmt.Errorf("objects[%d]: %w", i, err)
		}
	}
	patched, err := taints.Apply(inv.slices, inv.classes, inv.rules)
	if err != nil {
		return nil, fmt.Errorf("device taint rules: %w", err)
	}
	inv.slices = patched
	return inv, nil
}

func (inv *inventory) add(text json.RawMessage) error {
	obj, err := decodeObject(text)
	if err != nil {
		return err
	}
	switch internal := obj.(type) {
	case *resource.ResourceSlice:
		slice := &api.Slice{}
		inv.slices = append(inv.slices, slice)
		return legacyscheme.Scheme.Convert(internal, slice, nil)
	case *resource.DeviceClass:
		class := &api.Class{}
		inv.classes = append(inv.classes, class)
		return legacyscheme.Scheme.Convert(internal, class, nil)
	case *resource.ResourceClaim:
		claim, err := convertClaim(internal)
		if err == nil && claim.Status.Allocation != nil {
			inv.allocated = append(inv.allocated, claim)
		}
		return err
	case *core.Node:
		node := &corev1.Node{}
		inv.nodes = append(inv.nodes, node)
		return corev1conversion.Convert_core_Node_To_v1_Node(internal, node, nil)
	}
	if taints.IsRule(obj) {
		inv.rules = append(inv.rules, obj)
	}
	return nil
}

// decodeObject decodes a JSON object, or a string with YAML, into its internal
// version. Unknown and duplicate fields are ignored.
func decodeObject(raw json.RawMessage) (runtime.Object, error) {
	text, format := string(bytes.TrimSpace(raw)), "json"
	if strings.HasPrefix(text, `"`) {
		format = "yaml"
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
	}
	obj, _, problems := decode.Object(text, format, false)
	if obj == nil {
		return nil, fmt.Errorf("%v", problems)
	}
	return obj, nil
}

func decodeClaims(texts []json.RawMessage) ([]*api.Claim, error) {
	var claims []*api.Claim
	for i, text := range texts {
		claim, err := decodeClaim(text)
		if err != nil {
			return nil, fmt.Errorf("claims[%d]: %w", i, err)
		}
		claims = append(claims, claim)
	}
	return claims, nil
}

func decodeClaim(text json.RawMessage) (*api.Claim, error) {
	obj, err := decodeObject(text)
	if err != nil {
		return nil, err
	}
	internal, ok := obj.(*resource.ResourceClaim)
	if !ok {
		return nil, fmt.Errorf("not a ResourceClaim: %T", obj)
	}
	return convertClaim(internal)
}

func convertClaim(internal *resource.ResourceClaim) (*api.Claim, error) {
	claim := &api.Claim{}
	if err := legacyscheme.Scheme.Convert(internal, claim, nil); err != nil {
		return nil, err
	}
	if claim.Namespace == "" {
		claim.Namespace = decode.DefaultNamespace
	}
	if claim.UID == "" {
		claim.UID = types.UID("uid-" + claim.Namespace + "-" + claim.Name)
	}
	return claim, nil
}

func claimName(claim *api.Claim) string { return claim.Namespace + "/" + claim.Name }

func findClaim(claims []*api.Claim, name string) *api.Claim {
	for _, claim := range claims {
		if claimName(claim) == name {
			return claim
		}
	}
	return nil
}
