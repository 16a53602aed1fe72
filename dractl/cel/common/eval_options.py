"""What is special about the evaluations of one expression."""

from __future__ import annotations

from dractl.records import NamedTuple


class EvalOptions(NamedTuple):
    """How evaluations of an expression differ from plain ones.

    ``mutable_quantities``: they change quantities, so each needs its own copies. ``native_optionals``:
    optional values of variables are read as in ``dractl.cel.interpreter.native_optionals``. ``lenient_or``:
    or() and orValue() return a value that is not optional unchanged. ``weighs``: they count the work that
    ``dractl.cel.interpreter.comparison_limit`` limits. ``charges_successes``: if a part of a call or literal
    fails, the call or literal costs nothing itself, and later parts are not evaluated.
    """

    mutable_quantities: bool = False
    native_optionals: bool = False
    lenient_or: bool = False
    weighs: bool = False
    charges_successes: bool = False
