"""Try one device for one slot, given the devices chosen before."""
