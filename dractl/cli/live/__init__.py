"""``kubectl dra``: the commands that read a running cluster through the user's own kubectl."""
