"""Edit the text of YAML documents in place: what an edit does not concern stays, to the character."""
