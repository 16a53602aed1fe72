"""What became of expectations, as JUnit XML: a suite a file, a test a case and minor.

The format is four elements, which the standard library writes; a library for it would be one more thing to
install wherever dractl is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from dractl.rehearsal.trial import Failure, Tried
from dractl.report.verdicts import change_lines

__all__ = ["render"]

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no XML document may hold, not even escaped."""


def render(tried: Sequence[Tried]) -> str:
    """The results as an XML document."""
    failed = sum(not entry.ok for entry in tried)
    root = ET.Element("testsuites", name="dractl test", tests=str(len(tried)), failures=str(failed))
    suites: dict[str, list[Tried]] = {}
    for entry in tried:
        suites.setdefault(entry.case.document.file, []).append(entry)
    for file, entries in suites.items():
        failed = sum(not entry.ok for entry in entries)
        suite = ET.SubElement(
            root, "testsuite", name=_clean(file), tests=str(len(entries)), failures=str(failed), errors="0"
        )
        for entry in entries:
            _case(suite, entry)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(suite: ET.Element, entry: Tried) -> None:
    file, line = entry.case.document.file, entry.case.place.line
    case = ET.SubElement(
        suite, "testcase", name=_clean(entry.name), classname=_clean(file), file=_clean(file), line=str(line)
    )
    if entry.failures:
        subjects = list(dict.fromkeys(failure.mismatch.subject for failure in entry.failures))
        failure = ET.SubElement(case, "failure", type="mismatch", message=_clean(", ".join(subjects)))
        failure.text = _clean("\n\n".join(map(_text, entry.failures)))


def _text(failure: Failure) -> str:
    mismatch, place = failure.mismatch, failure.place
    lines = [f"{place.file}:{place.line}:{place.column}: {mismatch.subject} is not as expected"]
    lines += change_lines(mismatch.changes, len(mismatch.steps))
    return "\n".join([*lines, *([f"because {mismatch.note}"] if mismatch.note else [])])


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
