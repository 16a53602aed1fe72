"""The findings of a file, as ``dractl validate`` has them, and notes at its selectors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dractl.api.gates import GateSet
from dractl.editor.buffer import Buffer, Position, Range
from dractl.editor.hints import Hint, hints_in
from dractl.editor.settings import Settings, SettingsError, settings_for
from dractl.editor.workspace import Opened, Workspace
from dractl.editor.world import EMPTY, World, world_of
from dractl.finding import Finding, Severity, TextEdit
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.mixed_input import findings_of_prototypes
from dractl.workflows.validate import validate

__all__ = ["Analysis", "Note", "analyse", "range_of_edit"]

_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s:,\[\]{}]+|.")


class Note(NamedTuple):
    """A message about a piece of the text; without a finding it is about the settings."""

    where: Range
    severity: Severity
    rule: str
    message: str
    finding: Finding | None = None


class Analysis(NamedTuple):
    """The notes and hints of one state of a file, its gates, its documents, and the world around it."""

    version: int
    notes: list[Note]
    hints: list[Hint]
    gates: GateSet
    world: World
    own: tuple[Document, ...] = ()


def analyse(
    file: Opened, opened: Sequence[Opened], workspace: Workspace, settings: Settings, earlier: World = EMPTY
) -> Analysis:
    """Validate a file with the slices, classes and claims of the workspace around it.

    ``earlier`` is the world of its last analysis.
    """
    lines = Buffer(file.text).lines
    notes: list[Note] = []
    try:
        settings = settings_for(lines, settings)
    except SettingsError as error:
        number = error.line or 0
        where = Range(Position(number, 0), Position(number, len(lines[number])))
        notes.append(Note(where, Severity.ERROR, "settings", str(error)))
    gates = settings.gates
    everything = workspace.everything(opened)
    own: list[Loaded] = [item for item in everything if item_file(item) == file.path]
    around = list(workspace.around(own, everything))
    loaded: list[Loaded] = [*own, *around]
    report = validate(loaded, gates, None, (), None, findings_of_prototypes(loaded))
    for finding in report.findings:
        place = finding.location
        if place is not None and place.file == file.path and not finding.cause:
            notes.append(_note(finding, lines))
    world = world_of([*own, *workspace.others(own, everything)], gates, earlier)
    documents = tuple(item for item in own if isinstance(item, Document))
    return Analysis(file.version, notes, hints_in(own, gates, world), gates, world, documents)


def item_file(item: Loaded) -> str:
    """The file that a document or unreadable text is from."""
    return str(getattr(item, "file", ""))


def _note(finding: Finding, lines: Sequence[str]) -> Note:
    place = finding.location
    number = max(0, (place.line if place else 1) - 1)
    column = max(0, (place.column if place else 1) - 1)
    line = lines[number] if number < len(lines) else ""
    found = _TOKEN.match(line, column)
    end = found.end() if found else len(line)
    where = Range(Position(number, column), Position(number, max(end, column)))
    return Note(where, finding.severity, finding.rule, finding.sentence, finding)


def range_of_edit(edit: TextEdit) -> Range:
    """The piece of a text that an edit replaces."""
    (line, column), (last, end) = edit.start, edit.end
    return Range(Position(line - 1, column - 1), Position(last - 1, end - 1))
