"""What typer needs of dractl and kubectl dra: options as parameters, help pages, and their tables."""
