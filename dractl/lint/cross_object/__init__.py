"""Lints across objects: references, pools, counters, names."""
