"""Lints about CEL selectors."""
