"""Builds the playground: a static folder with a page in which dractl runs in the browser."""
