//go:build kube1.32 && !kube1.34

package selectors

import "k8s.io/dynamic-resource-allocation/cel"

func compileExpression(expression string, options cel.Options) cel.CompilationResult {
	return cel.GetCompiler().CompileCELExpression(expression, options)
}

func celDevice(device *device) cel.Device {
	return cel.Device{Driver: device.Driver, Attributes: device.Attributes, Capacity: device.capacity}
}
