package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"hash/fnv"
)

// functionRows maps a function, or TYPE.METHOD, to a digest of its text
// without comments and line breaks: two releases differ where it does.
func (s *source) functionRows() map[string]string {
	rows := map[string]string{}
	for _, file := range s.files {
		for _, declaration := range file.Decls {
			function, found := declaration.(*ast.FuncDecl)
			if !found {
				continue
			}
			name := function.Name.Name
			if receiver := receiverName(function); receiver != "" {
				name = receiver + "." + name
			}
			bare := *function
			bare.Doc = nil
			var text bytes.Buffer
			// Without the positions of its file the printer leaves out comments and empty lines.
			if err := printer.Fprint(&text, token.NewFileSet(), &bare); err != nil {
				continue
			}
			digest := fnv.New64a()
			_, _ = digest.Write(text.Bytes())
			rows[name] = fmt.Sprintf("%016x", digest.Sum64())
		}
	}
	return rows
}
