from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dractl.agents.session import answers
from dractl.agents.tools import TOOLS, BadCallError, call_of
from dractl.api import budgets
from tests.paths import ROOT
from tests.rows import each_row

QUICKSTART = ROOT / "testdata" / "examples" / "quickstart"
BROKEN = ROOT / "testdata" / "examples" / "broken.yaml"


def _answers(*messages: object, root: Path = ROOT) -> list[dict[str, Any]]:
    lines = [message if isinstance(message, bytes) else json.dumps(message).encode() for message in messages]
    return [json.loads(line) for line in answers(io.BytesIO(b"\n".join(lines)), root)]


def _request(method: str, number: int | str = 1, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _call(tool: str, arguments: object, root: Path = ROOT) -> tuple[str, bool]:
    (answer,) = _answers(_request("tools/call", name=tool, arguments=arguments), root=root)
    return answer["result"]["content"][0]["text"], answer["result"]["isError"]


@pytest.mark.parametrize(("wanted", "agreed"), [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18")])
def test_a_session_begins_with_a_revision_that_both_know(wanted: str, agreed: str) -> None:
    first, second = _answers(
        _request(
            "initialize", protocolVersion=wanted, capabilities={}, clientInfo={"name": "a", "version": "1"}
        ),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        _request("ping", "two"),
    )
    assert first["result"]["protocolVersion"] == agreed
    assert first["result"]["capabilities"] == {"tools": {}}
    assert second == {"jsonrpc": "2.0", "id": "two", "result": {}}


def test_the_tools_are_listed_with_their_schemas() -> None:
    (answer,) = _answers(_request("tools/list"))
    listed = answer["result"]["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in TOOLS]
    for tool in listed:
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["annotations"]["readOnlyHint"] is True


def test_validate_answers_as_the_command() -> None:
    text, is_error = _call("validate", {"paths": [str(BROKEN.relative_to(ROOT))]})
    assert "request/count-all" in text
    assert not is_error


def test_manifests_come_as_text_and_go_as_a_document() -> None:
    text, is_error = _call("validate", {"manifests": BROKEN.read_text(encoding="utf-8"), "format": "json"})
    assert json.loads(text)["schema"] == "dractl.validate/1"
    assert not is_error


def test_the_server_of_another_minor_is_asked() -> None:
    text, _ = _call(
        "validate",
        {
            "manifests": BROKEN.read_text(encoding="utf-8"),
            "kube_version": "1.34",
            "feature_gates": {"DRAPartitionableDevices": True},
            "format": "json",
        },
    )
    found = json.loads(text)
    assert (found["kubeVersion"], found["featureGates"]) == ("1.34", {"DRAPartitionableDevices": True})


def test_simulate_why_and_explain_answer_as_the_commands() -> None:
    assert "default/chat" in _call("simulate", {"paths": ["."]}, root=QUICKSTART)[0]
    assert "node-b" in _call("why", {"name": "chat", "paths": ["."]}, root=QUICKSTART)[0]
    assert (
        "DRAAdminAccess"
        in _call("explain_field", {"field": "resourceclaim.spec.devices.requests.exactly.adminAccess"})[0]
    )
    assert "request/name" in _call("explain_rule", {"rule": "request/name"})[0]


def test_an_expression_is_no_option() -> None:
    text, is_error = _call("cel", {"expression": "--help"})
    assert "Usage" not in text
    assert not is_error
    assert "compile" in text or "error" in text


@each_row(
    ("name", "arguments", "part"),
    [
        ("validate", {}, "give manifests as text, or paths"),
        ("validate", {"manifests": "", "paths": ["a"]}, "not both"),
        ("validate", {"paths": ["../.."]}, "outside the folder"),
        ("validate", {"paths": ["/etc/passwd"]}, "outside the folder"),
        ("validate", {"paths": ["a\0b"]}, "path"),
        ("validate", {"paths": "a"}, "arguments['paths']"),
        ("validate", {"manifests": "", "output": "x"}, "output"),
        ("validate", {"manifests": "kind: Pod", "kube_version": "9.9"}, "9.9"),
        ("why", {"manifests": "a: b"}, "'name' is a required property"),
        ("explain_field", {"field": "nothing.at.all"}, "no kind or DRA field"),
    ],
)
def test_a_bad_call_is_an_error_for_the_agent(name: str, arguments: dict[str, object], part: str) -> None:
    text, is_error = _call(name, arguments)
    assert part in text
    assert is_error


@each_row(
    ("message", "code", "number"),
    [
        (b"{", -32700, None),
        (b"\xff\xfe", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"[]", -32600, None),
        (b'"text"', -32600, None),
        ({"jsonrpc": "2.0", "id": 1}, -32600, 1),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600, None),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602, 1),
        (_request("resources/list"), -32601, 1),
        (_request("tools/call", name="rm"), -32602, 1),
        (_request("tools/call", name=["rm"]), -32602, 1),
    ],
)
def test_a_bad_message_ends_no_session(message: object, code: int, number: object) -> None:
    first, second = _answers(message, _request("ping", 7))
    assert (first["error"]["code"], first["id"]) == (code, number)
    assert second["id"] == 7


def test_a_message_that_is_too_large_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "AGENT_MESSAGE", budgets.AGENT_MESSAGE._replace(value=1))
    first, second = _answers(b"x" * (2**20 + 5), _request("ping", 7))
    assert first["error"]["message"] == "the message is larger than 1 MiB"
    assert second["id"] == 7


def test_a_call_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "AGENT_CALL", budgets.AGENT_CALL._replace(value=0))
    assert _call("explain_rule", {"rule": "request/name"}) == ("the call was stopped after 0 seconds", True)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.yaml").write_text("a: b", encoding="utf-8")
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    tool = next(tool for tool in TOOLS if tool.name == "validate")
    with pytest.raises(BadCallError, match="outside"):
        call_of(tool, {"paths": ["link.yaml"]}, tmp_path / "in")


def test_the_command_serves_until_its_input_ends() -> None:
    script = json.dumps(_request("ping")) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "dractl", "mcp"],
        input=script,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_page_lists_the_tools() -> None:
    page = (ROOT / "docs/how-to/agents.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` ", page, flags=re.MULTILINE) == [tool.name for tool in TOOLS]
