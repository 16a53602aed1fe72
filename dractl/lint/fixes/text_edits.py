"""From changes of a document to edits of its text, which then means exactly what it should."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from weakref import WeakKeyDictionary

from dractl.api import budgets
from dractl.api.edits import Deduplicate, Edit, apply
from dractl.finding import Applicability, Fix, TextEdit
from dractl.lint.fixes.windows import source_of, window_of
from dractl.source import json_style
from dractl.source.document import Document
from dractl.source.editing import structure
from dractl.source.editing.layout import Splice, UnclearError, spliced
from dractl.source.editing.values import document_in
from dractl.source.split import chunks

__all__ = ["fix_of", "piece_of", "with_fixes"]

_MOST_LINES = 2000
"""Where more lines than that may have changed, they are one edit: comparing them takes too long."""


def fix_of(
    document: Document,
    changes: Sequence[Edit],
    applicability: Applicability,
    message: str,
    insertion: tuple[int, str] | None = None,
) -> Fix | None:
    """The fix that makes ``changes`` in the text of ``document``; None where its layout cannot be kept.

    The steps of ``changes`` start at ``document``, which may be an item of a list. ``insertion`` is another
    way to make them: a text, and the offset in the file at which it is inserted. The text with the edits was
    read again and has the changes, and no others.
    """
    if document.text is None or not changes:
        return None
    known = _KNOWN.setdefault(document.root, _Known())
    inner = tuple(edit._replace(steps=(*document.prefix, *edit.steps)) for edit in changes)
    key = repr(inner)
    if key not in known.edits:
        edits = _edits_in_window(document, tuple(changes), insertion, known)
        if not edits:
            start, end = piece_of(document)
            if not known.may_read(end - start):
                return None
            edits = _edits_for(document, inner, insertion)
        known.edits[key] = edits
    edits = known.edits[key]
    return Fix(applicability, message, edits, inner) if edits else None


class _Known:
    """The edits that make certain changes in a YAML document, as several servers ask; empty if none do.

    As tuples, changes of different kinds may be equal, so that their text is the key.
    """

    __slots__ = ("_read", "edits")

    def __init__(self) -> None:
        self.edits: dict[str, tuple[TextEdit, ...]] = {}
        self._read = 0

    def may_read(self, length: int) -> bool:
        """Whether another text of that length may be read."""
        self._read += length
        return self._read <= budgets.FIX_TEXT.value


_KNOWN: WeakKeyDictionary[Document, _Known] = WeakKeyDictionary()


def _edits_in_window(
    document: Document, changes: tuple[Edit, ...], insertion: tuple[int, str] | None, known: _Known
) -> tuple[TextEdit, ...]:
    """The edits of an item of a list, found in its own lines; empty where that is not possible."""
    if not document.prefix:
        return ()
    window = window_of(document, piece_of(document)[1])
    if window is None or not known.may_read(len(window.text)):
        return ()
    root = document_in(window.alone)
    written = document.root.value
    for step in document.prefix:
        written = written[step]
    if root is None or _canonical(root.value) != _canonical(written):
        return ()
    wanted = _wanted(root, changes)
    if wanted is None or len(root.duplicates) != len(document.duplicates):
        return ()
    moved = None if insertion is None else (insertion[0] - window.start, insertion[1])
    for alone in _candidates(window.alone, changes, moved):
        new = window.with_dash(alone)
        if new is not None and _meaning(alone) == wanted:
            return tuple(_edits(document, window.start, window.text, new))
    return ()


def _edits_for(
    document: Document, changes: tuple[Edit, ...], insertion: tuple[int, str] | None
) -> tuple[TextEdit, ...]:
    start, end = piece_of(document)
    piece = (document.text or "")[start:end]
    wanted = _wanted(document.root, changes)
    if wanted is None:
        return ()
    moved = None if insertion is None else (insertion[0] - start, insertion[1])
    for new in _candidates(piece, changes, moved):
        if _meaning(new) == wanted:
            return tuple(_edits(document, start, piece, new))
    return ()


def with_fixes(text: str, fixes: Sequence[Fix], start: int = 0, end: int | None = None) -> str | None:
    """The piece of ``text`` from ``start`` to ``end`` after all ``fixes`` of its YAML document.

    None if two of them concern one place, or if the piece then means anything else than it should.
    """
    source = source_of(text)
    end = len(text) if end is None else end
    edits = {edit for fix in fixes for edit in fix.edits}
    splices = [
        Splice(source.offset(*edit.start) - start, source.offset(*edit.end) - start, edit.text)
        for edit in edits
    ]
    piece = text[start:end]
    try:
        new = spliced(piece, splices)
    except UnclearError:
        return None
    root = document_in(piece)
    changes = tuple({repr(change): change for fix in fixes for change in fix.changes}.values())
    if root is None or _meaning(new) != _wanted(root, changes):
        return None
    return new


def piece_of(document: Document) -> tuple[int, int]:
    """Where in its file the text between document markers is that holds ``document``."""
    return document.base, _ends(document.text or "")[document.base]


@lru_cache(maxsize=4)
def _ends(text: str) -> dict[int, int]:
    return dict(chunks(text))


def _candidates(piece: str, changes: Sequence[Edit], insertion: tuple[int, str] | None) -> Iterator[str]:
    """Texts that may mean what is wanted, those that look most like the old one first."""
    if json_style.rewritten(piece, {}) == piece:
        written = json_style.rewritten(piece, {0: changes})
        if written is not None:
            yield written
    written = structure.rewritten(piece, {0: changes})
    if written is not None:
        yield written
    if insertion is not None:
        at, text = insertion
        yield piece[:at] + text + piece[at:]


def _wanted(root: Document, changes: Sequence[Edit]) -> tuple[str, int] | None:
    """What the text must mean after ``changes``: the value, and how many keys are repeated still."""
    changed = copy.deepcopy(root.value)
    try:
        apply(changed, changes)
    except (KeyError, IndexError, TypeError):
        return None
    gone = {edit.steps for edit in changes if isinstance(edit, Deduplicate)}
    return _canonical(changed), sum(steps not in gone for steps in root.duplicates)


def _meaning(text: str) -> tuple[str, int] | None:
    """What a text of one document means; None if it has several or cannot be read."""
    root = document_in(text)
    return None if root is None else (_canonical(root.value), len(root.duplicates))


def _canonical(value: object) -> str:
    """A value as a text that differs where anything in it does: to Python 1, 1.0 and True are equal."""
    return json.dumps(value, sort_keys=True)


def _edits(document: Document, base: int, old: str, new: str) -> Iterator[TextEdit]:
    """What differs between two texts, the first of which starts at ``base`` in the file."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    ends = [0]
    for line in before:
        ends.append(ends[-1] + len(line))
    for first, last, text in _hunks(before, after):
        start, end, written = _trimmed(old, ends[first], ends[last], text)
        yield TextEdit(document.place(base + start), document.place(base + end), written)


def _hunks(before: list[str], after: list[str]) -> Iterator[tuple[int, int, str]]:
    """Ranges of lines, each with the text that takes their place."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(old) + len(new) > _MOST_LINES:
        yield head, head + len(old), "".join(new)
        return
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield head + first, head + last, "".join(new[start:end])


def _trimmed(old: str, start: int, end: int, text: str) -> tuple[int, int, str]:
    """An edit without what is the same at its start and its end."""
    same = 0
    while same < min(end - start, len(text)) and old[start + same] == text[same]:
        same += 1
    start, text = start + same, text[same:]
    same = 0
    while same < min(end - start, len(text)) and old[end - 1 - same] == text[-1 - same]:
        same += 1
    return start, end - same, text[: len(text) - same]
