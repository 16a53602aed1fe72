"""The set of objects: found by name, related to each other, gathered into pools."""
