"""The structured allocator: devices for claims on one node."""
