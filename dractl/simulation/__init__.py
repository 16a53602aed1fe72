"""Pods to devices: what the scheduler would choose, and why not."""
