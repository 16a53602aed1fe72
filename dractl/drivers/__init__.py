"""What the author of a driver wants to know of the slices, classes and claims in a folder."""
