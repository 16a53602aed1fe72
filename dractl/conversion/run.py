"""From documents to the same documents in another API version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.path import path_text
from dractl.conversion.documents import Change, change_of
from dractl.conversion.result import NEW, Conversion, ConvertedFile, Lost
from dractl.conversion.target import Target
from dractl.conversion.texts import Part, rewritten
from dractl.finding import Location, ObjectRef
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.load import Loaded
from dractl.source.text import SourceError

__all__ = ["LegacyConversion", "convert", "location_of", "object_of"]


class LegacyConversion(NamedTuple):
    """Documents of legacy APIs after their own conversion: their identities, the new objects, and the losses.

    :func:`convert` skips ``documents``, which it cannot convert.
    """

    documents: frozenset[int]
    objects: Sequence[JsonObject]
    lost: Sequence[Lost]

    def plus(self, other: LegacyConversion) -> LegacyConversion:
        """Both together, this one first."""
        return LegacyConversion(
            self.documents | other.documents, (*self.objects, *other.objects), (*self.lost, *other.lost)
        )


_NOTHING = LegacyConversion(frozenset(), (), ())


def convert(
    loaded: Iterable[Loaded],
    target: Target,
    *,
    lossy: bool = False,
    legacy: LegacyConversion = _NOTHING,
    wanted: Callable[[Document], bool] = lambda _: True,
) -> Conversion:
    """Convert ``loaded`` to the version of ``target``; the caller handles paths that could not be opened.

    The objects of ``legacy`` come first, and its documents are skipped. Documents that are not ``wanted``
    stay as they are.

    A loss is listed and leaves the rest of the result empty; with ``lossy`` it is dropped as an API server
    drops it, and a document that the version cannot represent is dropped whole. An unreadable document leaves
    the result empty in either case.
    """
    everything = list(loaded)
    unread = [_unreadable(item) for item in everything if isinstance(item, SourceError)]
    documents = [item for item in everything if isinstance(item, Document)]
    changes = [
        Change(None)
        if id(document) in legacy.documents
        else change_of(document, target)
        if wanted(document)
        else Change(document.value)
        for document in documents
    ]
    lost = [
        *unread,
        *legacy.lost,
        *(entry for pair in zip(documents, changes, strict=True) for entry in _lost(*pair)),
    ]
    notes = [_noted(*pair) for pair in zip(documents, changes, strict=True) if pair[1].note]
    without = Conversion(target.api_version, (), (), tuple(lost), tuple(notes), lossy)
    if not without.ok:
        return without
    kept = (change.value for change in changes if isinstance(change.value, dict))
    objects = (*legacy.objects, *kept)
    made = "---\n".join(map(printed, legacy.objects))
    files = (*([ConvertedFile(NEW, "", made)] if made else []), *_files(documents, changes))
    return without._replace(objects=objects, files=files)


def _files(documents: Sequence[Document], changes: Sequence[Change]) -> tuple[ConvertedFile, ...]:
    # Two texts may have one name, as those that Python hands over have.
    by_text: dict[int, list[Part]] = {}
    for document, change in zip(documents, changes, strict=True):
        if document.text is not None:
            part = Part(document, change.edits, change.value)
            by_text.setdefault(id(document.text), []).append(part)
    return tuple(_file(parts[0].document.file, parts) for parts in by_text.values())


def _file(name: str, parts: Sequence[Part]) -> ConvertedFile:
    before, encoding = parts[0].document.text or "", parts[0].document.encoding
    if all(part.value is None for part in parts):
        return ConvertedFile(name, before, "", encoding=encoding)
    after = rewritten(before, parts)
    notes = [f"{_numbers(after.without_layout)} of {name}: reformatted"] if after.without_layout else []
    if after.without_comments:
        notes.append(f"{_numbers(after.without_comments)} of {name}: rewritten without comments")
    for index, count in after.lost_comments:
        some = "1 comment is" if count == 1 else f"{count} comments are"
        notes.append(f"{_numbers((index,))} of {name}: {some} lost")
    return ConvertedFile(name, before, after.text, tuple(notes), encoding)


def _numbers(indices: Iterable[int]) -> str:
    numbers = [str(index + 1) for index in dict.fromkeys(indices)]
    return f"document{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"


def _lost(document: Document, change: Change) -> Iterable[Lost]:
    for loss in change.losses:
        place, named = location_of(document, loss.steps), object_of(document)
        yield Lost(place, named, path_text(loss.steps), loss.reason, change.is_broken)


def _noted(document: Document, change: Change) -> str:
    place = location_of(document, ())
    where = f"{place.file}:{place.line}:{place.column}" if place.line else place.file
    return f"{where}: {change.note}"


def location_of(document: Document, steps: tuple[str | int, ...]) -> Location:
    """The place of ``steps`` in the text of a document."""
    line, column = document.locate(steps) or (0, 0)
    return Location(document.file, line, column, document.source_line(line), document.rendered_from)


def object_of(document: Document) -> ObjectRef | None:
    """Which object a document describes; None if it is none."""
    value = document.value
    if not isinstance(value, dict):
        return None
    metadata = value.get("metadata")
    meta: JsonDict = metadata if isinstance(metadata, dict) else {}
    texts = (value.get("apiVersion"), value.get("kind"), meta.get("namespace"), meta.get("name"))
    return ObjectRef(*(text if isinstance(text, str) else "" for text in texts))


def _unreadable(error: SourceError) -> Lost:
    place = Location(error.file, error.line, error.column, error.line_text, error.rendered_from)
    return Lost(place, None, "", error.message, is_broken=True)
