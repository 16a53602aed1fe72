"""Whether the allocations of a cluster are legal, whoever made them: each is held against its devices."""
