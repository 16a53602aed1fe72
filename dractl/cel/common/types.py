"""CEL's static types, how they are written, and when one may stand for another (``checker/types.go``)."""

from __future__ import annotations

from functools import cache

from dractl.records import NamedTuple


class Type(NamedTuple):
    """A type: what kind it is, its name, and its parameters."""

    kind: str
    name: str
    parameters: tuple[Type, ...] = ()

    def __str__(self) -> str:
        if self.kind == "param":
            return self.name
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(map(str, self.parameters))})"


BOOL = Type("bool", "bool")
BYTES = Type("bytes", "bytes")
DOUBLE = Type("double", "double")
INT = Type("int", "int")
NULL = Type("null", "null_type")
STRING = Type("string", "string")
UINT = Type("uint", "uint")
DYN = Type("dyn", "dyn")
ANY = Type("any", "google.protobuf.Any")
ERROR = Type("error", "!error!")
DURATION = Type("duration", "google.protobuf.Duration")
TIMESTAMP = Type("timestamp", "google.protobuf.Timestamp")
QUANTITY = Type("struct", "kubernetes.Quantity")
SEMVER = Type("struct", "kubernetes.Semver")
URL = Type("struct", "kubernetes.URL")
FORMAT = Type("struct", "kubernetes.NamedFormat")
IP = Type("opaque", "net.IP")
CIDR = Type("opaque", "net.CIDR")
DEVICE = Type("struct", "kubernetes.DRADevice")
TYPE = Type("type", "type")


def list_of(element: Type) -> Type:
    """The type of lists of ``element``."""
    return Type("list", "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """The type of maps from ``key`` to ``value``."""
    return Type("map", "map", (key, value))


def optional_of(value: Type) -> Type:
    """The type of optional values."""
    return Type("opaque", "optional_type", (value,))


def type_of(value: Type) -> Type:
    """The type of the type ``value``."""
    return Type("type", "type", (value,))


def wrapper_of(scalar: Type) -> Type:
    """The type of the messages that wrap a scalar and may be null."""
    return Type(scalar.kind, f"wrapper({scalar})", ())


_NAMED = {
    "bool": BOOL,
    "bytes": BYTES,
    "double": DOUBLE,
    "int": INT,
    "null": NULL,
    "string": STRING,
    "uint": UINT,
    "dyn": DYN,
    "duration": DURATION,
    "timestamp": TIMESTAMP,
    "Quantity": QUANTITY,
    "Semver": SEMVER,
    "URL": URL,
    "Format": FORMAT,
    "IP": IP,
    "CIDR": CIDR,
    "type": TYPE,
}


@cache
def written(text: str) -> Type:
    """The type that ``text`` writes in the library's tables, such as ``map(A,list(string))``.

    A capital letter alone is a type parameter.
    """
    found = _NAMED.get(text)
    if found is not None:
        return found
    if len(text) == 1:
        return Type("param", text)
    head, _, rest = text.partition("(")
    parts = [written(part) for part in _split(rest[:-1])]
    if head == "list":
        return list_of(parts[0])
    if head == "map":
        return map_of(parts[0], parts[1])
    return optional_of(parts[0]) if head == "optional" else type_of(parts[0])


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


def parameters_of(types: tuple[Type, ...]) -> frozenset[str]:
    """The names of the type parameters within ``types``."""
    names: set[str] = set()
    for found in types:
        if found.kind == "param":
            names.add(found.name)
        elif found.parameters:
            names |= parameters_of(found.parameters)
    return frozenset(names)


Mapping = dict[str, Type]
"""What type parameters stand for, by name."""

_NULLABLE_KINDS = frozenset({"opaque", "struct", "any", "duration", "timestamp"})
_DYNAMIC = frozenset({"dyn", "any", "error"})


def is_dynamic(found: Type) -> bool:
    """Whether any value may be here, or an error was reported already."""
    return found.kind in _DYNAMIC


def unwrapped(found: Type) -> tuple[Type, bool]:
    """The type within an optional, and whether it was one."""
    if found.name == "optional_type" and found.parameters:
        return found.parameters[0], True
    return found, False


def substituted(mapping: Mapping, found: Type, *, free_to_dyn: bool = False) -> Type:
    """``found`` with its type parameters replaced; those that stand for nothing become dyn if asked to."""
    if found.kind == "param":
        target = mapping.get(found.name)
        if target is not None:
            return substituted(mapping, target, free_to_dyn=free_to_dyn)
        return DYN if free_to_dyn else found
    if not found.parameters:
        return found
    return Type(
        found.kind,
        found.name,
        tuple([substituted(mapping, part, free_to_dyn=free_to_dyn) for part in found.parameters]),
    )


def assignable(mapping: Mapping, actual: Type, wanted: Type) -> bool:
    """Whether ``actual`` may stand where ``wanted`` does; binds type parameters in ``mapping`` on the way."""
    if wanted.kind == "param":
        valid, bound = _substitutes(mapping, actual, wanted)
        if valid:
            return True
        if bound:
            return False
    if actual.kind == "param":
        return _substitutes(mapping, wanted, actual)[0]
    if actual.kind in _DYNAMIC or wanted.kind in _DYNAMIC:
        return True
    if actual.kind == "null":
        return _nullable(wanted)
    if wanted.kind == "null":
        return _nullable(actual)
    if actual.kind != wanted.kind:
        return False
    if actual.kind == "type":
        return True
    if actual.kind in {"opaque", "list", "map"}:
        return actual.name == wanted.name and all_assignable(mapping, actual.parameters, wanted.parameters)
    if actual.kind == "struct":
        return actual.name == wanted.name
    # A wrapper of a scalar and the scalar stand for each other.
    return True


def all_assignable(mapping: Mapping, actual: tuple[Type, ...], wanted: tuple[Type, ...]) -> bool:
    """Whether each of ``actual`` may stand for the one of ``wanted`` at its place."""
    if len(actual) != len(wanted):
        return False
    for one, other in zip(actual, wanted, strict=True):
        if one is not other and not assignable(mapping, one, other):
            return False
        if one is other and one.kind == "param" and not assignable(mapping, one, other):
            return False
    return True


def most_general(first: Type, second: Type) -> Type:
    """The more general of two types that unify."""
    return first if _less_specific(first, second) else second


def _nullable(found: Type) -> bool:
    return found.kind in _NULLABLE_KINDS or found.kind == "null" or found.name.startswith("wrapper(")


def _substitutes(mapping: Mapping, actual: Type, parameter: Type) -> tuple[bool, bool]:
    """Whether ``actual`` may be what ``parameter`` stands for, and whether that was bound already."""
    if actual == parameter:
        return True, True
    bound = mapping.get(parameter.name)
    if bound is not None:
        if actual == bound:
            return True, True
        if assignable(mapping, actual, bound):
            general = most_general(actual, bound)
            if not _occurs(mapping, parameter, general):
                mapping[parameter.name] = general
            return True, True
        return False, True
    if not _occurs(mapping, parameter, actual):
        mapping[parameter.name] = actual
        return True, False
    return False, False


def _occurs(mapping: Mapping, parameter: Type, within: Type) -> bool:
    if parameter == within:
        return True
    if within.kind == "param":
        bound = mapping.get(within.name)
        return bound is not None and _occurs(mapping, parameter, bound)
    return any(_occurs(mapping, parameter, part) for part in within.parameters)


def _less_specific(first: Type, second: Type) -> bool:
    if first.kind in {"dyn", "any", "param"}:
        return True
    if second.kind in {"dyn", "any", "param"} or first.kind != second.kind:
        return False
    if first.kind == "type":
        return True
    if first.kind in {"opaque", "list", "map"}:
        return (
            first.name == second.name
            and len(first.parameters) == len(second.parameters)
            and all(map(_less_specific, first.parameters, second.parameters))
        )
    return first == second


_VAST = 1000
"""Parts of a type that are compared: maps of maps can double them with each binding."""


def is_vast(found: Type) -> bool:
    """Whether a type has more parts than anybody writes."""
    stack, count = [found], 0
    while stack and count <= _VAST:
        stack += stack.pop().parameters
        count += 1
    return count > _VAST
