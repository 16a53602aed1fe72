"""``--share``: a link that opens the files of a run in the playground."""
