"""A path that counts how often it is read."""

from __future__ import annotations

import os
from pathlib import Path


class CountingPath(os.PathLike[str]):
    """Stands for a file; asked once each time somebody opens it by this object."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.asked = 0

    def __fspath__(self) -> str:
        self.asked += 1
        return str(self._path)
