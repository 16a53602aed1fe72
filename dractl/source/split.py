"""One text to its documents, each read on its own, so that a broken one does not hide the next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from dractl.api import budgets
from dractl.source.document import Document
from dractl.source.reading import Fault, Reading
from dractl.source.text import SourceError, SourceText
from dractl.source.yaml import HAS_LIBYAML, read_yaml
from dractl.workers import WORKERS

__all__ = ["Known", "chunks", "documents_of", "documents_of_each", "first_document", "items_of"]

_MARKER = re.compile(
    r"^(---|\.\.\.)(?=[ \t\r\n\x85\u2028\u2029]|\Z)([ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n|\Z))?", re.MULTILINE
)
_MARKERS = ("---", "...")
_START = re.compile(r"[ \t\r\n]*")
_LONG = 20_000
"""From so many characters on a text is read line by line, if it can be."""
_BRACKET = re.compile(r"[\w)\]][\[{]")
"""A bracket inside of a text, as CEL expressions have them."""


Known = dict[str, list[Reading | Fault]]
"""What texts between document markers were read as."""


def documents_of_each(sources: Sequence[SourceText]) -> Iterator[list[Document | SourceError]]:
    """The documents of each source, as ``documents_of`` has them, read by several processes if that pays."""
    if WORKERS.number(sum(len(source.text) for source in sources)) < 2:
        yield from map(documents_of, sources)
        return
    texts = [list(_texts(source.text)) for source in sources]
    readings = WORKERS.spread([text for of_one in texts for text in of_one], len, _read_each)
    for source, of_one in zip(sources, texts, strict=True):
        yield documents_of(source, readings=islice(readings, len(of_one)))


def _texts(text: str) -> Iterator[str]:
    """What the processes read: all between document markers, up to the limit."""
    texts = (text[start:end] for start, end in chunks(text))
    return islice((part for part in texts if part.strip(" \r\n")), budgets.DOCUMENTS.value + 1)


def _read_each(texts: Iterable[str]) -> list[list[Reading | Fault] | None]:
    """What each text is read as; None for one that is left to ``documents_of``."""
    # The places in JSON are found when they are needed, and by whoever needs them.
    return [None if _is_json(text) else list(_readings(text, libyaml=HAS_LIBYAML)) for text in texts]


def documents_of(
    source: SourceText,
    *,
    libyaml: bool = HAS_LIBYAML,
    known: Known | None = None,
    readings: Iterator[list[Reading | Fault] | None] | None = None,
) -> list[Document | SourceError]:
    """The documents of ``source`` in order, without empty ones; the items of a ``List`` in its place.

    What is ``known`` from an earlier state of the text is not read again; afterwards it has the new state.
    ``readings`` has what other processes read in the texts of ``source``.
    """
    if known is None and readings is None and WORKERS.number(len(source.text)) > 1:
        return next(documents_of_each([source]))
    found: list[Document | SourceError] = []
    read: Known = {}
    index = 0
    most = budgets.DOCUMENTS.value
    for start, end in chunks(source.text):
        if index >= most:
            if source.text[start:].strip():
                found.append(source.error(start, budgets.DOCUMENTS.message(), index))
            break
        if not source.text[start:end].strip(" \r\n"):
            continue
        text = source.text[start:end]
        found_here: Iterable[Reading | Fault] | None = None if readings is None else next(readings, None)
        if known is not None:
            found_here = read[text] = known.get(text) or list(_readings(text, libyaml=libyaml))
        for reading in _readings(text, libyaml=libyaml) if found_here is None else found_here:
            if isinstance(reading, Fault):
                error = source.error(start + reading.offset, reading.message, index)
                error = error._replace(rendered_from=source.rendered_from(start, end))
                found.append(_in_plain_words(error, source, start))
            elif reading.value is None:
                continue
            else:
                found.extend(
                    islice(items_of(_document(source, reading, start, index)), most + 1 - len(found))
                )
            index += 1
        if len(found) > most:
            del found[most:]
            found.append(source.error(start, budgets.DOCUMENTS.message(), index))
            break
    if known is not None:
        known.clear()
        known.update(read)
    return found


def first_document(text: str, *, libyaml: bool = HAS_LIBYAML) -> Document | SourceError | None:
    """What ``sigs.k8s.io/yaml`` reads from ``text``; None if that is nothing.

    It reads the first document, as YAML even where it looks like JSON, and does not look at what follows.
    """
    source = SourceText(text.lstrip("\ufeff"), "<text>")
    reading = next(read_yaml(source.text, libyaml=libyaml), None)
    if isinstance(reading, Fault):
        return source.error(reading.offset, reading.message)
    if reading is None or reading.value is None:
        return None
    return _document(source, reading, 0, 0)


def _in_plain_words(error: SourceError, source: SourceText, start: int) -> SourceError:
    """The error, with its most frequent cause, in a document that starts at the offset ``start``."""
    if "{{" in error.line_text:
        hint = "{{ … }} is template syntax: render the template first, for example with `helm template`"
    elif error.message.startswith("expected ',' or") and _BRACKET.match(error.line_text, error.column - 2):
        hint = "quote the text, or give it a line of its own: inside { } or [ ], a bracket ends unquoted text"
    else:
        from dractl.source.yaml_slips import remedy  # nearly all texts can be read

        found = remedy(source, source.place(start)[0], error)
        return error._replace(message=found) if found else error
    return error._replace(message=f"{error.message}; {hint}")


def _document(source: SourceText, reading: Reading, base: int, index: int) -> Document:
    value, mark, duplicates = reading
    return Document(
        value, file=source.file, index=index, duplicates=duplicates, source=source, base=base, mark=mark
    )


def _is_json(text: str) -> bool:
    start = _START.match(text)
    return start is not None and text[start.end() : start.end() + 1] in ("{", "[")


def _readings(text: str, *, libyaml: bool) -> Iterator[Reading | Fault]:
    if _is_json(text):
        # only JSON needs it, and it takes longer to load than a manifest to read
        from dractl.source.json_text import read_json

        readings = read_json(text)
        if readings is not None:
            return iter(readings)
    if len(text) >= _LONG:
        # only slices and dumps need it
        from dractl.source.block_yaml import read_blocks

        reading = read_blocks(text, libyaml=libyaml)
        if reading is not None:
            return iter((reading,))
    return read_yaml(text, libyaml=libyaml)


def chunks(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of ``text`` between document markers.

    As ``YAMLReader`` of apimachinery does, a line ``---`` is taken away; a document on the same line is
    kept with its marker, and so are directives with theirs.
    """
    start = 0
    # To look for the texts takes a tenth of the time that the pattern does: it stops at every line.
    has_marker = text.startswith(_MARKERS) or any(f"\n{marker}" in text for marker in _MARKERS)
    for marker in _MARKER.finditer(text) if has_marker else ():
        at, end = marker.start(), marker.end()
        if marker[1] == "...":
            yield start, at + 3
            start = at + 3
        elif "%" in text[start:at] and _has_only_directives(text[start:at]):
            continue
        else:
            yield start, at
            start = at if marker[2] is None else end
        while text.startswith("\ufeff", start):
            start += 1
    yield start, len(text)


def _has_only_directives(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines()]
    return all(line[:1] in ("", "#", "%") for line in lines)


def items_of(document: Document) -> Iterator[Document]:
    """The items of a ``List`` (of any kind that ends in List), each as a document; else the document itself.

    Items of a typed list such as ``ResourceClaimList`` may leave out kind and version: the list says them.
    """
    value = document.value
    kind, items = (value.get("kind"), value.get("items")) if isinstance(value, dict) else (None, None)
    if not (isinstance(kind, str) and kind.endswith("List") and isinstance(items, list) and items):
        yield document
        return
    for position in range(len(items)):
        item = document.item(("items", position))
        item.value = _typed(item.value, value.get("apiVersion"), kind.removesuffix("List"))
        yield from items_of(item)


def _typed(value: object, version: object, kind: str) -> object:
    if not kind or not isinstance(value, dict) or "kind" in value or "apiVersion" in value:
        return value
    return {"apiVersion": version, "kind": kind, **value}
