"""What became of expectations, as JUnit XML: a suite a file, a test a case and minor."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from dractl.api import characters
from dractl.report.ci.junit import clean, document
from dractl.report.verdicts import change_lines
from dractl.scenario.reading import Faulty
from dractl.testing.runner import CaseResult, Failure, Results
from dractl.workflows.refusals import reason

__all__ = ["render"]


def render(results: Results) -> str:
    """The results as an XML document; a file that cannot be used is an error."""
    tried, faulty = results.tried, results.faulty
    failed, tests = sum(not entry.ok for entry in tried), len(tried) + len(faulty)
    root = ET.Element("testsuites", name="dractl test", tests=str(tests), failures=str(failed))
    if faulty:
        root.set("errors", str(len(faulty)))
    suites: dict[str, list[CaseResult]] = {}
    for entry in tried:
        suites.setdefault(entry.case.document.file, []).append(entry)
    for file, entries in suites.items():
        suite = _suite(root, file, len(entries), failures=sum(not entry.ok for entry in entries))
        for entry in entries:
            _case(suite, entry)
    for file, found in faulty.items():
        _error(_suite(root, file, 1, errors=1), file, found)
    return document(root)


def _suite(root: ET.Element, file: str, tests: int, *, failures: int = 0, errors: int = 0) -> ET.Element:
    counts = {"tests": str(tests), "failures": str(failures), "errors": str(errors)}
    return ET.SubElement(root, "testsuite", {"name": clean(file), **counts})


def _error(suite: ET.Element, file: str, faulty: Faulty) -> None:
    """A file that cannot be used, as a test that could not run."""
    name = clean(file)
    case = ET.SubElement(suite, "testcase", name=name, classname=name, file=name)
    wrong = [reason(found) for found in faulty.findings]
    if faulty.error is not None:
        wrong.append(f"{characters.path_shown(faulty.error.path)}: {faulty.error.message}")
    first = faulty.error.message if faulty.error is not None else faulty.findings[0].message
    error = ET.SubElement(case, "error", type="format", message=clean(first))
    error.text = clean("\n".join(wrong))


def _case(suite: ET.Element, entry: CaseResult) -> None:
    file, line = entry.case.document.file, entry.case.place.line
    case = ET.SubElement(
        suite, "testcase", name=clean(entry.name), classname=clean(file), file=clean(file), line=str(line)
    )
    if entry.failures:
        subjects = list(dict.fromkeys(failure.mismatch.subject for failure in entry.failures))
        failure = ET.SubElement(case, "failure", type="mismatch", message=clean(", ".join(subjects)))
        failure.text = clean("\n\n".join(map(_text, entry.failures)))


def _text(failure: Failure) -> str:
    mismatch, place = failure.mismatch, failure.place
    where = f"{characters.path_shown(place.file)}:{place.line}:{place.column}"
    lines = [f"{where}: {mismatch.subject} is not as expected"]
    lines += change_lines(mismatch.changes, len(mismatch.steps))
    return "\n".join([*lines, *([f"because {mismatch.note}"] if mismatch.note else [])])
