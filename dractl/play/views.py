"""The views of the playground: a function each, from a world to the plain data that the page shows.

The documents are those of ``--format json``, made by the same functions as on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from dractl.api.json_types import JsonDict
from dractl.play.request import World
from dractl.simulation.engine.report import Simulation
from dractl.source.load import Loaded, load_text
from dractl.workflows import validate as validation
from dractl.workflows.mixed_input import findings_of_prototypes, simulate

__all__ = ["VIEWS"]


def _loaded(world: World) -> list[Loaded]:
    """The documents of all files. They are read for each view: validation may complete them in place."""
    return [item for file in world.files for item in load_text(file.text, file.name)]


@lru_cache(maxsize=1)
def _simulation(world: World) -> Simulation:
    """The simulation that three of the views show."""
    return simulate(_loaded(world), world.gates, None)


def _findings(world: World) -> JsonDict:
    """The document of ``dractl validate``, and which of its findings people see one by one."""
    loaded = _loaded(world)
    report = validation.validate(loaded, world.gates, None, (), prototypes=findings_of_prototypes(loaded))
    shown = {id(finding) for finding in report.listed}
    return {
        **report.to_dict(),
        "listed": [number for number, finding in enumerate(report.findings) if id(finding) in shown],
    }


def _placements(world: World) -> JsonDict:
    """The document of ``dractl simulate``, and its verdict in a sentence."""
    from dractl.report.placements import verdict

    simulation = _simulation(world)
    return {**simulation.to_dict(), "verdict": verdict(simulation)}


def _why(world: World) -> JsonDict:
    """The entries of ``dractl why`` for all that is Pending, each with the lines that the command prints."""
    from dractl.explanation.remedies.wording import remedy_lines
    from dractl.explanation.wording import lines
    from dractl.workflows.questions import Question, answer

    entries = []
    for found in answer(_simulation(world), world.gates, Question(None)):
        text = list(found.lines)
        if found.explanation is not None and found.like is None:
            text += [*lines(found.explanation), *remedy_lines(found.explanation, is_long=False)]
        entries.append({**found.to_dict(), "subject": found.subject, "like": found.like, "text": text})
    return {"pending": entries}


def _selectors(world: World) -> JsonDict:
    """Which devices each selector of the classes, claims and templates selects."""
    from dractl.play.selectors import table

    return table(_loaded(world), world.gates)


def _picture(world: World) -> JsonDict:
    """The picture of ``dractl simulate --format html`` as a page without a script; None without devices."""
    from dractl.report.html.model import Page
    from dractl.report.html.picture import picture
    from dractl.report.html.render import render
    from dractl.report.html.simulation import cluster_of, version_of
    from dractl.report.placements import verdict

    simulation = _simulation(world)
    drawn = picture(*cluster_of(simulation))
    if drawn.is_empty:
        return {"html": None}
    tone = "ok" if simulation.ok else "warning"
    page = Page("simulate", version_of(simulation), verdict(simulation), tone, (), (drawn,))
    return {"html": render(page, has_script=False)}


def _gates(world: World) -> JsonDict:
    """The document of ``dractl gates`` about a server without overrides, which may be what is wrong."""
    from dractl.report.reference.gates import document

    return document(world._replace(feature_gates=()).gates)


VIEWS: Mapping[str, Callable[[World], JsonDict]] = {
    "findings": _findings,
    "placements": _placements,
    "why": _why,
    "selectors": _selectors,
    "picture": _picture,
    "gates": _gates,
}
"""Each view by its name, in the order of the page."""
