"""CEL types, values, errors, operators and the syntax tree."""
