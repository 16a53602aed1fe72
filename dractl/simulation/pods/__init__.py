"""Pods, their claims and the resulting placements."""
