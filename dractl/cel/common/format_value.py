"""CEL values as text, written as an expression would write them."""

from __future__ import annotations

import json

from dractl.api.quantity import Quantity
from dractl.api.semver import Semver
from dractl.cel.common.numbers import double_text
from dractl.cel.common.operators import described, value_of_key
from dractl.cel.common.times import duration_text, timestamp_text
from dractl.cel.common.types import Type
from dractl.cel.common.values import Duration, Optional, Timestamp, Value

__all__ = ["shown"]

_LONGEST = 200
_MOST = 8
"""Elements of a list or map that are written; nobody reads more of them."""


def shown(value: Value) -> str:
    """``value`` as text; what is long is cut, and marked so."""
    text = _text(value, 0)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _text(value: Value, depth: int) -> str:
    if isinstance(value, str):
        return json.dumps(value[: _LONGEST + 1], ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{_joined([_nested(item, depth) for item in value[: _MOST + 1]])}]"
    if isinstance(value, dict):
        entries = list(value.items())[: _MOST + 1]
        return f"{{{_joined([_entry(key, item, depth) for key, item in entries])}}}"
    if isinstance(value, Optional):
        return _optional(value, depth)
    return _scalar(value)


def _optional(value: Optional, depth: int) -> str:
    if value.loss:
        return "a lost optional value"
    return f"optional.of({_nested(value.value, depth)})" if value.has_value else "optional.none()"


def _nested(value: Value, depth: int) -> str:
    return _text(value, depth + 1) if depth < _MOST else "…"


def _entry(key: Value, item: Value, depth: int) -> str:
    return f"{_text(value_of_key(key), depth)}: {_nested(item, depth)}"


def _joined(texts: list[str]) -> str:
    return ", ".join(texts if len(texts) <= _MOST else [*texts[:_MOST], "…"])


def _scalar(value: Value) -> str:
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, float):
        return double_text(value)
    if isinstance(value, bytes):
        return repr(value[: _LONGEST + 1])
    if isinstance(value, Quantity):
        return f'quantity("{value}")'
    if isinstance(value, Semver):
        return f'semver("{value}")'
    if isinstance(value, Duration):
        return f'duration("{duration_text(value)}")'
    if isinstance(value, Timestamp):
        return f'timestamp("{timestamp_text(value)}")'
    if isinstance(value, Type):
        return str(value)
    return described(value)
