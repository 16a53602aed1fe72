package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strconv"
)

// constantRow is a constant; Value is null for one that needs a package that
// was not loaded.
type constantRow struct {
	Type    string `json:"type"`
	Comment string `json:"comment"`
	Value   any    `json:"value"`
}

func (s *source) constantRows(packages map[string]*source) map[string]constantRow {
	rows := map[string]constantRow{}
	s.specs(token.CONST, func(file *ast.File, general *ast.GenDecl, spec ast.Spec) {
		declared := spec.(*ast.ValueSpec)
		doc := declared.Doc
		if doc == nil && !general.Lparen.IsValid() {
			doc = general.Doc
		}
		for number, name := range declared.Names {
			row := constantRow{Comment: text(doc)}
			if declared.Type != nil {
				row.Type = s.qualified(file, declared.Type)
			}
			if number < len(declared.Values) {
				row.Value = plain(s.evaluate(file, declared.Values[number], packages))
				if call, found := declared.Values[number].(*ast.CallExpr); found && row.Type == "" {
					row.Type = s.qualified(file, call.Fun)
				}
			}
			rows[name.Name] = row
		}
	})
	return rows
}

func plain(value constant.Value) any {
	switch value.Kind() {
	case constant.String:
		return constant.StringVal(value)
	case constant.Bool:
		return constant.BoolVal(value)
	case constant.Int:
		if number, exact := constant.Int64Val(value); exact {
			return number
		}
	}
	return nil
}

// evaluate computes a constant expression; the kind of what it cannot compute
// is constant.Unknown.
func (s *source) evaluate(file *ast.File, expression ast.Expr, packages map[string]*source) constant.Value {
	switch node := expression.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(node.Value, node.Kind, 0)
	case *ast.ParenExpr:
		return s.evaluate(file, node.X, packages)
	case *ast.CallExpr:
		if len(node.Args) == 1 {
			return s.evaluate(file, node.Args[0], packages)
		}
	case *ast.Ident:
		if node.Name == "true" || node.Name == "false" {
			return constant.MakeBool(node.Name == "true")
		}
		return s.value(node.Name, packages)
	case *ast.SelectorExpr:
		if base, found := node.X.(*ast.Ident); found {
			if other := packages[imported(file, base.Name)]; other != nil {
				return other.value(node.Sel.Name, packages)
			}
		}
	case *ast.BinaryExpr:
		left, right := s.evaluate(file, node.X, packages), s.evaluate(file, node.Y, packages)
		if left.Kind() == constant.Unknown || right.Kind() == constant.Unknown {
			return constant.MakeUnknown()
		}
		if node.Op == token.SHL || node.Op == token.SHR {
			count, _ := constant.Uint64Val(right)
			return constant.Shift(left, node.Op, uint(count))
		}
		operation := node.Op
		if operation == token.QUO && left.Kind() == constant.Int && right.Kind() == constant.Int {
			operation = token.QUO_ASSIGN // integer division
		}
		return constant.BinaryOp(left, operation, right)
	}
	return constant.MakeUnknown()
}

func (s *source) value(name string, packages map[string]*source) constant.Value {
	found := constant.MakeUnknown()
	s.specs(token.CONST, func(file *ast.File, _ *ast.GenDecl, spec ast.Spec) {
		declared := spec.(*ast.ValueSpec)
		for number, each := range declared.Names {
			if each.Name == name && number < len(declared.Values) {
				found = s.evaluate(file, declared.Values[number], packages)
			}
		}
	})
	return found
}

// variableRows returns the variables that are composite literals.
func (s *source) variableRows() map[string]any {
	rows := map[string]any{}
	s.specs(token.VAR, func(file *ast.File, _ *ast.GenDecl, spec ast.Spec) {
		declared := spec.(*ast.ValueSpec)
		for number, name := range declared.Names {
			if number < len(declared.Values) {
				if literal, found := declared.Values[number].(*ast.CompositeLit); found {
					rows[name.Name] = s.literal(file, literal)
				}
			}
		}
	})
	return rows
}

// literal is an expression as JSON: a text, number or truth value, {"name"},
// {"call", "arguments"}, or the list of elements of a composite literal, each
// a value or {"key", "value"}. What it cannot express is null.
func (s *source) literal(file *ast.File, expression ast.Expr) any {
	switch node := expression.(type) {
	case *ast.BasicLit:
		if value, err := strconv.Unquote(node.Value); err == nil {
			return value
		}
		return node.Value
	case *ast.Ident:
		if node.Name == "true" || node.Name == "false" {
			return node.Name == "true"
		}
		return map[string]any{"name": s.qualified(file, node)}
	case *ast.SelectorExpr:
		return map[string]any{"name": s.qualified(file, node)}
	case *ast.UnaryExpr:
		return s.literal(file, node.X)
	case *ast.CallExpr:
		arguments := []any{}
		for _, argument := range node.Args {
			arguments = append(arguments, s.literal(file, argument))
		}
		return map[string]any{"call": s.qualified(file, node.Fun), "arguments": arguments}
	case *ast.CompositeLit:
		elements := []any{}
		for _, element := range node.Elts {
			if pair, found := element.(*ast.KeyValueExpr); found {
				key := s.literal(file, pair.Key)
				if identifier, isIdentifier := pair.Key.(*ast.Ident); isIdentifier {
					key = identifier.Name
				}
				elements = append(elements, map[string]any{"key": key, "value": s.literal(file, pair.Value)})
				continue
			}
			elements = append(elements, s.literal(file, element))
		}
		return elements
	}
	return nil
}
