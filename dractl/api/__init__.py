"""What the Kubernetes API is: names, paths, errors, releases, gates; no text, no versions, no rules."""
