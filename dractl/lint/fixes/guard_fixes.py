"""The fix of a selector that fails for devices without an attribute: a guard that makes it false for them."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.edits import Replace
from dractl.api.path import Steps
from dractl.cel.common.tree import Call, Comprehension, Node, Select, children_of
from dractl.finding import Applicability, Fix
from dractl.lint.fixes.text_edits import fix_of
from dractl.source.document import Document

__all__ = ["guard_fix"]

_AND = "_&&_"
_LAZY = frozenset(
    {_AND, "_||_", "_?_:_", "_?._", "_[?_]", "orValue", "or", "hasValue", "optMap", "optFlatMap"}
)
"""Functions that may have a value although a part of them fails."""


def guard_fix(
    document: Document, steps: Steps, expression: str, tree: Node, asked: Node, guard: str
) -> Fix | None:
    """The fix that puts ``guard`` before the selector at ``steps``, which fails where ``asked`` is missing.

    None unless the selector is a conjunction with a part that cannot be true or false without ``asked``: only
    then the guard changes nothing but an error, which becomes false.
    """
    if not any(_needs(part, asked) for part in _conjuncts(tree)):
        return None
    written = f"{guard} && "
    changes = (Replace(steps, written + expression),)
    at = document.offset_in_scalar(steps, 0)
    insertion = None if at is None else (at, written)
    return fix_of(document, changes, Applicability.SAFE, f"put `{guard} &&` before it", insertion)


def _conjuncts(node: Node) -> Iterator[Node]:
    if isinstance(node, Call) and node.function == _AND:
        for part in node.args:
            yield from _conjuncts(part)
    else:
        yield node


def _needs(node: Node, asked: Node) -> bool:
    """Whether ``node`` fails where ``asked`` fails, which is a part of it."""
    if node is asked:
        return True
    if isinstance(node, Comprehension) or (isinstance(node, Select) and node.test_only):
        return False
    if isinstance(node, Call) and (node.function in _LAZY or node.function.startswith("optional")):
        return False
    return any(_needs(part, asked) for part in children_of(node))
