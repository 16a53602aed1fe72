"""What a git repository held: its commits, read without running anything of the checkout."""
