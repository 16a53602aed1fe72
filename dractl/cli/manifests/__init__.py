"""What a run over manifests needs besides its verdicts: which findings count, and fixes in the files."""
