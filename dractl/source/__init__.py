"""Where text comes from and where things stand in it."""
