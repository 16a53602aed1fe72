"""Known faults of Kubernetes releases: what each one does, who reaches it, and which release fixes it."""
