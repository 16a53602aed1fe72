"""Files mended: fixes applied to a text, each kept only if the object is better for it."""
