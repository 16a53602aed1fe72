"""Extended resources that DRA serves: their classes, and the special claim of a pod on a node."""
