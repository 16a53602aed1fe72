package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// guardedRows maps FUNCTION/RESOURCE to the feature gate without which a
// function of a storage provider does not install the resource, as in
//
//	if resource := "workloads"; ResourceEnabled(…) {
//		if …Enabled(features.GenericWorkload) {
func (s *source) guardedRows() map[string]string {
	rows := map[string]string{}
	for _, file := range s.files {
		for _, declaration := range file.Decls {
			function, found := declaration.(*ast.FuncDecl)
			if !found || function.Body == nil || function.Recv == nil {
				continue
			}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				branch, found := node.(*ast.IfStmt)
				if !found {
					return true
				}
				resource := assignedText(branch.Init)
				if resource == "" {
					return true
				}
				ast.Inspect(branch.Body, func(inner ast.Node) bool {
					if condition, found := inner.(*ast.IfStmt); found {
						if gate := s.gateOf(file, condition.Cond); gate != "" {
							rows[function.Name.Name+"/"+resource] = gate
							return false
						}
					}
					return true
				})
				return true
			})
		}
	}
	return rows
}

func assignedText(statement ast.Stmt) string {
	assigned, found := statement.(*ast.AssignStmt)
	if !found || assigned.Tok != token.DEFINE || len(assigned.Rhs) != 1 {
		return ""
	}
	literal, found := assigned.Rhs[0].(*ast.BasicLit)
	if !found {
		return ""
	}
	value, _ := strconv.Unquote(literal.Value)
	return value
}

func (s *source) gateOf(file *ast.File, condition ast.Expr) string {
	call, found := condition.(*ast.CallExpr)
	if !found || len(call.Args) != 1 {
		return ""
	}
	selector, found := call.Fun.(*ast.SelectorExpr)
	if !found || selector.Sel.Name != "Enabled" {
		return ""
	}
	name := s.qualified(file, call.Args[0])
	return name[strings.LastIndex(name, ".")+1:]
}
