"""The first prototype: its capacities, and its scheduler for them."""
