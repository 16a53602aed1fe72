"""Calls in an expression whose constant argument can never be converted."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.tree import Call, Literal, Node
from dractl.cel.parser.spans import written_below
from dractl.records import NamedTuple

__all__ = ["FailingCall", "failing_constants"]

_CONVERSIONS = frozenset({"quantity", "semver"})


class FailingCall(NamedTuple):
    """A call that fails for every device: its text, the place of its argument, and why."""

    text: str
    offset: int
    message: str


def failing_constants(tree: Node) -> Iterator[FailingCall]:
    """The calls such as ``quantity("40GB")`` of a checked tree that fail, in the order of the text.

    The API server accepts them: it checks the literals of durations and timestamps only.
    """
    if isinstance(tree, Call) and tree.function in _CONVERSIONS and tree.target is None and tree.args:
        message = _failure(tree)
        if message:
            argument = tree.args[0]
            yield FailingCall(f"{tree.function}({_text(argument)})", argument.offset, message)
    for part in written_below(tree):
        yield from failing_constants(part)


def _failure(call: Call) -> str:
    values = [argument.value for argument in call.args if isinstance(argument, Literal)]
    implementation = call.overloads[0].implementation if len(call.overloads) == 1 else None
    if implementation is None or len(values) != len(call.args):
        return ""
    try:
        implementation(*values)
    except EvaluationError as error:
        return error.message
    return ""


def _text(argument: Node) -> str:
    value = argument.value if isinstance(argument, Literal) else ""
    return f'"{value}"'
