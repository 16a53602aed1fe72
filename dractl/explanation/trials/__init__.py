"""Changes of a world that are tried: what can be changed, on which nodes, and within which limits."""
