"""What to do about errors of Go: which file of the oracle needs another form for the new minor."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from tools.kubernetes.releases import Release

_ERROR = re.compile(r"^(?:\./|vet: )?(?P<file>[\w/]+\.go):\d+:\d+: (?P<message>.*)$", re.MULTILINE)
_SUFFIX = re.compile(r"_(?P<minor>\d{3})\.go$")
_OLD_GO = re.compile(r"requires go >= (?P<needed>[\d.]+)(?: \(running go (?P<running>[\w.]+))?")


def advice(errors: str, release: Release) -> Iterator[str]:
    """Sentences about what Go wrote while it built the oracle of ``release``."""
    found = _OLD_GO.search(errors)
    if found is not None:
        yield f"install Go {found['needed']}, and name it with --go; this one is too old"
    files: dict[str, list[str]] = {}
    for match in _ERROR.finditer(errors):
        files.setdefault(match["file"], []).append(match["message"])
    for file, messages in files.items():
        first = textwrap.shorten(messages[0], 120, placeholder=" …")
        yield f"{file}: {_about(file, release)} ({len(messages)} errors; {first})"


def _about(file: str, release: Release) -> str:
    number = release.minor.replace(".", "")
    match = _SUFFIX.search(file)
    if match is None:
        return f"move what differs into one file for older minors and one named …_{number}.go"
    if match["minor"] == number:
        return "adapt it"
    copied = _SUFFIX.sub(f"_{number}.go", file).rpartition("/")[2]
    return f"copy it to {copied}, adapt the copy, and add && !kube{release.minor} to the old //go:build line"
