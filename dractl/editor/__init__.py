"""What editors show of manifests, and the language server that serves it."""
