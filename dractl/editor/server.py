"""The Language Server Protocol on standard input and output; the answers are those of the session."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import from_fs_path, to_fs_path

from dractl.editor.analysis import Analysis, Note, range_of_edit
from dractl.editor.buffer import UTF_16, Buffer, Position, Range
from dractl.editor.colors import TYPES, encoded
from dractl.editor.items import Item, Sort
from dractl.editor.references import Target
from dractl.editor.session import Session, warm_up
from dractl.finding import Applicability, Severity

__all__ = ["serve", "server_of"]

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_KINDS = {
    Sort.FIELD: types.CompletionItemKind.Field,
    Sort.ENUM: types.CompletionItemKind.EnumMember,
    Sort.NAME: types.CompletionItemKind.Reference,
    Sort.ATTRIBUTE: types.CompletionItemKind.Property,
    Sort.VALUE: types.CompletionItemKind.Value,
    Sort.FUNCTION: types.CompletionItemKind.Function,
    Sort.VARIABLE: types.CompletionItemKind.Variable,
}
_SWITCH = 0.0005
_TRIGGERS = [".", '"', "'", "[", ":", " ", "/", "-"]


class _OneLine(logging.Formatter):
    """Messages for the log of an editor, without tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, with the error that it is about."""
        error = record.exc_info[1] if record.exc_info else None
        return f"dractl: {record.getMessage()}{f': {error}' if error is not None else ''}"


class _Protocol(LanguageServerProtocol):
    """The protocol without pygls' own copies of the texts, whose changes take long in large files."""

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(  # type: ignore[no-untyped-def]
        self, params: types.DidChangeTextDocumentParams
    ):
        """Leave the change to the handler."""
        handler = self.fm.features.get(types.TEXT_DOCUMENT_DID_CHANGE)
        if handler is not None:
            yield handler, (params,), None


class _Server(LanguageServer):
    """A server with its session, and the event loop in which messages are sent."""

    def __init__(self, version: str) -> None:
        super().__init__(
            "dractl",
            version,
            protocol_cls=_Protocol,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        )
        self.session = Session(self._from_worker)
        self.options: object = None
        self.loop_of_messages: asyncio.AbstractEventLoop | None = None

    def _from_worker(self, path: str, found: Analysis) -> None:
        if self.loop_of_messages is not None:
            self.loop_of_messages.call_soon_threadsafe(self.publish, path, found)

    def publish(self, path: str, found: Analysis) -> None:
        """Send the notes of a file, unless it was closed or changed since then."""
        buffer = self.session.buffers.get(path)
        if buffer is None or buffer.version != found.version:
            return
        notes = [_diagnostic(note, buffer) for note in found.notes]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(_uri(path), notes, found.version)
        )
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)


def serve(version: str) -> None:
    """Answer an editor until it ends the session."""
    warm_up()
    # Keystrokes are answered while the other thread validates.
    sys.setswitchinterval(_SWITCH)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine())
    logger = logging.getLogger("pygls")
    logger.addHandler(handler)
    logger.propagate = False
    server_of(version).start_io()


def _path(uri: str) -> str:
    if not uri.startswith("file:"):
        return uri
    return to_fs_path(uri) or uri


def _uri(path: str) -> str:
    return from_fs_path(path) or path if Path(path).is_absolute() else path


def _raw(where: types.Range) -> Range:
    """A range of the protocol as it is, in units of the editor."""
    start, end = where.start, where.end
    return Range(Position(start.line, start.character), Position(end.line, end.character))


def _sent(where: Range, buffer: Buffer) -> types.Range:
    return types.Range(_sent_place(where.start, buffer), _sent_place(where.end, buffer))


def _sent_place(at: Position, buffer: Buffer) -> types.Position:
    return types.Position(at.line, buffer.units(at))


def _diagnostic(note: Note, buffer: Buffer) -> types.Diagnostic:
    return types.Diagnostic(
        range=_sent(note.where, buffer),
        message=note.message,
        severity=_SEVERITIES[note.severity],
        code=note.rule,
        source="dractl",
    )


def _completion_item(item: Item, where: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=item.label,
        kind=_KINDS[item.sort],
        detail=item.detail or None,
        documentation=item.documentation or None,
        text_edit=types.TextEdit(where, item.text),
        filter_text=item.label,
    )


def server_of(version: str) -> LanguageServer:
    """A server whose handlers ask its session; ``version`` is that of dractl."""
    server = _Server(version)
    _add_sync(server)
    _add_questions(server)
    _add_references(server)
    _add_decorations(server)
    return server


def _add_sync(server: _Server) -> None:
    session = server.session

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        server.loop_of_messages = asyncio.get_running_loop()
        encoding = server.workspace.position_encoding
        session.encoding = encoding.value if isinstance(encoding, types.PositionEncodingKind) else UTF_16
        roots = [_path(uri) for uri in server.workspace.folders]
        if not roots and server.workspace.root_path:
            roots = [server.workspace.root_path]
        _tell(session.configure(server.options, roots))

    def _tell(problem: str) -> None:
        if problem:
            message = types.ShowMessageParams(types.MessageType.Error, f"dractl: {problem}")
            server.window_show_message(message)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.options = params.initialization_options

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: types.DidChangeConfigurationParams) -> None:
        _tell(session.configure(params.settings))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        session.open(_path(document.uri), document.text, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        changes = [
            (
                _raw(change.range) if isinstance(change, types.TextDocumentContentChangePartial) else None,
                change.text,
            )
            for change in params.content_changes
        ]
        session.change(_path(params.text_document.uri), params.text_document.version, changes)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        session.refresh()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(_: types.DidChangeWatchedFilesParams) -> None:
        session.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        session.close(_path(uri))
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.SHUTDOWN)
    def shut_down(_: None) -> None:
        session.shut_down()


def _add_questions(server: _Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def completion(params: types.CompletionParams) -> types.CompletionList | None:
        path, at = _place(session, params)
        if at is None:
            return None
        found = session.complete(path, at)
        buffer = session.buffers[path]
        where = _sent(Range(Position(at.line, found.start), at), buffer)
        items = [_completion_item(item, where) for item in found.items]
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        path, at = _place(session, params)
        text = session.hover(path, at) if at is not None else ""
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None

    @server.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    def signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        path, at = _place(session, params)
        found = session.signatures(path, at) if at is not None else None
        if found is None:
            return None
        shown = [
            types.SignatureInformation(
                label, note or None, [types.ParameterInformation(part) for part in parameters]
            )
            for label, parameters, note in found.signatures
        ]
        return types.SignatureHelp(shown, 0, found.argument)


class _AtPlace(Protocol):
    """What all requests about a place have."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


def _place(session: Session, params: _AtPlace) -> tuple[str, Position | None]:
    """The path and place that a request is about; no place in a file that is not open."""
    path = _path(params.text_document.uri)
    buffer = session.buffers.get(path)
    if buffer is None:
        return path, None
    return path, buffer.position(params.position.line, params.position.character)


def _add_references(server: _Server) -> None:
    session = server.session

    def located(target: Target) -> types.Location:
        line, column = target.at
        end = Position(line, column + len(target.name))
        buffer = session.buffers.get(target.file)
        if buffer is None:
            return types.Location(
                _uri(target.file),
                types.Range(types.Position(line, column), types.Position(line, end.column)),
            )
        return types.Location(_uri(target.file), _sent(Range(target.at, end), buffer))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        path, at = _place(session, params)
        return [located(target) for target in session.definitions(path, at)] if at is not None else []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        path, at = _place(session, params)
        return [located(target) for target in session.uses(path, at)] if at is not None else []

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.Range | None:
        path, at = _place(session, params)
        found = None if at is None else session.request_at(path, at)
        if found is None or at is None:
            return None
        uses = [target for target in session.uses(path, at) if target.file == path]
        here = (target for target in uses if target.at.line == at.line and target.at <= at)
        target = max(here, default=None)
        return None if target is None else located(target).range

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        path, at = _place(session, params)
        targets = session.uses(path, at) if at is not None else []
        changes: dict[str, list[types.TextEdit]] = {}
        for target in targets:
            place = located(target)
            changes.setdefault(place.uri, []).append(types.TextEdit(place.range, params.new_name))
        return types.WorkspaceEdit(changes=changes) if changes else None


def _add_decorations(server: _Server) -> None:
    session = server.session

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        path = _path(params.text_document.uri)
        buffer, found = session.buffers.get(path), session.analyses.get(path)
        if buffer is None or found is None or buffer.version != found.version:
            return []
        first, last = params.range.start.line, params.range.end.line
        near = [
            note for note in found.notes if note.where.start.line <= last and note.where.end.line >= first
        ]
        return _fixes(near, path, buffer)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        path = _path(params.text_document.uri)
        buffer, found = session.buffers.get(path), session.analyses.get(path)
        if buffer is None or found is None:
            return []
        first, last = params.range.start.line, params.range.end.line
        return [
            types.InlayHint(_sent_place(hint.at, buffer), hint.text, padding_left=True)
            for hint in found.hints
            if first <= hint.at.line <= last
        ]

    @server.feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=[]),
    )
    def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        buffer = session.buffers.get(_path(params.text_document.uri))
        return types.SemanticTokens(data=encoded(buffer) if buffer is not None else [])


def _fixes(notes: Sequence[Note], path: str, buffer: Buffer) -> list[types.CodeAction]:
    actions = []
    for note in notes:
        fix = note.finding.fix if note.finding is not None else None
        if fix is None:
            continue
        edits = [types.TextEdit(_sent(range_of_edit(edit), buffer), edit.text) for edit in fix.edits]
        actions.append(
            types.CodeAction(
                title=f"dractl: {fix.message}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[_diagnostic(note, buffer)],
                is_preferred=fix.applicability is Applicability.SAFE,
                edit=types.WorkspaceEdit(changes={_uri(path): edits}),
            )
        )
    return actions
