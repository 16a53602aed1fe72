"""How many more copies of a pod fit, what runs out first, what is stranded, and which nodes to add."""
