// Command dractl-declarations writes what Go packages declare, as JSON: types
// with their fields and comments, constants with their values, and variables
// with their composite literals. It reads source text only, so that any Go
// toolchain reads any release.
//
// Each argument is IMPORTPATH=FOLDER.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	packages := map[string]*source{}
	for _, argument := range os.Args[1:] {
		path, folder, found := strings.Cut(argument, "=")
		if !found {
			fail(fmt.Errorf("%q is not IMPORTPATH=FOLDER", argument))
		}
		loaded, err := load(path, folder)
		if err != nil {
			fail(err)
		}
		packages[path] = loaded
	}
	answer := map[string]declarations{}
	for path, loaded := range packages {
		answer[path] = declarations{
			Types:     loaded.typeRows(),
			Constants: loaded.constantRows(packages),
			Variables: loaded.variableRows(),
			Guarded:   loaded.guardedRows(),
			Lifecycle: loaded.lifecycleRows(),
			Returned:  loaded.returnedRows(),
			Functions: loaded.functionRows(),
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "dractl-declarations:", err)
	os.Exit(1)
}
