"""What names mean in an environment, and which overloads of a function fit (``resolveOverload``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import count

from dractl.cel.common import types
from dractl.cel.common.environment import Environment
from dractl.cel.common.overload import Overload
from dractl.cel.common.types import DYN, Type, all_assignable, is_dynamic, parameters_of, substituted
from dractl.records import NamedTuple


class Declarations:
    """What names mean in an environment.

    ``operands_checked_twice`` tells that the operand of optMap() and optFlatMap() gets its type twice, which
    1.31 takes for an error where that type is open, as of an empty list.
    """

    __slots__ = ("environment", "fields", "functions", "operands_checked_twice", "type_names", "variables")

    def __init__(
        self,
        *,
        functions: Mapping[str, tuple[Overload, ...]],
        variables: Mapping[str, Type],
        type_names: Mapping[str, Type],
        fields: Mapping[str, Mapping[str, Type]],
        operands_checked_twice: bool = False,
        environment: Environment | None = None,
    ) -> None:
        """Hold what is declared; nothing of it may change.

        ``environment`` tells messages what other environments have; None where there are no others.
        """
        self.environment = environment
        self.functions = functions
        self.variables = variables
        self.type_names = type_names
        self.fields = fields
        self.operands_checked_twice = operands_checked_twice


class Resolution(NamedTuple):
    """The overloads that fit, and the type of the result."""

    overloads: tuple[Overload, ...]
    result: Type


class Fitting:
    """Collects the overloads that fit, with what type parameters stand for when all of them are to fit."""

    def __init__(self, mapping: types.Mapping, variable: Callable[[], Type]) -> None:
        """Start from a mapping, which is not changed; ``variable`` makes a new type parameter."""
        self.mapping = mapping
        self.overloads: list[Overload] = []
        self.result: Type | None = None
        self._variable = variable

    def add(self, overload: Overload, actual: tuple[Type, ...]) -> None:
        """Take an overload in if it fits."""
        wanted, outcome = overload.parameters, overload.result
        if len(wanted) != len(actual) or _are_apart(actual, wanted):
            return
        if overload.variables:
            fresh = {name: self._variable() for name in overload.variables}
            wanted = tuple([substituted(fresh, part) for part in wanted])
            outcome = substituted(fresh, outcome)
        if actual != wanted or overload.variables:
            attempt = dict(self.mapping)
            if not all_assignable(attempt, actual, wanted):
                return
            self.mapping = attempt
        self.overloads.append(overload)
        outcome = substituted(self.mapping, outcome)
        if self.result is None:
            self.result = outcome
        elif not is_dynamic(self.result) and outcome != self.result:
            self.result = DYN


@lru_cache(maxsize=8192)
def resolution(
    declared: Declarations, function: str, method: bool, actual: tuple[Type, ...]
) -> Resolution | None:
    """What a call with closed types of arguments resolves to, whatever is around it.

    None where the surroundings matter: open types among the arguments or in the result, or nothing fits.
    """
    if parameters_of(actual):
        return None
    numbers = count()
    fitting = Fitting({}, lambda: Type("param", f"_{next(numbers)}"))
    for overload in declared.functions[function]:
        if overload.method == method:
            fitting.add(overload, actual)
    if fitting.result is None or parameters_of((fitting.result,)):
        return None
    return Resolution(tuple(fitting.overloads), fitting.result)


_SIMPLE = frozenset(
    {"bool", "int", "uint", "double", "string", "bytes", "duration", "timestamp", "list", "map", "opaque"}
    | {"struct", "type"}
)


def _are_apart(actual: tuple[Type, ...], wanted: tuple[Type, ...]) -> bool:
    """Whether a look at the kinds is enough to say that an overload does not fit."""
    for one, other in zip(actual, wanted, strict=True):
        if one.kind != other.kind and one.kind in _SIMPLE and other.kind in _SIMPLE:
            return True
    return False
