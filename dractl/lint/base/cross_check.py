"""A check across the objects of an input: what it is given, and its row in the table of its module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from dractl.api.gates import GateSet
from dractl.api.release import Minor
from dractl.lint.base.input_pools import InputPool, pools_of
from dractl.lint.base.input_set import InputSet, Lint
from dractl.lint.base.lint_rule import OwnRule
from dractl.records import NamedTuple

__all__ = ["CrossCheck", "CrossInput"]


class CrossInput:
    """All objects of an input, and the pools that their slices make up.

    ``minor`` is that of the server, ``gates`` are its gates. ``is_placing``: the question is where devices
    go, so that a pool without any node is worth a word.
    """

    def __init__(
        self, inputs: InputSet, minor: Minor, *, is_placing: bool = False, gates: GateSet | None = None
    ) -> None:
        """Look at ``inputs``; pools are gathered when a check asks for them."""
        self.inputs = inputs
        self.minor = minor
        self.gates = gates
        self._is_placing = is_placing

    @cached_property
    def pools(self) -> list[InputPool]:
        """The pools, in order."""
        return pools_of(self.inputs)

    @property
    def is_pool_alone(self) -> bool:
        """Whether a file shows one pool and no node: then the nodes of the pool are just not in it."""
        return not self._is_placing and len(self.pools) == 1 and not self.inputs.of("Node")


class CrossCheck(NamedTuple):
    """A check with the rules that its lints are of."""

    rules: tuple[OwnRule, ...]
    run: Callable[[CrossInput], Iterator[Lint]]

    @property
    def explains_placement(self) -> bool:
        """Whether some of its lints say why devices go elsewhere than expected."""
        return any(rule.explains_placement for rule in self.rules)
