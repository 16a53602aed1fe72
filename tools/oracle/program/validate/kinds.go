package validate

import (
	"context"
	"sort"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/rest"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

// strategies are the registry strategies of one kind.
type strategies struct {
	resource string
	create   rest.RESTCreateStrategy
	update   rest.RESTUpdateStrategy
	status   rest.RESTUpdateStrategy // nil: no status subresource
}

// namespaces takes the place of the client that strategies look up namespaces
// with: every namespace exists, with the labels of the request.
type namespaces struct {
	corev1client.NamespaceInterface
	labels map[string]map[string]string
}

func (n *namespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: n.labels[name]}}, nil
}

// namespaceClient is the client of all strategies.
var namespaceClient = &namespaces{}

// allowAll authorizes everything.
var allowAll = authorizer.AuthorizerFunc(func(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
})

var byKind = sync.OnceValue(func() map[schema.GroupKind]strategies {
	table := map[schema.GroupKind]strategies{
		{Kind: "Pod"}: {"pods", pod.Strategy, pod.Strategy, pod.StatusStrategy},
	}
	for kind, row := range resourceStrategies() {
		table[schema.GroupKind{Group: "resource.k8s.io", Kind: kind}] = row
	}
	return table
})

// Kinds returns every "apiVersion/kind" that Answer handles, sorted.
func Kinds() []string {
	names := []string{}
	for gvk := range legacyscheme.Scheme.AllKnownTypes() {
		_, found := byKind()[gvk.GroupKind()]
		if found && gvk.Version != runtime.APIVersionInternal {
			names = append(names, gvk.GroupVersion().String()+"/"+gvk.Kind)
		}
	}
	sort.Strings(names)
	return names
}
