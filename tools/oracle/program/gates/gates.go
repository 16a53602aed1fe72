// Package gates sets feature gates for the time of one request and lists them.
package gates

import (
	"encoding/json"
	"sort"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"

	_ "k8s.io/kubernetes/pkg/features"
)

// Enabled tells whether a gate is on in the current request.
func Enabled(name featuregate.Feature) bool { return utilfeature.DefaultFeatureGate.Enabled(name) }

// switches caches, by the JSON text of what a request sets, functions that put
// the gates with these values in place: a copy of all gates costs more than most
// requests.
var switches = map[string]func(){}

const maxSwitches = 10000

// Apply makes all Kubernetes code see the given values until the returned
// function is called. Unknown gates, changes of locked gates and unmet
// dependencies are errors, as they are at the start of a real process.
func Apply(values map[string]bool) (restore func(), err error) {
	if len(values) == 0 {
		return func() {}, nil
	}
	key, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	originalMutable, original := utilfeature.DefaultMutableFeatureGate, utilfeature.DefaultFeatureGate
	putInPlace, found := switches[string(key)]
	if !found {
		copied := originalMutable.DeepCopy()
		if err := copied.SetFromMap(values); err != nil {
			return nil, err
		}
		putInPlace = func() {
			utilfeature.DefaultMutableFeatureGate, utilfeature.DefaultFeatureGate = copied, copied
		}
		if len(switches) >= maxSwitches {
			clear(switches)
		}
		switches[string(key)] = putInPlace
	}
	putInPlace()
	return func() {
		utilfeature.DefaultMutableFeatureGate, utilfeature.DefaultFeatureGate = originalMutable, original
	}, nil
}

// alsoListed are the gates without DRA or DynamicResource in their name that
// influence the kinds of validate.
var alsoListed = map[string]bool{
	"AllAlpha": true, "AllBeta": true,
	"DeclarativeValidation": true, "DeclarativeValidationTakeover": true, "DeclarativeValidationBeta": true,
	"ResourceHealthStatus": true, "PodLevelResources": true, "GenericWorkload": true,
	"StrictCostEnforcementForVAP": true, "StrictCostEnforcementForWebhooks": true,
	"RelaxedDNSSearchValidation": true, "RelaxedEnvironmentVariableValidation": true,
	"RelaxedServiceNameValidation": true, "TaintTolerationComparisonOperators": true,
	"KubeletPodResourcesDynamicResources": true, "StrictIPCIDRValidation": true, "NodeDeclaredFeatures": true,
}

func isListed(name string) bool {
	return strings.Contains(name, "DRA") || strings.Contains(name, "DynamicResource") || alsoListed[name]
}

// Request asks for the gates of the release: all of them, or those of DRA.
type Request struct {
	All bool `json:"all"`
}

type gate struct {
	Name    string `json:"name"`
	Default bool   `json:"default"`
	Enabled bool   `json:"enabled"`
	Stage   string `json:"stage"`
	Locked  bool   `json:"locked"`
}

// Answer lists gates by name, and which gates a gate depends on.
func Answer(request *Request) map[string]any {
	list := []gate{}
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if !request.All && !isListed(string(name)) {
			continue
		}
		stage := string(spec.PreRelease)
		if stage == "" {
			stage = "GA"
		}
		list = append(list, gate{string(name), spec.Default, Enabled(name), stage, spec.LockToDefault})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	result := map[string]any{"gates": list}
	if known := dependencies(); known != nil {
		result["dependencies"] = known
	}
	return result
}
