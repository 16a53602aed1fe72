"""What an API server warns about in objects that it accepts."""
