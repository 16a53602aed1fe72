"""The API of Kubernetes 1.30, and PodSchedulingContext up to 1.31."""
