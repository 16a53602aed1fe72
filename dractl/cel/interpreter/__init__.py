"""From a checked tree to functions, with values and runtime cost."""
