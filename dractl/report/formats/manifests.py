"""The formats of the commands about manifests and drivers: rows and their writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.records import NamedTuple
from dractl.report.formats.format import Format, View, html_format, json_format, to_json

if TYPE_CHECKING:
    from dractl.conversion.result import Conversion
    from dractl.diffing.model import Diff
    from dractl.drivers.model import DriverCheck
    from dractl.lint.report import Report
    from dractl.migrating.model import Migration
    from dractl.upgrading.model import Plan
    from dractl.workflows.cel import Examination
    from dractl.workflows.matrix import Matrix

__all__ = [
    "CEL",
    "CONVERT",
    "DIFF",
    "DRIVER_CHECK",
    "MIGRATE",
    "UPGRADE",
    "VALIDATE",
    "VALIDATE_RANGE",
    "Checked",
]


class Checked(NamedTuple):
    """The check of a driver, and whether its text has every fact with its places.

    ``is_strict``: warnings make the exit code 1 too.
    """

    found: DriverCheck
    is_verbose: bool = False
    is_strict: bool = False


def _findings(report: Report, view: View) -> str:
    from dractl.report import text

    return text.render(report, view.style, summary=view.summary)


def _sarif(report: Report, _: View) -> str:
    from dractl.report.ci import sarif

    return sarif.render(report)


def _findings_junit(report: Report, _: View) -> str:
    from dractl.report.ci import findings_junit

    return findings_junit.render(report)


def _annotations(report: Report, _: View) -> str:
    from dractl.report.ci import annotations

    return annotations.render(report)


def _code_quality(report: Report, _: View) -> str:
    from dractl.report.ci import code_quality

    return code_quality.render(report)


def _markdown(report: Report, _: View) -> str:
    from dractl.report.ci import markdown

    return markdown.render(report)


def _matrix(matrix: Matrix, view: View) -> str:
    from dractl.report import matrix as text

    return text.render(matrix, view.style, summary=view.summary)


def _migration(migration: Migration, view: View) -> str:
    from dractl.report.changes import migration as writer

    return writer.render(migration, view.style, summary=view.summary)


def _plan(plan: Plan, view: View) -> str:
    from dractl.report.changes import plan as text

    return text.render(plan, view.style, summary=view.summary)


def _diff(diff: Diff, view: View) -> str:
    from dractl.report.changes import diff as text

    return text.render(diff, view.style, summary=view.summary)


def _diff_markdown(diff: Diff, _: View) -> str:
    from dractl.report.changes import diff_markdown

    return diff_markdown.render(diff)


def _expressions(examination: Examination, view: View) -> str:
    from dractl.report import expressions

    texts = (
        expressions.render(each, view.style, named=examination.is_named, quiet=not view.summary)
        for each in examination.expressions
    )
    return "\n".join(filter(None, texts))


def _driver(checked: Checked, view: View) -> str:
    from dractl.report import driver

    if view.summary:
        return driver.render(checked.found, view.style, verbose=checked.is_verbose)
    return driver.render_failing(
        checked.found, view.style, strict=checked.is_strict, verbose=checked.is_verbose
    )


def _driver_json(checked: Checked, view: View) -> str:
    return to_json(checked.found, view)


def _converted(conversion: Conversion, _: View) -> str:
    return conversion.text


def _converted_json(conversion: Conversion, _: View) -> str:
    from dractl.report import json_, losses

    return json_.render(losses.document(conversion))


def _plan_page(plan: Plan, _: View) -> str:
    from dractl.report.html import upgrade as view
    from dractl.report.html.render import render

    return render(view.page(plan))


_TEXT = "text"

VALIDATE: tuple[Format[Report], ...] = (
    Format("text", _TEXT, _findings),
    json_format(to_json),
    Format("sarif", "SARIF 2.1.0", _sarif, is_document=True),
    Format("junit", "JUnit XML", _findings_junit, is_document=True),
    Format("github", "annotations for GitHub", _annotations, is_document=True),
    Format("gitlab", "a report for GitLab Code Quality", _code_quality, is_document=True),
    Format("markdown", "a Markdown summary", _markdown, is_document=True),
)

VALIDATE_RANGE: tuple[Format[Matrix], ...] = (
    Format("text", _TEXT, _matrix),
    json_format(to_json),
)
"""The formats of ``validate`` that can show a range of minors."""

CONVERT: tuple[Format[Conversion], ...] = (
    Format("yaml", "the converted files", _converted),
    json_format(_converted_json),
)

MIGRATE: tuple[Format[Migration], ...] = (
    Format("text", _TEXT, _migration),
    json_format(to_json),
)

UPGRADE: tuple[Format[Plan], ...] = (
    Format("text", _TEXT, _plan),
    json_format(to_json),
    html_format(_plan_page),
)

DIFF: tuple[Format[Diff], ...] = (
    Format("text", _TEXT, _diff),
    json_format(to_json),
    Format("markdown", "Markdown for a comment on a pull request", _diff_markdown, is_document=True),
)

CEL: tuple[Format[Examination], ...] = (
    Format("text", _TEXT, _expressions),
    json_format(to_json),
)

DRIVER_CHECK: tuple[Format[Checked], ...] = (
    Format("text", _TEXT, _driver),
    json_format(_driver_json),
)
