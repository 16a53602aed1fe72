"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import sys

from hypothesis import settings

# Without bytecode each worker rewrites all tests, and each process that a test starts compiles dractl, which
# takes longer than what most of them do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says more about the machine and its load than about the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# Each worker makes all tests at its start, and none of them is garbage before its end: looking for some takes
# a quarter of that time.
gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector look at what the tests make, and no more at the tests themselves."""
    gc.freeze()
    gc.enable()
