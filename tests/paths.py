"""Where the tests find the repository and what stands in it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
