//go:build kube1.31

package main

import (
	"encoding/json"

	"dractl-oracle/allocate"
	"dractl-oracle/selectors"
)

func init() {
	operations["cel"] = answering(selectors.Answer)
	operations["allocate"] = func(line []byte) (answer, bool) {
		request := &allocate.Request{}
		if err := json.Unmarshal(line, request); err != nil {
			return answer{"error": "request: " + err.Error()}, false
		}
		return allocate.Answer(request)
	}
}
