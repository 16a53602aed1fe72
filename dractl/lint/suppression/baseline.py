"""A baseline: a file of findings that are known, so that only new ones fail."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator

from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Location, Severity
from dractl.lint.suppression.rules import STALE
from dractl.records import NamedTuple
from dractl.source.bounds import Opened, open_named
from dractl.source.document import Document
from dractl.source.load import load_bytes
from dractl.source.text import MAX_BYTES, SourceError
from dractl.source.walk import reason

__all__ = ["SCHEMA", "Baseline", "BaselineError", "read_baseline", "written"]

SCHEMA = "dractl.baseline/1"
_TEXTS = ("rule", "kind", "namespace", "name", "field", "file")


class BaselineError(ValueError):
    """A baseline that cannot be read, and why, with its place."""


class _Key(NamedTuple):
    """What a finding is recognized by, whatever line it is on: rule, object and field.

    A finding without a named object has its file instead.
    """

    rule: str
    kind: str
    namespace: str
    name: str
    field: str
    file: str


class _Entry(NamedTuple):
    """An entry of the file: how often the finding is known, in which file, and the place of the entry."""

    key: _Key
    file: str
    number: int
    place: Location


class Baseline:
    """The known findings; remembers which of them occurred."""

    def __init__(self, entries: Iterable[_Entry], folder: str) -> None:
        """Take ``entries``, whose files are relative to ``folder``."""
        self._entries = list(entries)
        self._folder = folder
        self._room: Counter[_Key] = Counter()
        for entry in self._entries:
            self._room[entry.key] += entry.number

    def knows(self, finding: Finding) -> bool:
        """Whether a finding is known; each entry counts as often as it says."""
        key = _key(finding, self._folder)
        if not _counts(finding) or self._room[key] <= 0:
            return False
        self._room[key] -= 1
        return True

    def findings(self, files: Iterable[str]) -> Iterator[Finding]:
        """The entries about these files, or files that are gone, whose finding did not occur."""
        seen = {_relative(file, self._folder) for file in files}
        for entry in self._entries:
            left = min(self._room[entry.key], entry.number)
            if left <= 0:
                continue
            path = os.path.join(self._folder, entry.file)  # noqa: PTH118 - only a name
            if entry.file not in seen and os.path.lexists(path):
                continue
            self._room[entry.key] -= left
            what = " ".join(filter(None, (entry.key.kind, entry.key.name))) or entry.file
            message = f"{entry.key.rule} of {what} does not occur any more"
            hint = "remove the entry, or write the baseline again with --write-baseline"
            yield Finding(STALE, Severity.WARNING, None, "", None, message, hint, (), None, entry.place)


def read_baseline(file: str) -> Baseline:
    """The baseline in ``file``; raises BaselineError if it is missing or not valid."""
    folder = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120 - a link stays what it is
    try:
        opened: Opened = open_named(file)
        with opened.file:
            data = opened.file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BaselineError(f"{file}: {reason(error)}") from None
    loaded = load_bytes(data, file)
    document = loaded[0] if len(loaded) == 1 else None
    if isinstance(document, SourceError):
        raise BaselineError(f"{file}:{document.line}:{document.column}: {document.message}")
    if document is None or not isinstance(document.value, dict):
        raise BaselineError(f"{file}: expected one JSON object with schema {SCHEMA}")
    if document.value.get("schema") != SCHEMA:
        raise BaselineError(f"{file}: schema must be {SCHEMA}; write it with --write-baseline")
    listed = document.value.get("findings")
    if not isinstance(listed, list):
        raise BaselineError(f"{file}: findings must be a list")
    return Baseline([_entry(document, number, entry) for number, entry in enumerate(listed)], folder)


def _entry(document: Document, number: int, entry: object) -> _Entry:
    line, column = document.locate_value(("findings", number)) or (1, 1)
    place = Location(document.file, line, column, document.source_line(line))
    if not isinstance(entry, dict):
        raise BaselineError(f"{document.file}:{line}: an entry must be an object")
    texts = {name: entry.get(name, "") for name in _TEXTS}
    count = entry.get("count", 1)
    for name, text in texts.items():
        if not isinstance(text, str):
            raise BaselineError(f"{document.file}:{line}: {name} must be a string")
    if not texts["rule"]:
        raise BaselineError(f"{document.file}:{line}: rule is required")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_BYTES:
        raise BaselineError(f"{document.file}:{line}: count must be a positive number")
    file = str(texts["file"])
    key = _Key(**{**texts, "file": "" if texts["name"] else file})
    return _Entry(key, file, count, place)


def written(findings: Iterable[Finding], file: str) -> str:
    """The text of a baseline of ``findings`` that is to be written to ``file``."""
    folder = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120
    counts: Counter[tuple[_Key, str]] = Counter()
    for finding in findings:
        if _counts(finding):
            where = _relative(finding.location.file, folder) if finding.location else ""
            counts[_key(finding, folder), where] += 1
    entries: list[JsonDict] = []
    for (key, where), count in sorted(counts.items()):
        entry: JsonDict = {name: text for name, text in key._replace(file=where)._asdict().items() if text}
        entries.append(entry | {"count": count} if count > 1 else entry)
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=2) + "\n"


def _counts(finding: Finding) -> bool:
    """Whether a baseline has such findings: not infos, which never fail, and not those about itself."""
    return finding.severity is not Severity.INFO and finding.rule != STALE


def _key(finding: Finding, folder: str) -> _Key:
    about = finding.object
    if about is None or not about.name:
        where = _relative(finding.location.file, folder) if finding.location else ""
        kind = about.kind if about else ""
        return _Key(finding.narrowest, kind, "", "", finding.field, where)
    return _Key(finding.narrowest, about.kind, about.namespace, about.name, finding.field, "")


def _relative(file: str, folder: str) -> str:
    """The path of a file as a baseline in ``folder`` has it, whatever the working folder is."""
    if file.startswith("<"):
        return file
    return os.path.relpath(os.path.abspath(file), folder).replace(os.sep, "/")  # noqa: PTH100
