"""Shell completion: the scripts, which are generated, and the command that prints them."""
