"""Feature gates: which are on for a Kubernetes minor and a user's overrides, or why that set is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NotRequired, TypedDict, cast

from dractl.api import release
from dractl.api.release import Minor
from dractl.api.stored import read_table
from dractl.api.wording import did_you_mean
from dractl.records import NamedTuple


class GateError(ValueError):
    """A set of feature gates with which no server of the minor starts; the message gives the reason."""


class Gate(NamedTuple):
    """A feature gate as one minor has it."""

    name: str
    purpose: str
    stage: str
    default: bool
    locked: bool
    depends_on: tuple[str, ...]


class GateSet:
    """The gates that are on in a server of one minor.

    ``name in gates`` answers for one gate; a gate that the minor does not have is off.
    """

    __slots__ = ("_hash", "_on", "minor", "overrides")

    def __init__(self, minor: Minor, on: frozenset[str], overrides: Mapping[str, bool]) -> None:
        """Hold the gates ``on``; use :func:`resolve` to find them."""
        self.minor = minor
        self.overrides = dict(overrides)
        self._on = on
        # Sets of gates are the keys of caches that each object is looked up in several times.
        self._hash = hash((minor, on))

    def __contains__(self, gate: str) -> bool:
        return gate in self._on

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._on))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GateSet) and (self.minor, self._on) == (other.minor, other._on)


CORE_GATE = "DynamicResourceAllocation"
"""Without it no claim is allocated; 1.38 has it no longer, and always allocates."""


def allocates_claims(gates: GateSet) -> bool:
    """Whether components with these gates do anything about claims."""
    return CORE_GATE in gates or CORE_GATE not in gates_of(gates.minor)


class _Row(TypedDict):
    stage: str
    default: bool
    lockToDefault: bool
    dependsOn: list[str]


class _Entry(TypedDict):
    purpose: str
    minors: dict[str, _Row | None]


@cache
def _table() -> dict[str, _Entry]:
    return cast("dict[str, _Entry]", read_table("gates.json")["gates"])


@cache
def known_gates() -> frozenset[str]:
    """The names of all gates in the table, of whatever minor."""
    return frozenset(_table())


@cache
def gates_of(minor: Minor) -> Mapping[str, Gate]:
    """The gates that ``minor`` has, by name, with a default server's values.

    A gate that is on only from a compatibility version above the default one (the minor before) is off.
    """
    found: dict[str, Gate] = {}
    for name, entry in _table().items():
        row = entry["minors"].get(str(minor))
        if row is not None:
            found[name] = Gate(
                name=name,
                purpose=entry["purpose"],
                stage=row["stage"],
                default=row["default"],
                locked=row["lockToDefault"],
                depends_on=tuple(row["dependsOn"]),
            )
    return found


def resolve(minor: Minor, overrides: Mapping[str, bool] | None = None) -> GateSet:
    """The gates that are on in a server of ``minor`` started with ``overrides``.

    ``AllAlpha`` and ``AllBeta`` set every gate of their stage that is neither set by name nor locked.
    Raises GateError for a gate that the minor does not have, a changed locked gate and, as servers do
    since 1.35, a gate that is on while one it depends on is off.
    """
    overrides = overrides or {}
    gates = gates_of(minor)
    groups = {"AllAlpha": "alpha", "AllBeta": "beta"}
    for name, wanted in overrides.items():
        if not isinstance(wanted, bool):
            raise GateError(f"feature gate {name} must be True or False, got {wanted!r}")
        if name in groups:
            continue
        gate = gates.get(name)
        if gate is None:
            raise GateError(_unknown(name, minor, gates))
        if gate.locked and wanted != gate.default:
            state = "on" if gate.default else "off"
            raise GateError(f"feature gate {name} is locked {state} in {minor} and cannot be changed")
    by_stage = {stage: overrides[group] for group, stage in groups.items() if group in overrides}
    on: set[str] = set()
    for name, gate in gates.items():
        value = gate.default if gate.locked else by_stage.get(gate.stage, gate.default)
        if overrides.get(name, value):
            on.add(name)
    for name in sorted(on):
        for needed in gates[name].depends_on:
            # Gates that do not affect DRA are not in the table, and nobody can switch them off here.
            if needed in gates and needed not in on:
                if overrides.get(needed) is False and name not in overrides:
                    way_out = f"set {name}=false as well"
                    raise GateError(f"feature gate {name} requires {needed}, which is off; {way_out}")
                raise GateError(
                    f"feature gate {name} requires {needed}, which is off; set {needed}=true as well"
                )
    return GateSet(minor, frozenset(on), overrides)


def resolve_each(minors: Iterable[Minor], overrides: Mapping[str, bool] | None = None) -> list[GateSet]:
    """The gates of a server of each of ``minors``, started with the same ``overrides``.

    ``1.33:NAME`` overrides a gate in that minor only, and counts more there than ``NAME``. Raises GateError
    for the first one with which no server starts; of several minors it names the one. Also raises GateError
    for an override in another minor.
    """
    wanted = list(minors)
    given = overrides or {}
    _check_scopes(wanted, given)
    found = []
    for minor in wanted:
        try:
            found.append(resolve(minor, _in_minor(minor, given)))
        except GateError as error:
            raise GateError(f"for Kubernetes {minor}: {error}" if len(wanted) > 1 else str(error)) from None
    return found


_SCOPE = ":"


def _check_scopes(minors: Iterable[Minor], overrides: Mapping[str, bool]) -> None:
    """Raise GateError for an override in a minor that is not among ``minors``."""
    known = {name for minor in minors for name in (str(minor), minor.version)}
    for key in overrides:
        scope, colon, name = key.partition(_SCOPE)
        if colon and scope not in known:
            raise GateError(
                f"feature gate {name} is set for {scope}, which is not among the minors of the run"
            )


def _in_minor(minor: Minor, overrides: Mapping[str, bool]) -> dict[str, bool]:
    """The overrides for one minor: those for all of them, then its own."""
    own = (str(minor), minor.version)
    found = {key: wanted for key, wanted in overrides.items() if _SCOPE not in key}
    for key, wanted in overrides.items():
        scope, colon, name = key.partition(_SCOPE)
        if colon and scope in own:
            found[name] = wanted
    return found


def shared_overrides(gate_sets: Iterable[GateSet]) -> dict[str, bool]:
    """The overrides of several servers in one mapping, as ``1.33:NAME`` where they differ."""
    sets = list(gate_sets)
    common = {
        name: wanted
        for name, wanted in (sets[0].overrides if sets else {}).items()
        if all(other.overrides.get(name) is wanted for other in sets)
    }
    own = {
        f"{each.minor}{_SCOPE}{name}": wanted
        for each in sets
        for name, wanted in each.overrides.items()
        if name not in common
    }
    return {**common, **own}


def _unknown(name: str, minor: Minor, gates: Mapping[str, Gate]) -> str:
    if name in known_gates():
        having = [release.title(m) for m in release.KNOWN if name in gates_of(m)]
        return f"feature gate {name} does not exist in {minor}; available in {', '.join(having)}"
    others = "only gates that affect DRA are supported, see `dractl gates`"
    return f"unknown feature gate {name}; {did_you_mean(name, gates, otherwise=others, least=0.75)}"


_BOOLEANS = {"true": True, "1": True, "t": True, "false": False, "0": False, "f": False}


def parse_overrides(text: str) -> dict[str, bool]:
    """The overrides in a ``--feature-gates`` text, ``A=true,B=false``; raises GateError on any other form."""
    found: dict[str, bool] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = part.partition("=")
        wanted = _BOOLEANS.get(value.lower())
        if not equals or wanted is None:
            raise GateError(f"feature gate {part!r} must be NAME=true or NAME=false")
        found[name.strip()] = wanted
    return found


_WHILE_OFF = {
    "drop": "the server drops the field",
    "dropUnlessInUse": "the server drops the field unless it is already in use",
    "reset": "the status is emptied on create",
    "copiedThenDrop": "the server drops the field",
}
"""What an action of the table of gated fields does to a reader's field; the others depend on no gate."""


class _FieldRule(TypedDict):
    minors: list[str]
    gatesNeeded: NotRequired[list[str]]
    create: str
    update: str


class _GatedField(TypedDict):
    kind: str
    path: str
    rules: list[_FieldRule]


@cache
def _gated_fields() -> list[_GatedField]:
    return cast("list[_GatedField]", read_table("field_gates.json")["fields"])


def of_field(kind: str, path: str, minor: Minor) -> Iterator[tuple[str, str]]:
    """The gates without which ``minor`` does not keep a field, or what is above it, and what it does then.

    ``path`` is the field's from the root of the ``kind`` in the newest version of the API.
    """
    seen: set[str] = set()
    for field in _gated_fields():
        above = field["path"]
        if field["kind"] != kind or not (
            path == above or path.startswith((f"{above}.", f"{above}[", f"{above}{{"))
        ):
            continue
        for rule in field["rules"]:
            effect = _WHILE_OFF.get(rule["update"]) or _WHILE_OFF.get(rule["create"])
            if str(minor) in rule["minors"] and effect:
                for name in rule.get("gatesNeeded", ()):
                    if name not in seen:
                        seen.add(name)
                        yield name, effect
