"""A row of the library's table: one function with one signature, and all that any stage has to know."""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common.types import Type, parameters_of, written
from dractl.cel.common.values import Value
from dractl.cel.common.work import WORK
from dractl.records import NamedTuple

Implementation = Callable[..., Value]


class Overload(NamedTuple):
    """One overload of a function.

    ``parameters`` has the receiver first where ``method`` holds. ``implementation`` gets the arguments in
    that order and raises EvaluationError; None stands for operators that the evaluator has itself.
    ``cost`` names the rule in ``dractl.cel.cost.cost`` by which a call is charged.
    """

    function: str
    id: str
    method: bool
    parameters: tuple[Type, ...]
    result: Type
    variables: frozenset[str]
    implementation: Implementation | None
    cost: str
    doc: str

    @property
    def signature(self) -> str:
        """The overload as one would call it, with types in place of values."""
        shown = [str(part) for part in self.parameters]
        head = f"{shown.pop(0)}." if self.method else ""
        return f"{head}{self.function}({', '.join(shown)}) -> {self.result}"


def overload(
    function: str,
    identifier: str,
    signature: str,
    implementation: Implementation | None = None,
    *,
    cost: str = "call",
    doc: str = "",
) -> Overload:
    """The row with a signature such as ``(A, list(A)) -> bool``, of methods ``string.(int) -> string``."""
    left, _, result = signature.partition(" -> ")
    receiver, method, args = left.partition(".(")
    texts = args if method else left[1:]
    parts = [text for text in texts[:-1].split(", ") if text]
    parameters = tuple([written(text) for text in ([receiver, *parts] if method else parts)])
    result_type = written(result)
    return Overload(
        function=function,
        id=identifier,
        method=bool(method),
        parameters=parameters,
        result=result_type,
        variables=parameters_of((*parameters, result_type)),
        implementation=_counted(implementation)
        if implementation is not None and parameters
        else implementation,
        cost=cost,
        doc=doc,
    )


_SHORT = 100
"""Texts and lists up to this size are worked through in the time of the call itself."""


def _counted(run: Implementation) -> Implementation:
    """``run``, counting the work of going through a large first argument; what more it does is its matter."""

    def counted(first: Value, *others: Value) -> Value:
        if isinstance(first, _SIZED) and len(first) > _SHORT:
            WORK.spend(len(first) if isinstance(first, list) else len(first) >> 2)
        return run(first, *others)

    return counted


_SIZED = (str, bytes, list)
