"""CEL's functions: one module per library, each a table of overloads; see dractl.cel.library.table."""
