"""The texts of an input in pieces, one for each YAML document, so that each can change on its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dractl.conversion.result import ConvertedFile
from dractl.finding import Finding
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.load import Loaded, PathError, load_text
from dractl.source.split import chunks
from dractl.source.text import SourceError, SourceText

__all__ = ["File", "Piece", "files_of", "moved", "reloaded", "with_texts"]


class Piece:
    """The text of one YAML document, perhaps of a list of objects; ``gap`` is the text before it.

    ``lines_before`` counts the lines of the file before it, as the file was read.
    """

    __slots__ = ("file", "gap", "lines_before", "text")

    def __init__(self, file: str, lines_before: int, gap: str, text: str) -> None:
        """Take a text of the file with that name."""
        self.file = file
        self.lines_before = lines_before
        self.gap = gap
        self.text = text


class File:
    """A text that was read, in pieces."""

    def __init__(self, name: str, text: str, encoding: str) -> None:
        """Cut ``text`` at its document markers."""
        self.name = name
        self.before = text
        self.encoding = encoding
        self.pieces: list[Piece] = []
        self._starts: dict[int, Piece] = {}
        at = 0
        source = SourceText(text, name)
        for start, end in chunks(text):
            piece = Piece(name, source.place(start)[0] - 1, text[at:start], text[start:end])
            self.pieces.append(piece)
            self._starts[start] = piece
            at = end
        self._rest = text[at:]

    @property
    def text(self) -> str:
        """The text as it is now."""
        return "".join(part for piece in self.pieces for part in (piece.gap, piece.text)) + self._rest

    def piece_of(self, document: Document) -> Piece:
        """The piece that a document of the text as it was read is in."""
        return self._starts[document.base]

    def starts(self) -> dict[int, Piece]:
        """Each piece by the offset at which it starts now."""
        found, at = {}, 0
        for piece in self.pieces:
            at += len(piece.gap)
            found[at] = piece
            at += len(piece.text)
        return found

    def result(self) -> ConvertedFile:
        """The text before and now."""
        return ConvertedFile(self.name, self.before, self.text, encoding=self.encoding)


def moved(finding: Finding, lines: int) -> Finding:
    """A finding, with its fix, that many lines further down."""
    where, fix = finding.location, finding.fix
    edits = [
        edit._replace(start=(edit.start[0] + lines, edit.start[1]), end=(edit.end[0] + lines, edit.end[1]))
        for edit in (fix.edits if fix else ())
    ]
    return finding._replace(
        location=where and where._replace(line=where.line + lines),
        fix=fix and fix._replace(edits=tuple(edits)),
    )


def files_of(loaded: Iterable[Loaded]) -> dict[int, File]:
    """The files that documents were read from, by the identity of their text.

    Two texts may have one name, as those that Python hands over have.
    """
    files: dict[int, File] = {}
    for item in loaded:
        text = item.text if isinstance(item, Document) else None
        if isinstance(item, Document) and text is not None and id(text) not in files:
            files[id(text)] = File(item.file, text, item.encoding)
    return files


def with_texts(loaded: Iterable[Loaded]) -> list[Loaded]:
    """``loaded`` with a text for each object that was handed over without one, so that it can be fixed.

    An object that JSON cannot represent stays as it is.
    """
    found: list[Loaded] = []
    seen: set[int] = set()
    for item in loaded:
        if not isinstance(item, Document) or item.text is not None or not item.root.value:
            found.append(item)
            continue
        whole = item.root
        if id(whole) in seen:
            continue
        seen.add(id(whole))
        try:
            found += load_text(printed(whole.value), whole.file)
        except TypeError:
            found.append(item)
            seen.discard(id(whole))
    return found


def reloaded(loaded: Sequence[Loaded], files: dict[int, File]) -> list[Loaded]:
    """``loaded`` read again from what the files hold now; what has no text stays.

    The documents keep their order, as do the texts that cannot be read, whose lines may have moved.
    """
    texts = {key: file.text for key, file in files.items()}
    changed = {key: text for key, text in texts.items() if text != files[key].before}
    if not changed:
        return list(loaded)
    again = {key: load_text(text, files[key].name) for key, text in changed.items()}
    documents = {
        key: iter([item for item in items if isinstance(item, Document)]) for key, items in again.items()
    }
    names = Counter(file.name for file in files.values())
    errors = {
        files[key].name: iter([item for item in items if isinstance(item, SourceError)])
        for key, items in again.items()
        if names[files[key].name] == 1
    }
    return list(_replaced(loaded, documents, errors))


def _replaced(
    loaded: Iterable[Loaded],
    documents: dict[int, Iterator[Document]],
    errors: dict[str, Iterator[SourceError]],
) -> Iterator[Loaded]:
    for item in loaded:
        if isinstance(item, PathError):
            yield item
        elif isinstance(item, SourceError):
            yield next(errors.get(item.file, iter(())), item)
        else:
            yield next(documents.get(id(item.text), iter(())), item)
