//go:build kube1.34

package selectors

import "k8s.io/dynamic-resource-allocation/cel"

func compileExpression(expression string, options cel.Options) cel.CompilationResult {
	return cel.GetCompiler(Features()).CompileCELExpression(expression, options)
}
