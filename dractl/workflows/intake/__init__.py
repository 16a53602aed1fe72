"""What an API server takes of documents, and how it comes out of a simulation again."""
