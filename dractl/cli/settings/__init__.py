"""Options from configuration files and environment variables, for what a command line leaves open."""

from __future__ import annotations

__all__ = ["CONFIG", "OWN_NAME", "PREFIX", "SHARED_NAME", "TRACEBACK"]

OWN_NAME, SHARED_NAME = "dractl.toml", "pyproject.toml"

PREFIX = "DRACTL_"
"""The beginning of all environment variables that dractl reads."""

CONFIG, TRACEBACK = f"{PREFIX}CONFIG", f"{PREFIX}TRACEBACK"
"""The variables that name the configuration file, and print the traceback of an internal error."""
