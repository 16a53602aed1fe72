"""Writers of the files that shells and ``man`` read, made of the same declarations as ``--help``."""
