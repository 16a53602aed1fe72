"""Findings as JUnit XML: a suite a file, a test for each object with findings.

An error is a failure; warnings and infos stand in the output of the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from dractl.finding import Finding, ObjectRef, Severity
from dractl.lint.report import Report
from dractl.report.ci.junit import clean, document
from dractl.report.ci.region import shown

__all__ = ["render"]

_Tests = dict[ObjectRef | None, list[Finding]]


def render(report: Report) -> str:
    """The findings as an XML document. Objects without any finding are one test, so that counts are true."""
    suites: dict[str, _Tests] = {}
    for finding in shown(report.listed):
        file = finding.location.file if finding.location else ""
        suites.setdefault(file, {}).setdefault(finding.object, []).append(finding)
    tests = sum(map(len, suites.values()))
    well = max(report.summary.objects - tests, 0)
    failures = sum(map(_is_failure, (found for suite in suites.values() for found in suite.values())))
    root = ET.Element(
        "testsuites", name="dractl validate", tests=str(tests + bool(well)), failures=str(failures)
    )
    if well:
        suite = ET.SubElement(root, "testsuite", name="dractl validate", tests="1", failures="0")
        plural = "" if well == 1 else "s"
        ET.SubElement(suite, "testcase", name=f"{well} object{plural} without findings", classname="dractl")
    for file, entries in suites.items():
        failed = sum(map(_is_failure, entries.values()))
        counts = {"tests": str(len(entries)), "failures": str(failed)}
        suite = ET.SubElement(root, "testsuite", {"name": clean(file), **counts})
        for about, findings in entries.items():
            _test(suite, file, about, findings)
    return document(root)


def _is_failure(findings: Sequence[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _test(suite: ET.Element, file: str, about: ObjectRef | None, findings: Sequence[Finding]) -> None:
    name = "document" if about is None else " ".join(filter(None, (about.kind, _name(about))))
    line = next((one.location.line for one in findings if one.location and one.location.line), 1)
    test = ET.SubElement(
        suite, "testcase", name=clean(name), classname=clean(file), file=clean(file), line=str(line)
    )
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    others = [finding for finding in findings if finding.severity is not Severity.ERROR]
    if errors:
        first = errors[0]
        failure = ET.SubElement(test, "failure", type=first.narrowest, message=clean(first.message))
        failure.text = clean("\n".join(map(_line, errors)))
    if others:
        ET.SubElement(test, "system-out").text = clean("\n".join(map(_line, others)))


def _name(about: ObjectRef) -> str:
    return "/".join(filter(None, (about.namespace, about.name)))


def _line(finding: Finding) -> str:
    where = finding.location
    place = f"{where.file}:{where.line}:{where.column}: " if where is not None and where.line else ""
    return f"{place}{finding.severity.value}: {finding.sentence} [{finding.narrowest}]"
