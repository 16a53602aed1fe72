"""Where text comes from and where things are in it."""
