"""What a benchmark is given: how often to measure, how much, beside which programs, and where to write."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from benchmarks.peers import Peers

__all__ = ["Settings"]


class Settings(NamedTuple):
    """``runs`` are paired runs; ``percent`` is the part of the full size; ``folder`` is a temporary one."""

    runs: int
    percent: int
    peers: Peers
    folder: Path

    def scaled(self, size: int) -> int:
        """A size, or the part of it that is wanted; at least one."""
        return max(1, size * self.percent // 100)
