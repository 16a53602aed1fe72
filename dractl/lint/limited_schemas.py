"""JSON Schema validators whose work is bounded: the schemas and what they are applied to come from strangers.

Patterns are RE2's, in linear time; what is equal is found by hashing; every keyword counts as a step.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import isfinite
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from jsonschema import FormatChecker, _keywords, _legacy_keywords, _utils
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing.jsonschema import EMPTY_REGISTRY

from dractl.api import budgets
from dractl.api.json_types import JsonDict
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.work import WORK
from dractl.cel.regex import regex

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

__all__ = ["LimitedSchema", "TooMuchWorkError", "problem_of_schema"]

_FREE = 500
"""Steps of each check that are not counted: a dump may have parameters in thousands of objects."""

_DEEPEST = 400
"""Keywords within keywords: each is up to six calls deep, and 2,400 calls take 2 MiB of the stack."""

Keyword: TypeAlias = "Callable[[Validator, Any, Any, object], Iterable[ValidationError] | None]"


class TooMuchWorkError(Exception):
    """A check takes more steps than the budget has."""


class _Steps:
    """The steps that are left, and the sizes of what is looked at."""

    def __init__(self) -> None:
        self._left = budgets.SCHEMA_STEPS.value
        self._weights: dict[int, int] = {}
        self._depth = 0

    def begin(self) -> None:
        """Start a check; sizes are known by identity, which holds for one check only."""
        self._left += _FREE
        self._weights = {}
        self._depth = 0

    def enter(self) -> None:
        """Go a level deeper; raises RecursionError before Python does, where the library would panic."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RecursionError

    def leave(self) -> None:
        self._depth -= 1

    def spend(self, steps: int) -> None:
        if steps > self._left:
            raise TooMuchWorkError
        self._left -= steps

    def weight(self, value: object) -> int:
        """Steps of writing or comparing the whole of a value."""
        if isinstance(value, str):
            return 1 + (len(value) >> 6)
        if not isinstance(value, (list, dict)):
            return 1
        found = self._weights.get(id(value))
        if found is None:
            parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
            found = self._weights[id(value)] = 1 + (sum(map(self.weight, parts)) >> 3)
        return found


class LimitedSchema:
    """A schema with the validator of a dialect, made safe."""

    __slots__ = ("_steps", "_validator")

    def __init__(self, dialect: type[Validator], schema: object) -> None:
        """Take a valid schema of ``dialect``."""
        self._steps = _Steps()
        self._validator = _limited(dialect, self._steps)(schema, registry=EMPTY_REGISTRY)

    def errors(self, instance: object) -> Iterator[ValidationError]:
        """What is wrong with ``instance``; raises TooMuchWorkError, and whatever jsonschema raises."""
        self._steps.begin()
        with deep_stack(_DEEPEST):
            yield from self._validator.iter_errors(instance)


def problem_of_schema(dialect: type[Validator], schema: object) -> ValidationError | None:
    """The first thing that is wrong with a schema; raises as :meth:`LimitedSchema.errors`."""
    steps = _Steps()
    kind = _limited(dialect, steps)
    checker = FormatChecker(formats=())

    def is_pattern(value: object) -> bool:
        if isinstance(value, str):
            steps.spend(len(value) >> 2)
            regex.compiled(value)
        return True

    checker.checks("regex", raises=regex.RegexError)(is_pattern)
    meta = kind(dialect.META_SCHEMA, registry=EMPTY_REGISTRY, format_checker=checker)
    with deep_stack(_DEEPEST):
        return next(meta.iter_errors(schema), None)


def _limited(dialect: type[Validator], steps: _Steps) -> Any:
    """The validator class of ``dialect`` whose keywords count in ``steps``."""
    rebound = _rebound(steps)
    keywords = {
        name: _counted(_OWN.get(name, cast("Keyword", rebound(keyword))), steps)
        for name, keyword in dialect.VALIDATORS.items()
    }
    kind: Any = extend(dialect, keywords)  # type: ignore[no-untyped-call]
    fields = [(field.name, field.alias) for field in kind.__attrs_attrs__ if field.init]

    def evolve(self: object, **changes: object) -> object:
        # That of the library goes over to another class where a part of the schema names a dialect.
        for name, alias in fields:
            if alias not in changes:
                changes[alias] = getattr(self, name)
        return kind(**changes)

    kind.evolve = evolve
    return kind


def _counted(keyword: Keyword, steps: _Steps) -> Keyword:
    def counted(
        validator: Validator, value: object, instance: object, schema: object
    ) -> Iterator[ValidationError]:
        steps.spend(1 + _length(value) + _length(instance))
        if keyword is _unique_items or keyword.__name__ in {"enum", "const"}:
            steps.spend(steps.weight(value) + steps.weight(instance))
        steps.enter()
        is_inside = True
        try:
            errors: Iterable[ValidationError] | None = keyword(validator, value, instance, schema)
            for error in errors or ():
                # An error holds the texts of both.
                steps.spend(1 + steps.weight(value) + steps.weight(instance))
                steps.leave()
                is_inside = False
                yield error
                steps.enter()
                is_inside = True
        finally:
            if is_inside:
                steps.leave()

    return counted


def _length(value: object) -> int:
    """Steps of going through a value, without what it holds."""
    return len(value) >> (6 if isinstance(value, str) else 2) if isinstance(value, (str, list, dict)) else 0


class _Patterns:
    """What the library uses of Python's ``re``."""

    def __init__(self, steps: _Steps) -> None:
        self._steps = steps

    def search(self, pattern: str, text: str) -> bool:
        self._steps.spend(1 + (len(text) >> 6))
        WORK.begin()
        return regex.compiled(pattern).has_match(text)


def _rebound(steps: _Steps) -> Callable[[object], object]:
    """Copies of the library's functions that search with ``_Patterns``, and count their recursion.

    Its sets keep the order of their members, so that the first errors are the same in every process.
    """
    spaces: dict[str, JsonDict] = {
        module.__name__: {**vars(module), "re": _Patterns(steps), "set": dict.fromkeys}
        for module in (_utils, _keywords, _legacy_keywords)
    }

    def copied(function: object) -> object:
        space = spaces.get(getattr(function, "__module__", ""))
        if space is None or not isinstance(function, FunctionType):
            return function
        copy = FunctionType(
            function.__code__, space, function.__name__, function.__defaults__, function.__closure__
        )
        return _counting(copy, steps) if function.__name__.startswith("find_evaluated") else copy

    copies = {
        name: {key: copied(value) for key, value in space.items() if isinstance(value, FunctionType)}
        for name, space in spaces.items()
    }
    for name, space in spaces.items():
        space.update(copies[name])
    spaces[_legacy_keywords.__name__]["_utils"] = SimpleNamespace(**spaces[_utils.__name__])
    return copied


def _counting(function: Callable[..., object], steps: _Steps) -> Callable[..., object]:
    def counting(validator: object, instance: object, schema: object) -> object:
        steps.spend(1 + _length(instance) + _length(schema))
        steps.enter()
        try:
            return function(validator, instance, schema)
        finally:
            steps.leave()

    return counting


def _unique_items(
    validator: Validator, value: object, instance: Any, _schema: object
) -> Iterator[ValidationError]:
    if value and validator.is_type(instance, "array") and len(set(map(_key, instance))) < len(instance):
        yield ValidationError(f"{instance!r} has non-unique elements")


def _key(value: object) -> Hashable:
    """The same for all that JSON Schema takes for equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, bool):
        return (bool, value)
    if isinstance(value, list):
        return (list, tuple(map(_key, value)))
    if isinstance(value, Mapping):
        return (dict, frozenset((name, _key(held)) for name, held in value.items()))
    key: Hashable = value
    return key


def _multiple_of(
    validator: Validator, value: object, instance: Any, _schema: object
) -> Iterator[ValidationError]:
    """Like the library's, which fails for integers beyond the range of doubles."""
    if not validator.is_type(instance, "number"):
        return
    is_number = isinstance(instance, int) or isfinite(instance)
    if not (is_number and _divides(value, instance)):
        yield ValidationError(f"{instance!r} is not a multiple of {value}")


def _divides(value: Any, instance: Any) -> bool:
    try:
        if isinstance(value, float):
            quotient = instance / value
            return bool(int(quotient) == quotient)
        return bool(instance % value == 0)
    except OverflowError:
        return (Fraction(instance) / Fraction(value)).denominator == 1


_OWN: Mapping[str, Keyword] = {
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
    "divisibleBy": _multiple_of,
}
