// Prints the classes of characters and the spellings of letters that Go's regular expressions know.
// Run as: go run tests/cel/unicode_classes.go > dractl/cel/regex/data/unicode_classes.txt
package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

func ranges(table *unicode.RangeTable) string {
	var out []string
	low, high := -2, -2
	flush := func() {
		if low == high && low >= 0 {
			out = append(out, fmt.Sprintf("%x", low))
		} else if low >= 0 {
			out = append(out, fmt.Sprintf("%x-%x", low, high))
		}
	}
	for point := 0; point <= unicode.MaxRune; point++ {
		if !unicode.Is(table, rune(point)) {
			continue
		}
		if point != high+1 {
			flush()
			low = point
		}
		high = point
	}
	flush()
	return strings.Join(out, " ")
}

func lower(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

func known(name string) bool {
	_, err := regexp.Compile(`\p{` + name + `}`)
	return err == nil
}

func main() {
	fmt.Println("# Classes of characters and spellings of letters, made from Unicode", unicode.Version)
	fmt.Println("# by tests/cel/unicode_classes.go; ranges of code points in hexadecimal.")
	categories := slices.Sorted(maps.Keys(unicode.Categories))
	for _, name := range categories {
		if len(name) == 2 && name != "LC" {
			fmt.Println("class", lower(name), ranges(unicode.Categories[name]))
			continue
		}
		fmt.Print("union ", lower(name))
		for _, part := range categories {
			if len(part) == 2 && part != "LC" && (part[:1] == name || name == "LC" && strings.Contains("Ll Lt Lu", part)) {
				fmt.Print(" ", lower(part))
			}
		}
		fmt.Println()
	}
	for _, name := range slices.Sorted(maps.Keys(unicode.CategoryAliases)) {
		fmt.Println("union", lower(name), lower(unicode.CategoryAliases[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(unicode.Scripts)) {
		if known(name) {
			fmt.Println("class", lower(name), ranges(unicode.Scripts[name]))
		}
	}
	for point := rune(0); point <= unicode.MaxRune; point++ {
		spellings := []rune{point}
		for next := unicode.SimpleFold(point); next > point; next = unicode.SimpleFold(next) {
			spellings = append(spellings, next)
		}
		if len(spellings) > 1 && unicode.SimpleFold(spellings[len(spellings)-1]) == point {
			fmt.Print("fold")
			for _, spelling := range spellings {
				fmt.Printf(" %x", spelling)
			}
			fmt.Println()
		}
	}
}
