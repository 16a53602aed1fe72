//go:build kube1.34

package allocate

import (
	"path"
	"reflect"
)

// implementationOf names the package of an allocator: stable, incubating or
// experimental.
func implementationOf(allocator any) string {
	kind := reflect.TypeOf(allocator)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return path.Base(kind.PkgPath())
}

// searchSize returns how often an allocator tried a device. Its statistics have
// an internal type, so only reflection reads them.
func searchSize(allocator any) any {
	method := reflect.ValueOf(allocator).MethodByName("GetStats")
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() != 1 {
		return nil
	}
	stats := method.Call(nil)[0]
	if stats.Kind() != reflect.Struct {
		return nil
	}
	if count := stats.FieldByName("NumAllocateOneInvocations"); count.IsValid() {
		return count.Int()
	}
	return nil
}
