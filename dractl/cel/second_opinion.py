"""The result of cel-python, a CEL engine without Kubernetes in it: a second opinion for doubtful cases.

It knows neither quantities nor versions, which it gets as plain strings, and none of the functions of the
API server. docs/cel.md says why it is not what dractl evaluates with.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from dractl.api import budgets
from dractl.api.json_types import JsonObject
from dractl.cel.common.device import split_name
from dractl.cel.common.values import Value

__all__ = ["Device", "NotInstalledError", "SecondOpinion"]

_LONGEST = 200
_MIB = 2**20

Device = tuple[str, JsonObject]
"""The driver of a slice, and one of its devices in the shape of v1."""


class NotInstalledError(Exception):
    """The extra ``dractl[celpy]`` is not installed."""


class SecondOpinion:
    """Asks cel-python in a process of its own, within the seconds and the memory that one run may take.

    Its parser needs exponential time for a row of ``&&``, and nothing in it can be interrupted.
    """

    __slots__ = ("_seconds",)

    def __init__(self) -> None:
        """Raise NotInstalledError if cel-python is not there."""
        if importlib.util.find_spec("celpy") is None:
            raise NotInstalledError
        self._seconds = float(budgets.SECOND_OPINION_TIME.value)

    def ask(self, expression: str, devices: Sequence[Device]) -> list[bool | str]:
        """True or false for each device, or what is said instead, as where time runs out."""
        if not devices:
            return []
        start = time.monotonic()
        answers = _answers(expression, devices, self._seconds) if self._seconds > 0 else []
        self._seconds -= time.monotonic() - start
        missing = budgets.SECOND_OPINION_TIME.message()
        if self._seconds > 0 and len(answers) < len(devices):
            missing = budgets.SECOND_OPINION_MEMORY.message()
        return [*answers, *[missing] * (len(devices) - len(answers))]


# The search path is given, since that of a new process would begin with the working folder, which may be a
# stranger's.
_CHILD = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from dractl.cel.second_opinion import answer
answer()
"""


def _answers(expression: str, devices: Sequence[Device], seconds: float) -> list[bool | str]:
    """The answers that come in time; fewer if the process ends early."""
    variables = [_plain(driver, device) for driver, device in devices]
    asked = json.dumps([expression, variables, budgets.SECOND_OPINION_MEMORY.value])
    command = [sys.executable, "-I", "-c", _CHILD, json.dumps(sys.path)]
    try:
        written: bytes | None = subprocess.run(  # noqa: S603 - Python itself, and the code above
            command, input=asked.encode(), capture_output=True, timeout=seconds, check=False
        ).stdout
    except subprocess.TimeoutExpired as ended:
        written = ended.stdout
    lines = (written or b"").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def answer() -> None:
    """In the process of its own: read an expression and variables as JSON, write an answer a line."""
    expression, devices, mebibytes = json.load(sys.stdin)
    _limit_memory(mebibytes)
    for found in _evaluated(expression, devices):
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


def _limit_memory(mebibytes: int) -> None:
    try:
        import resource  # not on Windows
    except ImportError:
        return
    most = mebibytes * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _evaluated(expression: str, devices: Sequence[dict[str, Value]]) -> Iterator[bool | str]:
    import celpy  # an extra, and slow to load
    from celpy.adapter import json_to_cel

    environment = celpy.Environment()
    try:
        program: Any = environment.program(environment.compile(expression))
    except MemoryError:
        return
    except Exception as error:  # it raises whatever its parser and grammar raise
        yield from [_said(error)] * len(devices)
        return
    for device in devices:
        try:
            value = program.evaluate({"device": json_to_cel(device)})
        except MemoryError:
            return
        except Exception as error:  # evaluation, too, raises whatever Python raises
            yield _said(error)
            continue
        yield bool(value) if isinstance(value, celpy.celtypes.BoolType) else f"gives {value!r}"[:_LONGEST]


def _entries(device: JsonObject, field: str) -> Iterable[tuple[str, JsonObject]]:
    return cast("dict[str, JsonObject]", device.get(field) or {}).items()


def _plain(driver: str, device: JsonObject) -> dict[str, Value]:
    """The variable ``device`` in plain data."""
    attributes: dict[str, dict[str, Value]] = {}
    for name, attribute in _entries(device, "attributes"):
        domain, identifier = split_name(name, driver)
        attributes.setdefault(domain, {})[identifier] = next(iter(attribute.values()), None)
    capacity: dict[str, dict[str, Value]] = {}
    for name, entry in _entries(device, "capacity"):
        domain, identifier = split_name(name, driver)
        capacity.setdefault(domain, {})[identifier] = entry.get("value", "0")
    return {
        "driver": driver,
        "attributes": attributes,
        "capacity": capacity,
        "allowMultipleAllocations": bool(device.get("allowMultipleAllocations")),
    }


def _said(error: Exception) -> str:
    """The first line of a message, without the state of the engine that it may go on with."""
    text = str(error.args[0] if error.args else error).partition(" (in activation")[0]
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {first[:_LONGEST]}"
