"""What cel-python, a CEL engine without Kubernetes in it, says of an expression: for doubtful cases.

It knows neither quantities nor versions, which it gets as plain strings, and none of the functions of the
API server. docs/cel.md says why it is not what dractl evaluates with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.cel.device import split_name

__all__ = ["NotInstalledError", "SecondOpinion"]

_LONGEST = 200


class NotInstalledError(Exception):
    """The extra ``dractl[celpy]`` is not installed."""


class SecondOpinion:
    """An expression as cel-python compiles it."""

    __slots__ = ("_bool", "_program", "_value_of", "problem")

    def __init__(self, expression: str) -> None:
        """Compile; ``problem`` says why that failed, and is empty if it did not.

        Raises NotInstalledError.
        """
        try:
            import celpy  # noqa: PLC0415 - an extra, and slow to load
            from celpy.adapter import json_to_cel  # noqa: PLC0415
        except ImportError:
            raise NotInstalledError from None
        self.problem = ""
        self._program: Any = None
        self._value_of: Any = json_to_cel
        self._bool: Any = celpy.celtypes.BoolType
        environment = celpy.Environment()
        try:
            self._program = environment.program(environment.compile(expression))
        except Exception as error:  # it raises whatever its parser and grammar raise
            self.problem = _said(error)

    def evaluate(self, driver: str, device: Mapping[str, Any]) -> bool | str:
        """True or false for a v1-shaped device of a slice of ``driver``, or what is said instead."""
        if self._program is None:
            return self.problem
        try:
            value = self._program.evaluate({"device": self._value_of(_plain(driver, device))})
        except Exception as error:  # evaluation, too, raises whatever Python raises
            return _said(error)
        return bool(value) if isinstance(value, self._bool) else f"gives {value!r}"


def _plain(driver: str, device: Mapping[str, Any]) -> dict[str, Any]:
    """The variable ``device`` in plain data."""
    attributes: dict[str, dict[str, Any]] = {}
    for name, attribute in (device.get("attributes") or {}).items():
        domain, identifier = split_name(name, driver)
        attributes.setdefault(domain, {})[identifier] = next(iter(attribute.values()), None)
    capacity: dict[str, dict[str, Any]] = {}
    for name, entry in (device.get("capacity") or {}).items():
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
