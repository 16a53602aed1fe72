"""Small git repositories for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, and answer what it prints."""
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *settings, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def new_repository(folder: Path) -> None:
    """Make an empty repository."""
    git(folder, "init", "-q", "-b", "main")


def commit_all(folder: Path) -> None:
    """Commit whatever is in the working tree."""
    git(folder, "add", "-A", "-f", ".")
    git(folder, "commit", "-qm", "a commit")
