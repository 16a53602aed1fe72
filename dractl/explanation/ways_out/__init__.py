"""Changes after which a waiting pod gets a node, one module for each kind."""
