package validate

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type validationError struct {
	Type     string `json:"type"`
	Field    string `json:"field"`
	BadValue any    `json:"bad_value,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

// describeError adds the errors of a rejected object to the answer. Their types
// and fields are those of the API status, in that order. The status lacks the
// bad values, so they are taken from a second validation.
func describeError(result map[string]any, apiErr error, again validator, withDetail bool) {
	status, ok := apiErr.(apierrors.APIStatus)
	if !ok {
		result["error"] = apiErr.Error()
		return
	}
	info := status.Status()
	if info.Reason != metav1.StatusReasonInvalid || info.Details == nil {
		apiError := map[string]any{"reason": string(info.Reason), "code": info.Code}
		if withDetail {
			apiError["message"] = info.Message
		}
		result["api_error"] = apiError
		return
	}
	var withValues field.ErrorList
	if again != nil {
		withValues = again()
	}
	used := make([]bool, len(withValues))
	list := []validationError{}
	// take finds the first unused error with a value. Some texts contain
	// addresses and differ from call to call.
	take := func(cause metav1.StatusCause, withText bool) bool {
		for i, found := range withValues {
			if !used[i] && string(found.Type) == string(cause.Type) && found.Field == cause.Field &&
				(!withText || found.ErrorBody() == cause.Message) {
				used[i] = true
				list[len(list)-1].BadValue = plainValue(found.BadValue)
				return true
			}
		}
		return false
	}
	unmatched := 0
	for _, cause := range info.Details.Causes {
		e := validationError{Type: string(cause.Type), Field: cause.Field}
		if withDetail {
			e.Detail = cause.Message
		}
		list = append(list, e)
		if !take(cause, true) && !take(cause, false) {
			unmatched++
		}
	}
	result["errors"] = list
	if unmatched > 0 {
		result["without_bad_value"] = unmatched
	}
}

// plainValue returns a value that JSON can express.
func plainValue(value any) any {
	if value == nil {
		return nil
	}
	if _, omitted := value.(field.OmitValueType); omitted {
		return nil
	}
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if v.Kind() == reflect.Struct && strings.Contains(v.Type().PkgPath(), "dynamic-resource-allocation") {
		// The ID of a device: in some releases its strings have a type that
		// JSON does not show.
		fields := map[string]string{}
		for i := 0; i < v.NumField(); i++ {
			if v.Type().Field(i).IsExported() {
				fields[v.Type().Field(i).Name] = fmt.Sprintf("%v", v.Field(i).Interface())
			}
		}
		return fields
	}
	if _, err := json.Marshal(value); err != nil {
		return fmt.Sprintf("%v", value)
	}
	return value
}
