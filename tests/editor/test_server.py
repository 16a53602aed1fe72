"""A session with the client of pygls, as an editor has it; needs the extra dev."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from dractl.cli import sessions
from tests.editor.places import EXAMPLES

pytest.importorskip("pygls", reason="needs pygls: pip install 'dractl[lsp]'")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

TEXT = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: "😀"
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors:
        - cel: {expression: 'device.driver == "gpu.example.com"'} # 😀
    constraints:
    - requests: [gpu]
      matchAttribute: resource.kubernetes.io/pcieRoot
"""
FLAT = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu
"""


async def _session() -> None:
    client = LanguageClient("test", "1")
    published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
    told: list[str] = []

    def publish(params: types.PublishDiagnosticsParams) -> None:
        published.put_nowait(params)

    def show(params: types.ShowMessageParams) -> None:
        told.append(params.message)

    async def ask(method: str, params: object) -> Any:
        return await client.protocol.send_request_async(method, params)

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(publish)
    client.feature(types.WINDOW_SHOW_MESSAGE)(show)
    await client.start_io(sys.executable, "-m", "dractl", "lsp")
    root = (EXAMPLES / "quickstart").resolve()
    answer = await ask(
        types.INITIALIZE,
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), "quickstart")],
            initialization_options={"kubeVersion": "1.37", "debounce": 0},
        ),
    )
    assert answer.server_info.name == "dractl"
    assert answer.capabilities.position_encoding == "utf-16"
    client.initialized(types.InitializedParams())

    uri = (root / "new.yaml").as_uri()
    document = types.TextDocumentIdentifier(uri)

    async def opened(text: str) -> types.PublishDiagnosticsParams:
        item = types.TextDocumentItem(uri, "yaml", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await asyncio.wait_for(published.get(), 60)

    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    found = await opened(FLAT)
    (note,) = found.diagnostics
    assert (note.code, note.severity, note.source) == ("shape/request-flat", 1, "dractl")
    actions = await ask(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionParams(document, note.range, types.CodeActionContext([note])),
    )
    (edit,) = actions[0].edit.changes[uri]
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, uri),
            [types.TextDocumentContentChangePartial(edit.range, edit.new_text)],
        )
    )
    assert not (await asyncio.wait_for(published.get(), 60)).diagnostics
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    await asyncio.wait_for(published.get(), 60)

    found = await opened(TEXT)
    assert [(entry.code, entry.range.start.line) for entry in found.diagnostics] == [("meta/name-format", 3)]
    (hint,) = await ask(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(document, everything))
    line = TEXT.split("\n")[11]
    assert hint.label.startswith("3 of 4 devices, 2 of 2 nodes, cost ")
    assert hint.position == types.Position(11, len(line.encode("utf-16-le")) // 2)
    tokens = await ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(document))
    assert list(tokens.data[:5]) == [11, line.index("device"), len("device"), 0, 0]
    at = types.Position(9, 12)
    hover = await ask(types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, at))
    assert "**ResourceClaim.spec.devices.requests[*].exactly.deviceClassName**" in hover.contents.value
    completion = await ask(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(document, types.Position(9, 25))
    )
    assert [item.label for item in completion.items] == ["gpu", "nic"]
    (place,) = await ask(
        types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(document, types.Position(9, 26))
    )
    assert Path(place.uri).name == "cluster.yaml"
    at = types.Position(7, 13)
    renamed = await ask(types.TEXT_DOCUMENT_RENAME, types.RenameParams(document, at, "big"))
    assert {(e.range.start.line, e.range.start.character, e.new_text) for e in renamed.changes[uri]} == {
        (7, 12, "big"),
        (13, 17, "big"),
    }
    client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"dractl": {"kubeVersion": "9.99"}})
    )
    await asyncio.wait_for(published.get(), 60)
    assert told
    assert "9.99" in told[0]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call] # pygls has no type here


def test_a_session_with_a_client() -> None:
    asyncio.run(_session())


def test_without_pygls_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sessions, "find_spec", lambda _: None)
    assert sessions.serve_editor("1") == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert "pip install 'dractl[lsp]'" in written.err
