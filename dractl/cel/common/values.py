"""CEL values that Python has no type for, and what types values have at run time.

Otherwise a bool, int, float, str, bytes, list or dict stands for itself, None for null, and the API's
Quantity and Semver for theirs. The keys of a dict are CEL keys; all but strings and integers are an
:class:`OddKey` there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from dractl.api.quantity import Quantity
from dractl.cel.common.errors import EvaluationError
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.cel.common.types import Type

Value: TypeAlias = object
"""A CEL value; its Python class tells the kind, so look at that before using it."""


class LibraryValue(Protocol):
    """A value of a library, such as an address, which brings its type and equality along."""

    @property
    def cel_type(self) -> Type:
        """The CEL type."""
        ...

    def cel_equal(self, other: Value) -> bool:
        """Whether ``self == other``, with this value on the left."""
        ...


class Uint(int):
    """An unsigned 64-bit integer."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{int(self)}u"


class SumQuantity(Quantity):
    """A quantity that ``add`` or ``sub`` made.

    Upstream returns a pointer there, which is why such a value is equal to nothing when it is on the right of
    ``==``. For ``same`` see OwnQuantity.
    """

    __slots__ = ("same",)

    same: list[Quantity]


class MutableQuantity(Quantity):
    """A quantity that is made for one evaluation; see ``dractl.cel.interpreter.mutable_quantities``.

    ``same``, where it is set, holds all quantities that have their number in one place, this one among them.
    """

    __slots__ = ("same",)

    same: list[Quantity]


class OddKey:
    """What is neither a string nor an integer as the key of a map; upstream takes nearly everything.

    Numbers, times, addresses and types are compared by value, all else by identity, as Go's maps do; a
    quantity or a map of the device is taken for a new one whenever it is read.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        """Hold the CEL value."""
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OddKey) or type(self.value) is not type(other.value):
            return False
        if _is_compared_by_identity(self.value):
            return self.value is other.value and not isinstance(self.value, (FieldMap, Quantity))
        return bool(self.value == other.value)

    def __hash__(self) -> int:
        return id(self.value) if _is_compared_by_identity(self.value) else hash(self.value)


def _is_compared_by_identity(value: Value) -> bool:
    return isinstance(value, (list, dict, Optional, Quantity)) or hasattr(value, "cel_by_identity")


BOOL_KEYS: dict[Value, OddKey] = {False: OddKey(False), True: OddKey(True)}
"""Python takes True for 1, so that bools cannot stand for themselves."""


class Optional:
    """A value or none.

    A lost one has a value that nobody can get: reading ``value`` raises EvaluationError. Upstream holds an
    error there.
    """

    __slots__ = ("has_value", "loss", "value")

    def __init__(self, value: Value = None, *, has_value: bool = True) -> None:
        """Hold the value; :data:`NONE` is the optional without one."""
        self.value = value
        self.has_value = has_value
        self.loss = ""

    @classmethod
    def lost(cls, loss: str) -> Optional:
        """An optional whose value cannot be read, because of ``loss``."""
        made = cls()
        made.loss = loss
        del made.value
        return made

    def __getattr__(self, name: str) -> Value:
        """Called for a value that is not there: that of a lost optional."""
        if name == "value":
            raise EvaluationError(self.loss)
        raise AttributeError(name)


NONE = Optional(has_value=False)


class Duration(NamedTuple):
    """A span of time in nanoseconds, within an int64."""

    nanoseconds: int


class Timestamp:
    """A point of time in nanoseconds since 1970, from year 1 to year 9999.

    ``offset`` is the time zone it was written with, in seconds east of UTC: it shows in its text only.
    """

    __slots__ = ("nanoseconds", "offset")

    def __init__(self, nanoseconds: int, offset: int = 0) -> None:
        """Hold the point of time."""
        self.nanoseconds = nanoseconds
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash(self.nanoseconds)

    def __lt__(self, other: Timestamp) -> bool:
        return self.nanoseconds < other.nanoseconds

    def __gt__(self, other: Timestamp) -> bool:
        return self.nanoseconds > other.nanoseconds


class FieldMap(dict[str, Value]):
    """The inner maps of a device: native to Go, so that looking up a key of any type fails gracefully."""

    __slots__ = ()


class PartialMap(FieldMap):
    """An inner map with unusable values: they are listed and counted, but reading one is an error.

    Mirrors ``nameToAttributes``, which finds no such value, so that ``in`` is false.
    """

    __slots__ = ()

    def __getitem__(self, key: str) -> Value:
        """The value at ``key``; raises EvaluationError for one that cannot be used."""
        value = super().__getitem__(key)
        if isinstance(value, EvaluationError):
            # A new one, since the place of an error is noted in it.
            raise EvaluationError(value.message)
        return value

    def __contains__(self, key: object) -> bool:
        """Whether ``key`` has a value; raises EvaluationError where it cannot be used."""
        return super().__contains__(key) and self[str(key)] is not None

    def can_use(self, key: str) -> bool:
        """Whether ``key`` has a value that can be used."""
        value = super().get(key)
        return value is not None and not isinstance(value, EvaluationError)


class DefaultMap(dict[str, dict[str, Value]]):
    """The outer maps of a device: looking up a domain that is not there gives an empty map.

    Mirrors ``newStringInterfaceMapWithDefault``; iteration, size and ``in`` see the existing domains only.
    """

    __slots__ = ()

    def __missing__(self, key: str) -> dict[str, Value]:
        return {}


def text_of_bytes(value: bytes) -> str:
    """The string that bytes in UTF-8 write; raises EvaluationError for others."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        raise EvaluationError("the bytes are not valid UTF-8") from None
