"""The text of a file after its documents have changed: the same lines, but for what had to change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from dractl.api.edits import Edit, Replace
from dractl.records import NamedTuple
from dractl.source import json_style
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.editing import structure
from dractl.source.load import load_text
from dractl.source.split import chunks

__all__ = ["Part", "Rewritten", "rewritten"]


class Part(NamedTuple):
    """A document of a file (or an item of a list in it) with its changes; ``value`` None leaves it out."""

    document: Document
    edits: tuple[Edit, ...]
    value: object


class Rewritten(NamedTuple):
    """A new text, and the documents (counted from 0) whose layout or comments could not be kept.

    ``lost_comments`` has those documents that keep others of their comments, and how many are gone.
    """

    text: str
    without_layout: tuple[int, ...]
    without_comments: tuple[int, ...]
    lost_comments: tuple[tuple[int, int], ...]


def rewritten(text: str, parts: Sequence[Part]) -> Rewritten:
    """``text`` with the changes of all ``parts`` that were read from it, which come in its order."""
    pieces: list[str] = []
    layout: list[int] = []
    comments: list[int] = []
    fewer: list[tuple[int, int]] = []
    at = before = 0
    by_base: dict[int, list[Part]] = {}
    for part in parts:
        by_base.setdefault(part.document.base, []).append(part)
    for start, end in chunks(text):
        here = by_base.get(start, [])
        changed = [part for part in here if part.edits or part.value is None]
        if here and all(part.value is None for part in here):
            # Gone with the marker before it.
            pieces.append(text[at:before])
            at = end
        elif changed:
            new, way = _changed(text[start:end], here)
            pieces += (text[at:start], new)
            at = end
            numbers = [part.document.index for part in changed]
            layout += numbers if _is_spread(text[start:end], way) else ()
            comments += numbers if way is None else ()
            gone = _lost_comments(text[start:end], new) if way is structure.rewritten else 0
            fewer += [(numbers[0], gone)] if gone else ()
        before = end
    return Rewritten("".join((*pieces, text[at:])), tuple(layout), tuple(comments), tuple(fewer))


def _is_spread(text: str, way: Road | None) -> bool:
    """Whether JSON looks otherwise than before also where nothing changes."""
    return way is json_style.rewritten and json_style.rewritten(text, {}) not in (text, None)


def _lost_comments(before: str, after: str) -> int:
    if "#" not in before:
        return 0
    # only few files need it
    from dractl.source.yaml_nodes import comments

    return (comments(before) - comments(after)).total()


Road = Callable[[str, Mapping[int, Sequence[Edit]]], "str | None"]


_ROADS: tuple[Road, ...] = (json_style.rewritten, structure.rewritten)


def _changed(text: str, parts: Sequence[Part]) -> tuple[str, Road | None]:
    """The text between two markers, and how it was written: by the first way that keeps the meaning."""
    wanted = [(part.value, bool(part.document.duplicates)) for part in parts]
    edits = _by_root(parts)
    if all(part.value is not None for part in parts):
        for road in _ROADS:
            new = road(text, edits)
            if new is not None and _said(new) == wanted:
                return new, road
    kept = [value for value, _ in wanted if value is not None]
    return "---\n".join(map(_printed, kept)), None


def _printed(value: object) -> str:
    """A document as YAML; JSON, which is YAML too, where it is not a mapping."""
    return printed(value) if isinstance(value, Mapping) else json.dumps(value) + "\n"


def _said(text: str) -> list[tuple[object, bool]] | None:
    """Each document of a text, and whether it gives a key twice."""
    found = load_text(text)
    values = [(item.value, bool(item.duplicates)) for item in found if isinstance(item, Document)]
    return values if len(values) == len(found) else None


def _by_root(parts: Sequence[Part]) -> dict[int, list[Edit]]:
    """The edits by document of the text, with the steps through a list."""
    numbers = {index: at for at, index in enumerate(dict.fromkeys(part.document.index for part in parts))}
    found: dict[int, list[Edit]] = {}
    reported: set[tuple[int, Edit]] = set()
    for part in parts:
        prefix = part.document.prefix
        for edit in part.edits:
            steps = (*prefix, *edit.steps)
            is_item = part.document.holder is not None
            if is_item and isinstance(edit, Replace) and not part.document.has_written(edit.steps):
                # A typed list sets it for its items.
                steps = (*prefix[:-2], *edit.steps)
            number = numbers[part.document.index]
            for moved in (edit._replace(steps=steps), *_of_holder(part.document, edit)):
                if (number, moved) not in reported:
                    reported.add((number, moved))
                    found.setdefault(number, []).append(moved)
    return found


def _of_holder(document: Document, edit: Edit) -> Iterator[Edit]:
    """A typed list of the version that its item had goes along with it."""
    holder = document.holder
    if holder is None or edit.steps != ("apiVersion",) or not isinstance(edit, Replace):
        return
    version, kind = document.value["apiVersion"], document.value["kind"]
    if (holder.value.get("apiVersion"), holder.value.get("kind")) == (version, f"{kind}List"):
        yield edit._replace(steps=(*holder.prefix, "apiVersion"))
