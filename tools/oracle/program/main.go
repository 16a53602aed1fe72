// Command dractl-oracle answers questions about manifests of Dynamic Resource
// Allocation with the code of one Kubernetes release: one JSON request per line
// on standard input, one JSON answer per line on standard output.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sort"

	"github.com/go-logr/logr"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/capabilities"
	"sigs.k8s.io/yaml"

	"dractl-oracle/gates"
	"dractl-oracle/release"
	"dractl-oracle/validate"

	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

// envelope holds the fields that every request may have.
type envelope struct {
	ID    json.RawMessage `json:"id"`
	Op    string          `json:"op"`
	Gates map[string]bool `json:"gates"`
}

type answer = map[string]any

// operation answers a request, given as its JSON text. After an answer with
// mustEnd the process cannot go on.
type operation func(line []byte) (result answer, mustEnd bool)

var operations = map[string]operation{}

func init() {
	operations["validate"] = answering(validate.Answer)
	operations["yaml"] = answering(answerYAML)
	operations["gates"] = answering(gates.Answer)
	operations["version"] = answering(answerVersion)
}

// answering makes an operation of a function that takes a request of its own.
func answering[R any](function func(*R) answer) operation {
	return func(line []byte) (answer, bool) {
		request := new(R)
		if err := json.Unmarshal(line, request); err != nil {
			return answer{"error": "request: " + err.Error()}, false
		}
		return function(request), false
	}
}

func main() {
	setUpLogging()
	// A kube-apiserver is usually started with --allow-privileged.
	capabilities.Setup(true, 0)

	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for {
		line, readErr := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			result, mustEnd := answerLine(line)
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(result); err != nil {
				_ = encoder.Encode(answer{"id": result["id"], "error": "encode the answer: " + err.Error()})
			}
			_ = out.Flush()
			if mustEnd {
				os.Exit(3)
			}
		}
		if readErr != nil {
			return
		}
	}
}

// setUpLogging discards the log of the Kubernetes code. $ORACLE_V sets its
// verbosity and sends it to standard error.
func setUpLogging() {
	verbosity := os.Getenv("ORACLE_V")
	if verbosity == "" {
		klog.SetLogger(logr.Discard())
		klog.SetOutput(io.Discard)
		return
	}
	flags := flag.NewFlagSet("klog", flag.ExitOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "true")
	_ = flags.Set("v", verbosity)
}

func answerLine(line []byte) (result answer, mustEnd bool) {
	var request envelope
	defer func() {
		result["id"] = nil
		if len(request.ID) > 0 {
			result["id"] = request.ID
		}
	}()
	if err := json.Unmarshal(line, &request); err != nil {
		return answer{"error": "request: " + err.Error()}, false
	}
	defer func() {
		if cause := recover(); cause != nil {
			result = answer{"error": fmt.Sprintf("panic: %v", cause), "stack": string(debug.Stack())}
		}
	}()
	restore, err := gates.Apply(request.Gates)
	if err != nil {
		return answer{"error": "gates: " + err.Error()}, false
	}
	defer restore()
	function, found := operations[request.Op]
	if !found {
		return answer{"error": fmt.Sprintf("unknown op %q", request.Op)}, false
	}
	return function(line)
}

type yamlRequest struct {
	Text string `json:"text"`
}

func answerYAML(request *yamlRequest) answer {
	result := answer{}
	data, err := yaml.YAMLToJSON([]byte(request.Text))
	if err != nil {
		result["yaml_error"] = err.Error()
	} else {
		result["json"] = string(data)
	}
	if _, err := yaml.YAMLToJSONStrict([]byte(request.Text)); err != nil {
		result["strict_error"] = err.Error()
	}
	return result
}

func answerVersion(*struct{}) answer {
	names := []string{}
	for name := range operations {
		names = append(names, name)
	}
	sort.Strings(names)
	return answer{
		"version":           release.Version,
		"minor":             release.Minor(),
		"kinds":             validate.Kinds(),
		"ops":               names,
		"cel_compatibility": environment.DefaultCompatibilityVersion().String(),
	}
}
