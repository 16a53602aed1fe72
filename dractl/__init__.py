"""Verdicts and device allocation for Kubernetes DRA manifests, from files."""
