"""Add a minor: its data, its rows and its oracle, and what differs from the minor before."""
