"""Rules for ResourceSlice: pools, devices, attributes, capacity, counters."""
