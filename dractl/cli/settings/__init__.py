"""Options from configuration files and environment variables, for what a command line leaves open."""
