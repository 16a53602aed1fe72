"""Links to the playground: manifests as the fragment of an address, and back."""
