"""What a cluster shows: its devices and claims, what a drain would move, and whether it went as simulated."""
