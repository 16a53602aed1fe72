"""dractl for coding agents: a server of the Model Context Protocol on standard input and output."""
