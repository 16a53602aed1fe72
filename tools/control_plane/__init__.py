"""Real control planes without nodes: built of the modules of a release, and run beside a command."""
