"""Results for a range of Kubernetes minors, for people."""
