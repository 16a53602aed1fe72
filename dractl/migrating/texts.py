"""The texts of files after a migration: the same lines except for what had to change, and new documents."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence

from dractl.api.json_types import JsonDict
from dractl.conversion.result import ConvertedFile
from dractl.records import NamedTuple
from dractl.source import json_style
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.editing.values import Edit, applied, rewritten
from dractl.source.load import Loaded, load_text
from dractl.source.split import chunks

__all__ = ["Rewrite", "files_after"]

_MOST_WORK = 20_000_000
"""Characters that are read again for edits of one part of a file; beyond, that part is printed again."""


class Rewrite(NamedTuple):
    """The edits of a document, by steps in it, and objects that are new with it."""

    document: Document
    edits: tuple[Edit, ...] = ()
    added: tuple[JsonDict, ...] = ()


def files_after(loaded: Iterable[Loaded], rewrites: Sequence[Rewrite]) -> dict[int, ConvertedFile]:
    """The texts that ``rewrites`` change, by the identity of the text before."""
    by_part: dict[tuple[int, int], list[Rewrite]] = {}
    texts: dict[int, Document] = {}
    for rewrite in rewrites:
        document = rewrite.document
        if document.text is not None:
            texts.setdefault(id(document.text), document)
            by_part.setdefault((id(document.text), document.base), []).append(rewrite)
    documents = [item for item in loaded if isinstance(item, Document)]
    found = {}
    for key, first in texts.items():
        text = first.text or ""
        here = [document for document in documents if document.text is first.text]
        pieces: list[str] = []
        notes: list[str] = []
        at = 0
        for start, end in chunks(text):
            changed = by_part.get((key, start))
            if changed:
                roots = _roots(document for document in here if document.base == start)
                new, is_printed = _part(text[start:end], roots, changed)
                pieces += (text[at:start], new)
                at = end
                if is_printed and "#" in text[start:end]:
                    number = changed[0].document.index + 1
                    notes.append(f"document {number} of {first.file}: rewritten without comments")
        after = "".join((*pieces, text[at:]))
        found[key] = ConvertedFile(first.file, text, after, tuple(notes), first.encoding)
    return found


def _roots(documents: Iterable[Document]) -> dict[int, Document]:
    """The whole documents of a part of a text by their number; a ``List`` for its items."""
    found: dict[int, Document] = {}
    for document in documents:
        root = document
        while root.holder is not None:
            root = root.holder
        found.setdefault(root.index, root)
    return found


def _part(text: str, roots: Mapping[int, Document], rewrites: Sequence[Rewrite]) -> tuple[str, bool]:
    """A part of a text between markers after its edits, and whether it was printed again as a whole."""
    added = [item for rewrite in rewrites for item in rewrite.added]
    edits: dict[int, list[Edit]] = {}
    for rewrite in rewrites:
        prefix = rewrite.document.prefix
        moved = (edit._replace(steps=(*prefix, *edit.steps)) for edit in rewrite.edits)
        edits.setdefault(rewrite.document.index, []).extend(moved)
    goals = [_after(root.value, edits.get(index, ())) for index, root in roots.items()]
    if json_style.is_json(text):
        return json_style.printed(text, _with_items(goals, added)) or "", False
    of_one = next(iter(edits.values()), []) if len(edits) == 1 else []
    new = None
    if len(roots) == 1 and len(of_one) * len(text) <= _MOST_WORK:
        new = rewritten(text, of_one)
        if new is not None and [document.value for document in _whole(new)] != goals:
            new = None
    is_printed = new is None
    if new is None:
        new = "---\n".join(map(_printed, goals))
    return _followed(new, added), is_printed


def _whole(text: str) -> list[Document]:
    return [*_roots(item for item in load_text(text) if isinstance(item, Document)).values()]


def _after(value: object, edits: Iterable[Edit]) -> object:
    changed: object = copy.deepcopy(value)
    for edit in edits:
        changed = applied(changed, edit)
    return changed


def _with_items(goals: Sequence[object], added: Sequence[JsonDict]) -> list[object]:
    """JSON documents with new objects: in the ``List`` if there is one, else behind them."""
    (*before, last) = goals
    items = last.get("items") if isinstance(last, dict) and last.get("kind") == "List" else None
    if isinstance(last, dict) and isinstance(items, list):
        return [*before, {**last, "items": [*items, *added]}]
    return [*goals, *added]


def _followed(text: str, added: Sequence[JsonDict]) -> str:
    """A YAML text with new documents behind it."""
    if not added:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    body = text if text.endswith("\n") else f"{text}{newline}"
    new = "---\n".join(printed(item) for item in added)
    return f"{body}---{newline}{new.replace(chr(10), newline)}"


def _printed(value: object) -> str:
    return printed(value) if isinstance(value, Mapping) else json.dumps(value) + "\n"
