"""The documentation site: pages of the repository and a reference made from the code, built by Sphinx."""
