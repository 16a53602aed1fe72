"""The state of a session with an editor: the open files, the settings, and what is known of each file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from dractl.editor import expressions
from dractl.editor.analysis import Analysis, analyse
from dractl.editor.api_fields import field_markdown, gate_markdown, rule_markdown
from dractl.editor.buffer import UTF_16, Buffer, Position, Range, word_at, word_end
from dractl.editor.completion import Completion, complete
from dractl.editor.context import Context, context_at
from dractl.editor.expressions import SignatureHelp
from dractl.editor.references import Target, definitions, request_at, uses_of
from dractl.editor.settings import Settings, SettingsError, settings_for, settings_of
from dractl.editor.worker import Worker
from dractl.editor.workspace import Opened, Workspace
from dractl.editor.world import EMPTY, World
from dractl.source.document import Document
from dractl.source.load import load_text

__all__ = ["Session", "warm_up"]

_WARM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
spec:
  devices:
    requests:
    - exactly:
        selectors:
        - cel: {expression: "size(device"}
"""


def warm_up() -> None:
    """Load what the first keystroke would wait for."""
    session = Session(lambda *_: None)
    session.take("warm.yaml", _WARM)
    for line, column in ((6, 9), (7, 38)):
        session.complete("warm.yaml", Position(line, column))
        session.hover("warm.yaml", Position(line, column))
        session.signatures("warm.yaml", Position(line, column))


class Session:
    """Answers about open files by path. ``publish`` is called in another thread with each new analysis."""

    def __init__(self, publish: Callable[[str, Analysis], None]) -> None:
        """Start with no file and the default settings."""
        self.buffers: dict[str, Buffer] = {}
        self.analyses: dict[str, Analysis] = {}
        self.encoding = UTF_16
        self.settings = settings_of(None)
        self._workspace = Workspace()
        self._publish = publish
        self._worker = Worker(self._analyse)

    def configure(self, given: object, roots: Sequence[str] | None = None) -> str:
        """Take new settings, and the folders of the workspace; what is wrong with them, or nothing."""
        problem = ""
        try:
            self.settings = settings_of(given)
        except SettingsError as error:
            problem = str(error)
        known = self._workspace.roots if roots is None else tuple(roots)
        self._workspace = Workspace(known, self.settings.exclude)
        self.refresh()
        return problem

    def open(self, path: str, text: str, version: int) -> None:
        """Take a file that was opened, and validate it in the other thread."""
        self.take(path, text, version)
        self._worker.schedule(path, 0)

    def take(self, path: str, text: str, version: int = 0) -> None:
        """Take a text to ask about, without validating it."""
        self.buffers[path] = Buffer(text, version, self.encoding)

    def change(self, path: str, version: int, changes: Iterable[tuple[Range | None, str]]) -> None:
        """Change a file: pieces of it, in units of the editor, or all of it."""
        buffer = self.buffers.get(path)
        if buffer is None:
            return
        for where, text in changes:
            if where is None:
                buffer = self.buffers[path] = Buffer(text, version, self.encoding)
            else:
                buffer.replace(Range(buffer.position(*where.start), buffer.position(*where.end)), text)
        buffer.version = version
        self._worker.schedule(path, self.settings.debounce / 1000)

    def close(self, path: str) -> None:
        """Forget a file that was closed."""
        self.buffers.pop(path, None)
        self.analyses.pop(path, None)
        self._worker.cancel(path)
        self._workspace.forget(path)

    def refresh(self, *, is_disk_changed: bool = True) -> None:
        """Validate all open files again, after something around them has changed."""
        if is_disk_changed:
            self._workspace.forget_disk()
        for path in self.buffers:
            self._worker.schedule(path, 0)

    def shut_down(self) -> None:
        """Start no further validation."""
        self._worker.close()

    def settings_in(self, path: str) -> Settings:
        """The settings of a file; those of the session where its comment is wrong."""
        try:
            return settings_for(self.buffers[path].lines, self.settings)
        except SettingsError:
            return self.settings

    def world(self, path: str) -> World:
        """What was around a file when it was last looked at."""
        found = self.analyses.get(path)
        return EMPTY if found is None else found.world

    def complete(self, path: str, at: Position) -> Completion:
        """What may be written at a place."""
        return complete(self.buffers[path].lines, at, self.settings_in(path).gates, self.world(path))

    def hover(self, path: str, at: Position) -> str:
        """What is known of the word at a place, in Markdown; empty for nothing."""
        lines = self.buffers[path].lines
        gates = self.settings_in(path).gates
        line = lines[at.line]
        word = word_at(line, at.column)
        found = gate_markdown(word, gates) or (rule_markdown(word) if "/" in word else "")
        if found or line.lstrip().startswith("#"):
            return found
        context = context_at(lines, at)
        if context.is_expression and context.scalar is not None:
            return expressions.hover(context.scalar.text, context.offset, gates, self.world(path))
        path_there = _path_of_key(lines, at, context)
        return field_markdown(gates.minor, context.api_version, context.kind, path_there)

    def signatures(self, path: str, at: Position) -> SignatureHelp | None:
        """The signatures of the CEL function whose arguments are typed at a place."""
        context = context_at(self.buffers[path].lines, at)
        if not context.is_expression or context.scalar is None:
            return None
        return expressions.signatures(context.scalar.text[: context.offset], self.settings_in(path).gates)

    def definitions(self, path: str, at: Position) -> list[Target]:
        """Where what is named at a place is defined."""
        return definitions(self.buffers[path].lines, at, path, self._own(path), self.world(path))

    def request_at(self, path: str, at: Position) -> Target | None:
        """The request that is named at a place."""
        found = request_at(self.buffers[path].lines, at, path, self._own(path))
        return None if found is None else found[1]

    def uses(self, path: str, at: Position) -> list[Target]:
        """All places that name the request at a place."""
        own = self._own(path)
        found = request_at(self.buffers[path].lines, at, path, own)
        if found is None:
            return []
        others = [entry.document for entry in self.world(path).objects if entry.document.file != path]
        return uses_of(found[0], found[1].name, [*own, *self._fresh(others)])

    def _fresh(self, documents: Iterable[Document]) -> Iterable[Document]:
        """The documents of other files, those of open ones as they are now."""
        seen = set()
        for document in documents:
            buffer = self.buffers.get(document.file)
            if buffer is None:
                yield document
            elif document.file not in seen:
                seen.add(document.file)
                yield from _documents(buffer.text, document.file)

    def _own(self, path: str) -> list[Document]:
        buffer, known = self.buffers[path], self.analyses.get(path)
        if known is not None and known.version == buffer.version:
            return list(known.own)
        return _documents(buffer.text, path)

    def _analyse(self, path: str) -> None:
        try:
            buffers = dict(self.buffers)
            buffer = buffers.get(path)
            if buffer is None:
                return
            opened = [Opened(name, other.text, other.version) for name, other in buffers.items()]
            file = next(one for one in opened if one.path == path)
            found = analyse(file, opened, self._workspace, self.settings, self.world(path))
            if path in self.buffers:
                self.analyses[path] = found
                self._publish(path, found)
        except Exception as error:
            # A fault must not end the session; editors show this output.
            sys.stderr.write(f"dractl: cannot validate {path}: {type(error).__name__}: {error}\n")


def _documents(text: str, path: str) -> list[Document]:
    return [item for item in load_text(text, path) if isinstance(item, Document)]


def _path_of_key(lines: Sequence[str], at: Position, context: Context) -> tuple[str, ...]:
    """The keys that lead to the field at a place, be it on its key or its value."""
    if not context.is_key:
        return context.path
    line = lines[at.line]
    end = word_end(line, at.column)
    key = (context.word + line[at.column : end]).strip("\"'")
    return (*context.path, key) if key and line[end:].lstrip("\"' ").startswith(":") else context.path
