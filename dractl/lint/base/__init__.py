"""What all lints share: rule rows, places in files, the objects of the input."""
