"""The fixes of documents that do not decode: what the repairs behind a finding change in the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from dractl.api.edits import (
    Box,
    Deduplicate,
    Delist,
    Drop,
    Edit,
    Enclose,
    Enlist,
    Raise,
    Rename,
    Replace,
    Unbox,
    Unfold,
)
from dractl.api.path import Steps
from dractl.finding import Applicability, Fix
from dractl.lint.base.newer_apis import value_at
from dractl.lint.fixes.repair import Repair
from dractl.lint.fixes.text_edits import fix_of
from dractl.lint.fixes.wording import described
from dractl.records import NamedTuple
from dractl.source.document import Document

__all__ = ["Mistake", "duplicate_fix", "mistakes_fix"]

_UNSAFE_RULES = frozenset({"shape/claim-or-template"})
"""Rules whose mistakes have two remedies, so that one of them is a guess."""


class Mistake(NamedTuple):
    """A place of a document, the repair of it, and the scalar that is surely meant there, if one is.

    ``is_sure``: nothing else can be meant.
    """

    steps: Steps
    repair: Repair | None
    meant: str | float | None
    is_sure: bool


def mistakes_fix(document: Document, rule: str, mistakes: Sequence[Mistake]) -> Fix | None:
    """The fix of mistakes that are one finding of ``rule``; None where one of them has none."""
    edits = [_edit(document, mistake) for mistake in mistakes]
    if not edits or any(edit is None for edit in edits):
        return None
    known = [edit for edit in edits if edit is not None]
    names = [edit for edit in known if isinstance(edit, Rename)]
    # Steps lead through the old names, so what moves waits for a second run.
    changes = names or _joined(known)
    is_sure = all(mistake.is_sure for mistake in mistakes) and rule not in _UNSAFE_RULES
    loses = any(isinstance(edit, Drop) for edit in changes)
    applicability = Applicability.SAFE if is_sure and not loses else Applicability.UNSAFE
    return fix_of(document, changes, applicability, described(changes))


def duplicate_fix(document: Document, steps: Steps) -> Fix | None:
    """The fix of a key that is given twice: the last one stays."""
    changes = (Deduplicate(steps),)
    return fix_of(document, changes, Applicability.UNSAFE, described(changes))


def _edit(document: Document, mistake: Mistake) -> Edit | None:
    """The change that makes a repair, with the steps of the document as it is."""
    repair, steps = mistake.repair, mistake.steps
    if mistake.meant is not None:
        # YAML reads 1.10 as 1.1, and on as true: what was written counts.
        written = document.plain_text(steps) if isinstance(mistake.meant, str) else ""
        is_text = bool(written) and not isinstance(value_at(document.value, steps), str)
        return Replace(steps, written if is_text else mistake.meant)
    if repair is None:
        return None
    if repair.target is None:
        return Drop(steps) if isinstance(steps[-1], str) else None
    if repair.target == repair.source:
        return _in_place(document, steps)
    return _moved(steps, repair.source, repair.target)


def _in_place(document: Document, steps: Steps) -> Edit | None:
    """The value that a plain one or an object has around it goes."""
    value = value_at(document.value, steps)
    if isinstance(value, list) and len(value) == 1:
        return Delist(steps)
    if isinstance(value, dict) and len(value) == 1 and isinstance(steps[-1], str):
        ((field, inner),) = value.items()
        return None if isinstance(inner, dict | list) else Unbox(steps, field)
    return None


def _moved(steps: Steps, source: Steps, target: Steps) -> Edit | None:
    """The edit that takes a value from ``source`` to ``target``, which may use the repaired keys."""
    holder, name = steps[:-1], steps[-1]
    if target == (*source, 0):
        return Enlist(steps)
    if not isinstance(name, str):
        return None
    if target[:-1] == source and isinstance(target[-1], str):
        return Box(steps, target[-1])
    if target == source[:-1]:
        return Unfold(holder, name)
    if target[-1:] != source[-1:] and (target[:-1] == source[:-1] or target[:-2] == source[:-1]):
        return Rename(steps, str(target[-1]))
    if target[:-2] == source[:-1] and isinstance(target[-2], str):
        return Enclose(holder, target[-2], (name,))
    if len(holder) and target == (*source[:-2], source[-1]) and isinstance(holder[-1], str):
        return Raise(holder[:-1], holder[-1], (name,))
    return None


def _joined(edits: Iterable[Edit]) -> list[Edit]:
    """Edits that move entries of one object to one place as one."""
    found: dict[object, Edit] = {}
    for edit in edits:
        if isinstance(edit, Enclose | Raise):
            key = (type(edit), edit.steps, edit.name)
            known = cast("Enclose | Raise", found.get(key, edit))
            names = dict.fromkeys((*known.fields, *edit.fields))
            found[key] = known._replace(fields=tuple(names))
        else:
            found[repr(edit)] = edit
    return list(found.values())
