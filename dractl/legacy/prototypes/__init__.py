"""The APIs that were tried before resource.k8s.io/v1: reading, rules, simulation, and the way to v1."""
