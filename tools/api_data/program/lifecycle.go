package main

import (
	"go/ast"
	"strings"
)

// lifecycleRows maps a type to what its generated methods APILifecycle…
// return, such as {"Introduced": "1.34"}.
func (s *source) lifecycleRows() map[string]map[string]string {
	rows := map[string]map[string]string{}
	for _, file := range s.files {
		for _, declaration := range file.Decls {
			function, found := declaration.(*ast.FuncDecl)
			if !found || function.Recv == nil || function.Body == nil {
				continue
			}
			event, found := strings.CutPrefix(function.Name.Name, "APILifecycle")
			if !found || len(function.Body.List) != 1 {
				continue
			}
			result, found := function.Body.List[0].(*ast.ReturnStmt)
			receiver := receiverName(function)
			if !found || len(result.Results) != 2 || receiver == "" {
				continue
			}
			numbers := []string{}
			for _, each := range result.Results {
				if literal, found := each.(*ast.BasicLit); found {
					numbers = append(numbers, literal.Value)
				}
			}
			if rows[receiver] == nil {
				rows[receiver] = map[string]string{}
			}
			rows[receiver][event] = strings.Join(numbers, ".")
		}
	}
	return rows
}

func receiverName(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	receiver := function.Recv.List[0].Type
	if pointer, found := receiver.(*ast.StarExpr); found {
		receiver = pointer.X
	}
	if name, found := receiver.(*ast.Ident); found {
		return name.Name
	}
	return ""
}

// returnedRows maps a function to the first composite literal in its body.
func (s *source) returnedRows() map[string]any {
	rows := map[string]any{}
	for _, file := range s.files {
		for _, declaration := range file.Decls {
			function, found := declaration.(*ast.FuncDecl)
			if !found || function.Recv != nil || function.Body == nil {
				continue
			}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				literal, found := node.(*ast.CompositeLit)
				if found && rows[function.Name.Name] == nil {
					rows[function.Name.Name] = s.literal(file, literal)
				}
				return !found
			})
		}
	}
	return rows
}
