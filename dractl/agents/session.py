"""A session of the Model Context Protocol: JSON-RPC messages, a line each, and their answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from jsonschema import Draft202012Validator

from dractl import __version__
from dractl.agents.tools import TOOLS, BadCallError, Call, Tool, call_of
from dractl.api import budgets
from dractl.api.json_types import JsonDict

__all__ = ["answers"]

_VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""The revisions of the protocol that the messages here are the same in, the newest first."""

_PARSE_ERROR, _BAD_REQUEST, _NO_METHOD, _BAD_PARAMS = -32700, -32600, -32601, -32602
_TOOLS = {tool.name: tool for tool in TOOLS}


class _RequestError(Exception):
    """An answer that is an error of the protocol: its code and message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def answers(stream: BinaryIO, root: Path) -> Iterator[str]:
    """The answer to each message of ``stream``, as a line; notifications have none.

    Files are read in ``root`` only. Each call runs in a process of its own, so that no input can take the
    server down.
    """
    most = budgets.AGENT_MESSAGE.value * 2**20
    while line := stream.readline(most + 1):
        if len(line) > most:
            while line and not line.endswith(b"\n"):
                line = stream.readline(most)
            yield _line(_error(None, _BAD_REQUEST, budgets.AGENT_MESSAGE.message()))
        elif line.strip():
            answer = _answer(line, root)
            if answer is not None:
                yield _line(answer)


def _line(message: JsonDict) -> str:
    return json.dumps(message, ensure_ascii=True) + "\n"


def _error(number: object, code: int, message: str) -> JsonDict:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def _answer(line: bytes, root: Path) -> JsonDict | None:
    number: object = None
    try:
        message = _message(line)
        if "id" not in message:
            return None
        number = message["id"]
        method, params = _request(message)
        return {"jsonrpc": "2.0", "id": number, "result": _result(method, params, root)}
    except _RequestError as error:
        return _error(number if isinstance(number, str | int) else None, error.code, str(error))


def _request(message: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    number, method, params = message["id"], message.get("method"), message.get("params", {})
    if not isinstance(method, str) or isinstance(number, bool) or not isinstance(number, str | int):
        raise _RequestError(_BAD_REQUEST, "a request needs a method, and an id that is a string or integer")
    if not isinstance(params, dict):
        raise _RequestError(_BAD_PARAMS, "params must be an object")
    return method, params


def _message(line: bytes) -> dict[str, object]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _RequestError(_PARSE_ERROR, f"not JSON: {error}") from None
    if not isinstance(message, dict):
        raise _RequestError(_BAD_REQUEST, "a message must be one object on one line")
    return message


def _result(method: str, params: Mapping[str, object], root: Path) -> JsonDict:
    if method == "initialize":
        wanted = params.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in _VERSIONS else _VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "dractl", "version": __version__},
            "instructions": "Check Kubernetes DRA manifests offline. Files are read only in the folder in "
            "which the server was started.",
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [tool.listed() for tool in TOOLS]}
    if method == "tools/call":
        return _called(params, root)
    raise _RequestError(_NO_METHOD, f"unknown method {method}")


def _called(params: Mapping[str, object], root: Path) -> JsonDict:
    name, arguments = params.get("name"), params.get("arguments", {})
    tool = _TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise _RequestError(_BAD_PARAMS, f"unknown tool {name!r}; known: {', '.join(_TOOLS)}")
    try:
        return _run(call_of(tool, _checked(tool, arguments), root), root)
    except BadCallError as error:
        return _content(str(error), is_error=True)


def _checked(tool: Tool, arguments: object) -> Mapping[str, object]:
    error = next(iter(Draft202012Validator(tool.schema()).iter_errors(arguments)), None)
    if error is not None or not isinstance(arguments, dict):
        where = "".join(f"[{step!r}]" for step in error.absolute_path) if error else ""
        raise BadCallError(f"arguments{where}: {error.message if error else 'must be an object'}")
    return arguments


def _run(call: Call, root: Path) -> JsonDict:
    """What the command writes; exit code 2 means that it has no answer."""
    command = [sys.executable, "-P", "-m", "dractl", *call.arguments]
    try:
        done = subprocess.run(  # noqa: S603 - our own program, with arguments after --
            command,
            input=call.text.encode("utf-8", "surrogatepass"),
            cwd=root,
            capture_output=True,
            timeout=budgets.AGENT_CALL.value,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _content(budgets.AGENT_CALL.message(), is_error=True)
    written, notes = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
    return _content(written, notes, is_error=done.returncode not in (0, 1))


def _content(*texts: str, is_error: bool) -> JsonDict:
    """Result and notes apart: the result may be a JSON document."""
    shown = [text for text in texts if text] or [""]
    return {"content": [{"type": "text", "text": text} for text in shown], "isError": is_error}
