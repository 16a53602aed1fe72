"""Commands about a whole cluster, each with the options that it declares."""
