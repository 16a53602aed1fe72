"""The formats of the commands about clusters: rows and their writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.records import NamedTuple
from dractl.report.formats.format import Format, View, html_format, json_format, to_json

if TYPE_CHECKING:
    from dractl.auditing.model import Audit
    from dractl.observing.agreement import Replay
    from dractl.scenario.runner import Played
    from dractl.simulation.engine.report import Simulation
    from dractl.sizing.model import Size
    from dractl.testing.runner import Results
    from dractl.workflows.possible import Possible
    from dractl.workflows.questions import Why
    from dractl.workflows.ranges.answers import WhyMatrix
    from dractl.workflows.ranges.simulations import SimulationMatrix

__all__ = [
    "AUDIT",
    "POSSIBLE",
    "REPLAY",
    "SCENARIO",
    "SIMULATE",
    "SIMULATE_RANGE",
    "SIZE",
    "TEST",
    "WHY",
    "WHY_RANGE",
    "Answers",
]


class Answers(NamedTuple):
    """Why some pods and claims wait; ``is_list``: everything that is pending was asked for.

    ``simulation`` is the one that they come from.
    """

    answers: list[Why]
    is_list: bool
    simulation: Simulation | None = None


def _placements(simulation: Simulation, view: View) -> str:
    from dractl.report import placements

    return placements.render(simulation, view.style, summary=view.summary)


def _placements_of_range(matrix: SimulationMatrix, view: View) -> str:
    from dractl.report.ranges import simulation

    return simulation.render(matrix, view.style, summary=view.summary)


def _why_of_range(matrix: WhyMatrix, view: View) -> str:
    from dractl.report.ranges import why

    return why.render(matrix, view.style, summary=view.summary)


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


def _possible(possible: Possible, view: View) -> str:
    from dractl.report import possible as text

    return text.render(possible, view.style, summary=view.summary)


def _why(found: Answers, view: View) -> str:
    from dractl.report import why

    return why.render(found.answers, view.style, summary=view.summary)


def _why_json(found: Answers, _: View) -> str:
    from dractl.report import json_
    from dractl.workflows.questions import document_of

    return json_.render(document_of(found.answers, is_list=found.is_list))


def _simulation_page(simulation: Simulation, shown: View) -> str:
    from dractl.report.html import simulation as view
    from dractl.report.html.render import render

    return render(view.page(simulation), shown.link)


def _scenario_page(played: Played, shown: View) -> str:
    from dractl.report.html import scenario as view
    from dractl.report.html.render import render

    return render(view.page(played), shown.link)


def _why_page(found: Answers, shown: View) -> str:
    from dractl.report.html import why as view
    from dractl.report.html.render import render

    return render(view.page(found.answers, found.simulation, is_list=found.is_list), shown.link)


def _size_page(size: Size, _: View) -> str:
    from dractl.report.html import size as view
    from dractl.report.html.render import render

    return render(view.page(size))


def _audit_page(audit: Audit, _: View) -> str:
    from dractl.report.html import audit as view
    from dractl.report.html.render import render

    return render(view.page(audit))


def _replay(replay: Replay, view: View) -> str:
    from dractl.report.live import replay as text

    return text.render(replay, view.style, summary=view.summary)


_TEXT = "text"
_YAML = "the objects with their new status (YAML)"
_TABLE = "a table"

SIMULATE: tuple[Format[Simulation], ...] = (
    Format("table", _TABLE, _placements),
    json_format(to_json),
    Format("yaml", _YAML, _objects, is_document=True),
    html_format(_simulation_page),
)

SIMULATE_RANGE: tuple[Format[SimulationMatrix], ...] = (
    Format("table", _TABLE, _placements_of_range),
    json_format(to_json),
)
"""The formats of ``simulate`` that can show a range of minors."""

SCENARIO: tuple[Format[Played], ...] = (
    Format("table", _TABLE, _states),
    json_format(to_json),
    Format("yaml", _YAML, _last_objects, is_document=True),
    html_format(_scenario_page),
)
"""The formats of ``simulate`` with a scenario: the same names."""

WHY: tuple[Format[Answers], ...] = (
    Format("text", _TEXT, _why),
    json_format(_why_json),
    html_format(_why_page),
)

WHY_RANGE: tuple[Format[WhyMatrix], ...] = (
    Format("text", _TEXT, _why_of_range),
    json_format(to_json),
)
"""The formats of ``why`` that can show a range of minors."""

SIZE: tuple[Format[Size], ...] = (
    Format("text", _TEXT, _size),
    json_format(to_json),
    Format("prometheus", "metrics of Prometheus", _metrics, is_document=True),
    html_format(_size_page),
)

AUDIT: tuple[Format[Audit], ...] = (
    Format("text", _TEXT, _audit),
    json_format(to_json),
    html_format(_audit_page),
)

POSSIBLE: tuple[Format[Possible], ...] = (
    Format("text", _TEXT, _possible),
    json_format(to_json),
)

TEST: tuple[Format[Results], ...] = (
    Format("text", _TEXT, _verdicts),
    Format("junit", "JUnit XML", _junit, is_document=True),
    json_format(to_json),
)

REPLAY: tuple[Format[Replay], ...] = (
    Format("text", _TEXT, _replay),
    json_format(to_json),
)
