"""The playground that tests open: $DRACTL_BUILT_PLAYGROUND, or one that is built for them."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tools.playground.build import build
from tools.playground.pyodide import MissingError, fetch


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a playground; the test is skipped where npm, Node.js or Pyodide cannot be had."""
    built = os.environ.get("DRACTL_BUILT_PLAYGROUND")
    if built:
        return Path(built)
    # The processes of one run share the folder above their own.
    is_shared = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if is_shared else base) / "playground"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            try:
                build(fetch(tmp_path_factory.mktemp("npm")), folder)
            except MissingError as error:
                pytest.skip(f"the playground cannot be built here: {error}")
    return folder
