"""Node-allocatable resources: devices that represent cpu, memory or huge pages of their node."""
