"""What a run over manifests needs beside its verdicts: which findings count, and fixes in the files."""
