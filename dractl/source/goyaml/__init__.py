"""How go-yaml v2, the YAML reader of the Kubernetes API machinery, cuts and understands a text."""
