"""Options from configuration files and environment variables, for what a command line leaves open."""

from __future__ import annotations

__all__ = ["OWN_NAME", "SHARED_NAME"]

OWN_NAME, SHARED_NAME = "dractl.toml", "pyproject.toml"
