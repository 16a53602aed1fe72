"""The scheduler of Kubernetes 1.30: claims with structured parameters over named resources (v1alpha2)."""
