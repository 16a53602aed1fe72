package main

import (
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// typeRow is a declared type. Shape is "struct" or what the type is made of.
type typeRow struct {
	Comment string     `json:"comment"`
	Shape   any        `json:"shape"`
	Fields  []fieldRow `json:"fields,omitempty"`
}

// fieldRow is a field of a struct; Tag is its struct tag.
type fieldRow struct {
	Name    string            `json:"name"`
	Comment string            `json:"comment"`
	Shape   any               `json:"shape"`
	Tag     map[string]string `json:"tag"`
}

func (s *source) typeRows() map[string]typeRow {
	rows := map[string]typeRow{}
	s.specs(token.TYPE, func(file *ast.File, general *ast.GenDecl, spec ast.Spec) {
		declared := spec.(*ast.TypeSpec)
		row := typeRow{Comment: s.typeComment(file, general, declared), Shape: s.shape(file, declared.Type)}
		if structure, found := declared.Type.(*ast.StructType); found {
			row.Fields = s.fieldRows(file, structure)
		}
		rows[declared.Name.Name] = row
	})
	return rows
}

// typeComment is the comment of a type, with the comment block that stands
// right above it, apart by one empty line: generators read markers there too.
func (s *source) typeComment(file *ast.File, general *ast.GenDecl, declared *ast.TypeSpec) string {
	doc := declared.Doc
	if doc == nil {
		doc = general.Doc
	}
	start := declared.Pos()
	if !general.Lparen.IsValid() {
		start = general.Pos()
	}
	if doc != nil {
		start = doc.Pos()
	}
	above := ""
	for _, group := range file.Comments {
		if group.End() >= start {
			break
		}
		above = ""
		if isSeparatedByOneLine(group, start) && s.isFree(file, group) {
			above = text(group)
		}
	}
	return above + text(doc)
}

// isSeparatedByOneLine says whether nothing but one empty line stands between.
func isSeparatedByOneLine(group *ast.CommentGroup, start token.Pos) bool {
	return int(start)-int(group.End()) == 2
}

// isFree says whether a comment belongs to no declaration.
func (s *source) isFree(file *ast.File, group *ast.CommentGroup) bool {
	for _, declaration := range file.Decls {
		if declaration.Pos() <= group.Pos() && group.End() <= declaration.End() {
			return false
		}
	}
	return true
}

func (s *source) fieldRows(file *ast.File, structure *ast.StructType) []fieldRow {
	rows := []fieldRow{}
	for _, field := range structure.Fields.List {
		tag := map[string]string{}
		if field.Tag != nil {
			if all, err := strconv.Unquote(field.Tag.Value); err == nil {
				for _, key := range []string{"json", "protobuf", "patchStrategy", "patchMergeKey"} {
					if value, found := reflect.StructTag(all).Lookup(key); found {
						tag[key] = value
					}
				}
			}
		}
		row := fieldRow{Comment: text(field.Doc), Shape: s.shape(file, field.Type), Tag: tag}
		if len(field.Names) == 0 {
			rows = append(rows, row)
		}
		for _, name := range field.Names {
			row.Name = name.Name
			rows = append(rows, row)
		}
	}
	return rows
}

// text is a comment without its slashes, markers such as //+optional included.
func text(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	lines := []string{}
	for _, comment := range group.List {
		for _, line := range strings.Split(comment.Text, "\n") {
			line = strings.TrimSpace(line)
			line = strings.TrimPrefix(line, "//")
			line = strings.TrimPrefix(line, "/*")
			lines = append(lines, strings.TrimSpace(strings.TrimSuffix(line, "*/")))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// shape is a type as JSON: the name of a declared or predeclared type, or an
// object with one of the keys pointer, list and map; "struct" for a struct.
func (s *source) shape(file *ast.File, expression ast.Expr) any {
	switch node := expression.(type) {
	case *ast.Ident:
		if node.Name == strings.ToLower(node.Name) {
			return node.Name
		}
		return s.path + "." + node.Name
	case *ast.SelectorExpr:
		return s.qualified(file, node)
	case *ast.StarExpr:
		return map[string]any{"pointer": s.shape(file, node.X)}
	case *ast.ArrayType:
		return map[string]any{"list": s.shape(file, node.Elt)}
	case *ast.MapType:
		return map[string]any{"key": s.shape(file, node.Key), "map": s.shape(file, node.Value)}
	case *ast.StructType:
		return "struct"
	}
	return "other"
}
