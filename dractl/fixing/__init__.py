"""Fixes applied to files, each kept only if the object is better for it."""
