"""What type errors say beyond that something is wrong: what there is, and what was probably meant."""

from __future__ import annotations

from typing import Any

from dractl.cel.overload import Overload
from dractl.cel.tree import Call


def no_overload_message(node: Call, overloads: tuple[Overload, ...], shown: list[str]) -> str:
    """What to say of a call with arguments of these types, which no overload takes."""
    operator = node.function.strip("_@")
    if node.function.startswith(("_", "@", "!", "-")):
        if len(shown) == 1:
            return f"{operator} cannot be applied to a value of type {shown[0]}"
        return f"{_operator(node.function)} cannot be applied to {shown[0]} and {shown[1]}" + _advice(
            node.function, shown
        )
    call = f"{node.function}({', '.join(shown)})"
    if node.target is not None:
        call = f"{shown[0]}.{node.function}({', '.join(shown[1:])})"
    possible = "; ".join(dict.fromkeys(overload.signature for overload in overloads))
    return f"{call} does not exist; there is {possible}"


def _operator(function: str) -> str:
    known = {"_[_]": "indexing", "_[?_]": "optional indexing", "_?_:_": "the choice ?:", "@in": "in"}
    return known.get(function, function.strip("_"))


def _advice(function: str, shown: list[str]) -> str:
    if function in {"_<_", "_<=_", "_>_", "_>=_"} and any(name.startswith("kubernetes.") for name in shown):
        return "; use isLessThan, isGreaterThan or compareTo"
    if "kubernetes.Quantity" in shown:
        return '; write a quantity as quantity("1Gi")'
    if "kubernetes.Semver" in shown:
        return '; write a version as semver("1.0.0")'
    if sorted(shown)[:1] != sorted(shown)[1:] and set(shown) <= {"int", "uint", "double"}:
        return "; convert one side, for example with double()"
    return ""


def nearest(name: str, known: Any) -> str:
    """An advice that names the known name nearest to ``name``, or an empty text."""
    import difflib  # noqa: PLC0415 - only on the way to an error

    candidates = [found for found in known if found[:1].isalpha() and not found.startswith("_")]
    near = difflib.get_close_matches(name, candidates, n=1)
    return f"did you mean {near[0]}?" if near else ""
