"""From objects of prototypes to objects of v1."""
