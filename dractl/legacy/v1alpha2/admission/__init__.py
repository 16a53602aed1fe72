"""Rules for the kinds of v1alpha2 (1.30), and for PodSchedulingContext (up to 1.31)."""
