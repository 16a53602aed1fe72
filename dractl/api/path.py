"""Field paths as the API server writes them, built while walking an object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Steps: TypeAlias = "tuple[str | int, ...]"
"""The keys and list indices (from 0) that lead from the root of an object to a place in it."""


class FieldPath:
    """One place inside an object, as an immutable chain of steps from the root.

    A child is written with a dot, a list index or a map key in brackets without quotes, as
    ``k8s.io/apimachinery/pkg/util/validation/field.Path`` prints them:
    ``spec.devices[0].attributes[gpu.example.com/model].version``.
    """

    __slots__ = ("_is_child", "_parent", "_step", "_text_step")

    def __init__(self, step: str | int, parent: FieldPath | None = None) -> None:
        """Start a path at the field ``step``, under ``parent`` if any."""
        self._parent = parent
        self._step = step
        self._is_child = True
        self._text_step: str | None = None

    def child(self, name: str) -> FieldPath:
        """The path of the field ``name`` of this object."""
        return FieldPath(name, self)

    def at(self, *names: str) -> FieldPath:
        """The path of the nested fields ``names``."""
        path = self
        for name in names:
            path = FieldPath(name, path)
        return path

    def index(self, position: int) -> FieldPath:
        """The path of the list item at ``position`` (from 0)."""
        path = FieldPath(position, self)
        path._is_child = False
        return path

    def key(self, name: str, *, shown: str | None = None) -> FieldPath:
        """The path of the map entry ``name``; ``shown`` is in its text where the server shortens keys."""
        path = FieldPath(name, self)
        path._is_child = False
        path._text_step = shown
        return path

    def steps(self) -> Steps:
        """The steps from the root, as keys and indices into the object; map keys in full."""
        found: list[str | int] = []
        path: FieldPath | None = self
        while path is not None:
            found.append(path._step)
            path = path._parent
        found.reverse()
        return tuple(found)

    def __str__(self) -> str:
        parts: list[str] = []
        path: FieldPath | None = self
        while path is not None:
            step = path._step if path._text_step is None else path._text_step
            if not path._is_child:
                parts.append(f"[{step}]")
            elif path._parent is None:
                parts.append(str(step))
            else:
                parts.append(f".{step}")
            path = path._parent
        parts.reverse()
        return "".join(parts)

    def __repr__(self) -> str:
        return f"FieldPath({str(self)!r})"


def path_text(steps: Iterable[str | int]) -> str:
    """Steps as strict decoding writes a path: list indices in brackets, map keys like fields."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def shortened_key(key: str, limit: int) -> str | None:
    """What the hand-written checks show of a map key over ``limit`` bytes; None if all of it.

    Mirrors the shortening in ``pkg/apis/resource/validation`` since 1.32.
    """
    limit = max(limit, 16)
    raw = key.encode()
    if len(raw) <= limit:
        return None
    head = raw[: (limit - 3 + 1) // 2]
    tail = raw[len(raw) - (limit - 3) // 2 :]
    return head.decode(errors="replace") + "..." + tail.decode(errors="replace")
