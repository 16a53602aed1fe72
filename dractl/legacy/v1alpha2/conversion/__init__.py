"""From objects of v1alpha2 to objects of v1."""
