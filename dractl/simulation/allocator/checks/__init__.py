"""What decides whether one more device fits: constraints, counters, capacity, taints."""
