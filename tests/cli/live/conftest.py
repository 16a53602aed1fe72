"""The cluster of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.fake_kubectl import FakeKubectl


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    """A kubectl that answers for the quick start."""
    return FakeKubectl(tmp_path, monkeypatch)
