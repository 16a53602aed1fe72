"""Programs for maintainers: they are not part of the wheel."""
