"""Results as text and documents, one module a format."""
