"""The controllers around the scheduler: claims for pods, evictions."""
