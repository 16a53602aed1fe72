"""From text to a syntax tree, with macros expanded."""
