"""What is special about the evaluations of one expression."""

from __future__ import annotations

from typing import NamedTuple


class EvalOptions(NamedTuple):
    """In what evaluations of an expression differ from plain ones.

    ``mutable_quantities``: they change quantities, and so need their own. ``native_optionals``: what a
    variable holds optionally is read as ``dractl.cel.interpreter.native_optionals`` tells. ``lenient_or``:
    or() and orValue() of what is not optional give it as it is. ``weighs``: they count the work that
    ``dractl.cel.interpreter.comparison_limit`` tells. ``charges_successes``: a call
    or literal of which a part fails costs nothing itself, and later parts are not evaluated.
    """

    mutable_quantities: bool = False
    native_optionals: bool = False
    lenient_or: bool = False
    weighs: bool = False
    charges_successes: bool = False
