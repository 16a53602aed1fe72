package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// declarations is what one package declares.
type declarations struct {
	Types     map[string]typeRow           `json:"types"`
	Constants map[string]constantRow       `json:"constants"`
	Variables map[string]any               `json:"variables"`
	Guarded   map[string]string            `json:"guarded"`
	Lifecycle map[string]map[string]string `json:"lifecycle"`
	Returned  map[string]any               `json:"returned"`
	Functions map[string]string            `json:"functions"`
}

// source is a parsed package.
type source struct {
	path  string
	files []*ast.File
}

// load parses the Go files of a folder, without tests.
func load(importPath, folder string) (*source, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	loaded := &source{path: importPath}
	fileSet := token.NewFileSet()
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fileSet, filepath.Join(folder, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		loaded.files = append(loaded.files, file)
	}
	return loaded, nil
}

// specs calls visit for each specification of a kind at package level.
func (s *source) specs(kind token.Token, visit func(*ast.File, *ast.GenDecl, ast.Spec)) {
	for _, file := range s.files {
		for _, declaration := range file.Decls {
			general, found := declaration.(*ast.GenDecl)
			if !found || general.Tok != kind {
				continue
			}
			for _, spec := range general.Specs {
				visit(file, general, spec)
			}
		}
	}
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// imported returns the path of the package that a file calls by a name.
func imported(file *ast.File, name string) string {
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if spec.Name != nil {
			if spec.Name.Name == name {
				return importPath
			}
			continue
		}
		base := path.Base(importPath)
		if majorVersion.MatchString(base) && base != name {
			base = path.Base(path.Dir(importPath))
		}
		if base == name {
			return importPath
		}
	}
	return name
}

// qualified returns PACKAGE.NAME for an identifier or a selector, and "" for
// other expressions.
func (s *source) qualified(file *ast.File, expression ast.Expr) string {
	switch node := expression.(type) {
	case *ast.Ident:
		return s.path + "." + node.Name
	case *ast.SelectorExpr:
		if base, found := node.X.(*ast.Ident); found {
			return imported(file, base.Name) + "." + node.Sel.Name
		}
	}
	return ""
}
