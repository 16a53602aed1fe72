"""The formats of each command: a row for each name that ``--format`` takes, with its writer.

What a format leaves out is decided here, before its writer runs. A writer loads its module when it is called,
because a run needs one format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from dractl.report.style import Style

if TYPE_CHECKING:
    from dractl.advisories.listing import Listing
    from dractl.api.gates import GateSet
    from dractl.auditing.model import Audit
    from dractl.conversion.result import Conversion
    from dractl.diffing.model import Diff
    from dractl.drivers.model import DriverCheck
    from dractl.lint.field_pages import FieldPages
    from dractl.lint.pages import Page
    from dractl.lint.report import Report
    from dractl.migrating.model import Migration
    from dractl.observing.agreement import Replay
    from dractl.scenario.runner import Played
    from dractl.simulation.engine.report import Simulation
    from dractl.sizing.model import Size
    from dractl.testing.runner import Results
    from dractl.upgrading.model import Plan
    from dractl.workflows.cel import Examination
    from dractl.workflows.matrix import Matrix
    from dractl.workflows.possible import Possible
    from dractl.workflows.questions import Why

__all__ = [
    "ADVISORIES",
    "AUDIT",
    "CEL",
    "COMMANDS",
    "CONVERT",
    "DIFF",
    "DRIVER_CHECK",
    "EXPLAIN",
    "GATES",
    "MIGRATE",
    "POSSIBLE",
    "REPLAY",
    "RULE",
    "RULES",
    "SCENARIO",
    "SIMULATE",
    "SIZE",
    "TEST",
    "UPGRADE",
    "VALIDATE",
    "VALIDATE_RANGE",
    "WHY",
    "Answers",
    "Checked",
    "Format",
    "View",
    "help_text",
    "metavar",
    "names",
]

Result = TypeVar("Result")


class View(NamedTuple):
    """How a result is shown: colours and width, and whether with more than what makes the exit code not 0."""

    style: Style
    summary: bool = True


class Answers(NamedTuple):
    """Why some pods and claims wait; ``is_list``: everything that is pending was asked for.

    ``simulation`` is the one that they come from.
    """

    answers: list[Why]
    is_list: bool
    simulation: Simulation | None = None


class Checked(NamedTuple):
    """The check of a driver, and whether its text has every fact with its places.

    ``is_strict``: warnings make the exit code 1 too.
    """

    found: DriverCheck
    is_verbose: bool = False
    is_strict: bool = False


class Format(NamedTuple, Generic[Result]):
    """A format of a command: its name, what ``--help`` calls it, and its writer.

    A document is for programs: ``--quiet`` leaves nothing out of it. ``extra`` is the optional dependency of
    dractl that the writer needs, ``module`` the one that it imports.
    """

    name: str
    about: str
    write: Callable[[Result, View], str]
    is_document: bool = False
    extra: str = ""
    module: str = ""

    @property
    def is_missing(self) -> str:
        """What to install before the writer can run; empty if nothing is missing."""
        from importlib.util import find_spec  # few formats need a module that may be missing

        if not self.module or find_spec(self.module) is not None:
            return ""
        return f"requires {self.module}; run: pip install 'dractl[{self.extra}]'"

    def render(
        self,
        result: Result,
        style: Style,
        *,
        quiet: bool = False,
        failing: Callable[[Result], Result] | None = None,
    ) -> str:
        """The text of ``result``; if ``quiet``, of what ``failing`` keeps of it, unless it is a document."""
        if self.is_document or not quiet:
            return self.write(result, View(style))
        return self.write(result if failing is None else failing(result), View(style, summary=False))


def names(formats: Sequence[Format[Result]]) -> tuple[str, ...]:
    """The names that ``--format`` takes; the first one is the default."""
    return tuple(row.name for row in formats)


_FEW = 3
"""So many formats fit the place of the value in ``--help``, which then needs no list of names."""


def metavar(formats: Sequence[Format[Result]]) -> str:
    """What ``--help`` shows for the value of ``--format``: the names of a few formats, or one word."""
    listed = names(formats)
    return f"{'|'.join(listed) if len(listed) <= _FEW else 'FORMAT'}[=FILE]"


def help_text(formats: Sequence[Format[Result]], *, several: bool = True) -> str:
    """The sentence of ``--help``: ``Print text, or a JSON document, or write it to FILE; repeatable.``.

    ``several``: the option takes more than one format, and a file for each. Many formats are listed by their
    names, because the place of the value does not have them.
    """
    listed = names(formats)
    *first, last = listed if len(listed) > _FEW else (row.about for row in formats)
    comma = "" if len(listed) > _FEW else ","
    text = f"{', '.join(first)}{comma} or {last}" if first else last
    return f"Print {text}, or write it to FILE; repeatable." if several else f"Print {text}."


def _json(
    result: (
        Report
        | Matrix
        | Simulation
        | Played
        | Audit
        | Possible
        | Plan
        | Migration
        | Listing
        | Size
        | Diff
        | Replay
    ),
    _: View,
) -> str:
    from dractl.report import json_

    return json_.render(result.to_dict())


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


def _placements(simulation: Simulation, view: View) -> str:
    from dractl.report import placements

    return placements.render(simulation, view.style, summary=view.summary)


def _objects(simulation: Simulation, _: View) -> str:
    from dractl.report import objects

    return objects.render(simulation.objects)


def _states(played: Played, view: View) -> str:
    from dractl.report import scenario

    return scenario.render(played, view.style, summary=view.summary)


def _last_objects(played: Played, view: View) -> str:
    return _objects(played.last, view)


def _audit(audit: Audit, view: View) -> str:
    from dractl.report import audit as text

    return text.render(audit, view.style, summary=view.summary)


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


def _advisories(listing: Listing, view: View) -> str:
    from dractl.report.changes import advisories as text

    return text.render(listing, view.style)


def _size(size: Size, view: View) -> str:
    from dractl.report.sizes import text

    return text.render(size, view.style, summary=view.summary)


def _metrics(size: Size, _: View) -> str:
    from dractl.report.sizes import prometheus

    return prometheus.render(size)


def _verdicts(results: Results, view: View) -> str:
    from dractl.report import verdicts

    return verdicts.render(results, view.style, summary=view.summary)


def _junit(results: Results, _: View) -> str:
    from dractl.report.ci import verdicts_junit

    return verdicts_junit.render(results)


def _verdicts_json(results: Results, _: View) -> str:
    from dractl.report import json_
    from dractl.testing.runner import document

    return json_.render(document(results))


def _expressions(examination: Examination, view: View) -> str:
    from dractl.report import expressions

    texts = (
        expressions.render(each, view.style, named=examination.is_named, quiet=not view.summary)
        for each in examination.expressions
    )
    return "\n".join(filter(None, texts))


def _expressions_json(examination: Examination, _: View) -> str:
    from dractl.report import json_
    from dractl.workflows.cel import document

    return json_.render(document(examination.gates, examination.expressions))


def _possible(possible: Possible, view: View) -> str:
    from dractl.report import possible as text

    return text.render(possible, view.style, summary=view.summary)


def _driver(checked: Checked, view: View) -> str:
    from dractl.report import driver

    if view.summary:
        return driver.render(checked.found, view.style, verbose=checked.is_verbose)
    return driver.render_failing(
        checked.found, view.style, strict=checked.is_strict, verbose=checked.is_verbose
    )


def _driver_json(checked: Checked, _: View) -> str:
    from dractl.report import json_

    return json_.render(checked.found.to_dict())


def _why(found: Answers, view: View) -> str:
    from dractl.report import why

    return why.render(found.answers, view.style, summary=view.summary)


def _why_json(found: Answers, _: View) -> str:
    from dractl.report import json_
    from dractl.workflows.questions import document_of

    return json_.render(document_of(found.answers, is_list=found.is_list))


def _converted(conversion: Conversion, _: View) -> str:
    return conversion.text


def _converted_json(conversion: Conversion, _: View) -> str:
    from dractl.report import json_, losses

    return json_.render(losses.document(conversion))


def _page(page: Page, view: View) -> str:
    from dractl.report.reference import pages

    return pages.render(page, view.style)


def _page_json(page: Page, view: View) -> str:
    return _pages_json([page], view)


def _pages(pages: list[Page], view: View) -> str:
    from dractl.report.reference.pages import render_list

    return render_list(pages, view.style)


def _pages_json(pages: list[Page], _: View) -> str:
    from dractl.lint.pages import document
    from dractl.report import json_

    return json_.render(document(pages))


def _fields(found: FieldPages, view: View) -> str:
    from dractl.report.reference.fields import render

    return render(found.pages, view.style)


def _fields_json(found: FieldPages, _: View) -> str:
    from dractl.lint.field_pages import document
    from dractl.report import json_

    return json_.render(document(found))


def _gates(gates: GateSet, view: View) -> str:
    from dractl.report.reference import gates as text

    return text.render(gates, view.style)


def _gates_json(gates: GateSet, _: View) -> str:
    from dractl.report import json_
    from dractl.report.reference.gates import document

    return json_.render(document(gates))


def _simulation_page(simulation: Simulation, _: View) -> str:
    from dractl.report.html import simulation as view
    from dractl.report.html.render import render

    return render(view.page(simulation))


def _scenario_page(played: Played, _: View) -> str:
    from dractl.report.html import scenario as view
    from dractl.report.html.render import render

    return render(view.page(played))


def _why_page(found: Answers, _: View) -> str:
    from dractl.report.html import why as view
    from dractl.report.html.render import render

    return render(view.page(found.answers, found.simulation, is_list=found.is_list))


def _size_page(size: Size, _: View) -> str:
    from dractl.report.html import size as view
    from dractl.report.html.render import render

    return render(view.page(size))


def _plan_page(plan: Plan, _: View) -> str:
    from dractl.report.html import upgrade as view
    from dractl.report.html.render import render

    return render(view.page(plan))


def _audit_page(audit: Audit, _: View) -> str:
    from dractl.report.html import audit as view
    from dractl.report.html.render import render

    return render(view.page(audit))


def _replay(replay: Replay, view: View) -> str:
    from dractl.report.live import replay as text

    return text.render(replay, view.style, summary=view.summary)


_TEXT = "text"
_DOCUMENT = "a JSON document"
_YAML = "the objects with their new status (YAML)"
_PAGE = "an HTML page"


def _html(write: Callable[[Result, View], str]) -> Format[Result]:
    return Format("html", _PAGE, write, is_document=True, extra="html", module="jinja2")


VALIDATE: tuple[Format[Report], ...] = (
    Format("text", _TEXT, _findings),
    Format("json", _DOCUMENT, _json, is_document=True),
    Format("sarif", "SARIF 2.1.0", _sarif, is_document=True),
    Format("junit", "JUnit XML", _findings_junit, is_document=True),
    Format("github", "annotations for GitHub", _annotations, is_document=True),
    Format("gitlab", "a report for GitLab Code Quality", _code_quality, is_document=True),
    Format("markdown", "a Markdown summary", _markdown, is_document=True),
)

VALIDATE_RANGE: tuple[Format[Matrix], ...] = (
    Format("text", _TEXT, _matrix),
    Format("json", _DOCUMENT, _json, is_document=True),
)
"""The formats of ``validate`` that can show a range of minors."""

SIMULATE: tuple[Format[Simulation], ...] = (
    Format("table", "a table", _placements),
    Format("json", _DOCUMENT, _json, is_document=True),
    Format("yaml", _YAML, _objects, is_document=True),
    _html(_simulation_page),
)

SCENARIO: tuple[Format[Played], ...] = (
    Format("table", "a table", _states),
    Format("json", _DOCUMENT, _json, is_document=True),
    Format("yaml", _YAML, _last_objects, is_document=True),
    _html(_scenario_page),
)
"""The formats of ``simulate`` with a scenario: the same names."""

AUDIT: tuple[Format[Audit], ...] = (
    Format("text", _TEXT, _audit),
    Format("json", _DOCUMENT, _json, is_document=True),
    _html(_audit_page),
)

WHY: tuple[Format[Answers], ...] = (
    Format("text", _TEXT, _why),
    Format("json", _DOCUMENT, _why_json, is_document=True),
    _html(_why_page),
)

MIGRATE: tuple[Format[Migration], ...] = (
    Format("text", _TEXT, _migration),
    Format("json", _DOCUMENT, _json, is_document=True),
)

UPGRADE: tuple[Format[Plan], ...] = (
    Format("text", _TEXT, _plan),
    Format("json", _DOCUMENT, _json, is_document=True),
    _html(_plan_page),
)

DIFF: tuple[Format[Diff], ...] = (
    Format("text", _TEXT, _diff),
    Format("json", _DOCUMENT, _json, is_document=True),
    Format("markdown", "Markdown for a comment on a pull request", _diff_markdown, is_document=True),
)

ADVISORIES: tuple[Format[Listing], ...] = (
    Format("text", _TEXT, _advisories),
    Format("json", _DOCUMENT, _json, is_document=True),
)

SIZE: tuple[Format[Size], ...] = (
    Format("text", _TEXT, _size),
    Format("json", _DOCUMENT, _json, is_document=True),
    Format("prometheus", "metrics of Prometheus", _metrics, is_document=True),
    _html(_size_page),
)

TEST: tuple[Format[Results], ...] = (
    Format("text", _TEXT, _verdicts),
    Format("junit", "JUnit XML", _junit, is_document=True),
    Format("json", _DOCUMENT, _verdicts_json, is_document=True),
)

CEL: tuple[Format[Examination], ...] = (
    Format("text", _TEXT, _expressions),
    Format("json", _DOCUMENT, _expressions_json, is_document=True),
)

POSSIBLE: tuple[Format[Possible], ...] = (
    Format("text", _TEXT, _possible),
    Format("json", _DOCUMENT, _json, is_document=True),
)

DRIVER_CHECK: tuple[Format[Checked], ...] = (
    Format("text", _TEXT, _driver),
    Format("json", _DOCUMENT, _driver_json, is_document=True),
)

CONVERT: tuple[Format[Conversion], ...] = (
    Format("yaml", "the converted files", _converted),
    Format("json", _DOCUMENT, _converted_json, is_document=True),
)

RULE: tuple[Format[Page], ...] = (
    Format("text", _TEXT, _page),
    Format("json", _DOCUMENT, _page_json, is_document=True),
)

EXPLAIN: tuple[Format[FieldPages], ...] = (
    Format("text", _TEXT, _fields),
    Format("json", _DOCUMENT, _fields_json, is_document=True),
)

RULES: tuple[Format[list[Page]], ...] = (
    Format("text", _TEXT, _pages),
    Format("json", _DOCUMENT, _pages_json, is_document=True),
)

GATES: tuple[Format[GateSet], ...] = (
    Format("text", _TEXT, _gates),
    Format("json", _DOCUMENT, _gates_json, is_document=True),
)

REPLAY: tuple[Format[Replay], ...] = (
    Format("text", _TEXT, _replay),
    Format("json", _DOCUMENT, _json, is_document=True),
)

COMMANDS: Mapping[str, Sequence[Format[Any]]] = {
    "validate": VALIDATE,
    "simulate": SIMULATE,
    "audit": AUDIT,
    "why": WHY,
    "upgrade": UPGRADE,
    "migrate": MIGRATE,
    "diff": DIFF,
    "advisories": ADVISORIES,
    "size": SIZE,
    "test": TEST,
    "cel": CEL,
    "possible": POSSIBLE,
    "driver check": DRIVER_CHECK,
    "convert": CONVERT,
    "explain": EXPLAIN,
    "rule": RULE,
    "rules": RULES,
    "gates": GATES,
    "replay": REPLAY,
}
"""The commands that have ``--format``, with their rows."""
