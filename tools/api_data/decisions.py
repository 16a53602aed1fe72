"""What a person decides about a release: everything that follows from no declaration, by topic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tools.api_data import field_gates, gates, kinds, layout, limits
from tools.api_data.declarations import last_name, pairs
from tools.api_data.published import ALLOCATION, PLUGIN_NAMES, PLUGINS, SERVER, Published
from tools.kubernetes.modules import KUBERNETES

FieldTable = Mapping[str, Any]

_MOST_NAMES = 12
"""How many functions of a package are named."""


class Decision(NamedTuple):
    """A topic with what is open there, and what to do about it."""

    topic: str
    items: tuple[str, ...]
    advice: str


class Data(NamedTuple):
    """The data of a release: its field table, and the tables with a column for each minor."""

    fields: FieldTable
    gates: Mapping[str, Any]
    field_gates: Mapping[str, Any]
    limits: Mapping[str, Any]


class Change(NamedTuple):
    """A release and the one before, with their data."""

    published: Published
    before: Published
    data: Data
    fields_before: FieldTable

    @property
    def minor(self) -> str:
        """The minor of the release."""
        return self.published.release.minor

    @property
    def previous(self) -> str:
        """The minor of the release before."""
        return self.before.release.minor


def decisions(change: Change) -> list[Decision]:
    """The decisions with at least one item, in the order in which a person best takes them."""
    found = []
    for topic, finder, advice in _TOPICS:
        items = tuple(finder(change))
        if items:
            found.append(Decision(topic, items, advice))
    return found


def _new_kinds(change: Change) -> Iterator[str]:
    old = set(kinds.undecided(change.before))
    yield from (f"{each}: not in the data" for each in kinds.undecided(change.published) if each not in old)
    yield from sorted(_kinds(change.data.fields) - _kinds(change.fields_before))


def _gone_kinds(change: Change) -> Iterator[str]:
    yield from sorted(_kinds(change.fields_before) - _kinds(change.data.fields))


def _kinds(table: FieldTable) -> set[str]:
    return {f"{row['group']}/{row['version']} {row['kind']}".removeprefix("/") for row in table["kinds"]}


_SERVING = ("servedByDefault", "statusSubresource", "servedOnlyWithGate", "deprecatedIn", "removedIn")


def _serving(change: Change) -> Iterator[str]:
    old = {(row["group"], row["version"], row["kind"]): row for row in change.fields_before["kinds"]}
    for row in change.data.fields["kinds"]:
        before = old.get((row["group"], row["version"], row["kind"]))
        for key in _SERVING if before else ():
            if before is not None and row.get(key) != before.get(key):
                yield f"{row['version']} {row['kind']} {key}: {before.get(key)} -> {row.get(key)}"


def _rows(table: FieldTable) -> dict[str, Mapping[str, Any]]:
    return {
        f"{key}.{name}": field
        for key, row in table["types"].items()
        for name, field in row.get("fields", {}).items()
    }


def _new_fields(change: Change) -> Iterator[str]:
    old = _rows(change.fields_before)
    for name, row in _rows(change.data.fields).items():
        if name not in old and name.rpartition(".")[0] in change.fields_before["types"]:
            behind = ", ".join(row.get("featureGates", ()))
            yield f"{name} ({behind})" if behind else name


def _gone_fields(change: Change) -> Iterator[str]:
    new = _rows(change.data.fields)
    for name in _rows(change.fields_before):
        if name not in new and name.rpartition(".")[0] in change.data.fields["types"]:
            yield name


def _changed_fields(keys: Iterable[str]) -> Callable[[Change], Iterator[str]]:
    def find(change: Change) -> Iterator[str]:
        old = _rows(change.fields_before)
        for name, row in _rows(change.data.fields).items():
            for key in keys if name in old else ():
                if row.get(key) != old[name].get(key):
                    yield f"{name} {key}: {_short(old[name].get(key))} -> {_short(row.get(key))}"

    return find


def _short(value: object) -> str:
    return "none" if value is None else layout.compact(value)


def _new_gates(change: Change) -> Iterator[str]:
    old = gates.specifications(change.before)
    for name, found in gates.specifications(change.published).items():
        if name in change.data.gates["gates"] and name not in old:
            purpose = change.data.gates["gates"][name]["purpose"]
            yield f"{name}: {found.row['stage']}, {'on' if found.row['default'] else 'off'}; {purpose}"


def _other_gates(change: Change) -> Iterator[str]:
    old = gates.specifications(change.before)
    for name, found in sorted(gates.specifications(change.published).items()):
        if name not in old and name not in change.data.gates["gates"]:
            yield f"{name}: {found.row['stage']}"


def _changed_gates(change: Change) -> Iterator[str]:
    for name, row in change.data.gates["gates"].items():
        new, old = row["minors"].get(change.minor), row["minors"].get(change.previous)
        if old and not new:
            yield f"{name}: gone"
        elif old and new:
            for key in ("stage", "default", "lockToDefault", "dependsOn"):
                if new[key] != old[key]:
                    yield f"{name} {key}: {_short(old[key])} -> {_short(new[key])}"


def _candidates(change: Change) -> Iterator[str]:
    found = field_gates.candidates(change.data.field_gates, change.data.fields, change.fields_before)
    yield from (layout.compact(field_gates.candidate_row(each, change.minor)) for each in found)


def _without_rule(change: Change) -> Iterator[str]:
    return field_gates.without_rule(change.data.field_gates, change.minor)


def _limits(change: Change) -> Iterator[str]:
    return limits.changed(change.data.limits, change.minor, change.previous)


def _constants(change: Change) -> Iterator[str]:
    return limits.added(change.data.limits, change.published, change.before)


def _numbers(change: Change) -> Iterator[str]:
    return limits.by_hand(change.data.limits, change.published)


def _plugins(change: Change) -> Iterator[str]:
    new, old = (set(each.packages[PLUGIN_NAMES].constants) for each in (change.published, change.before))
    yield from (f"{name}: new" for name in sorted(new - old))
    yield from (f"{name}: gone" for name in sorted(old - new))
    weights, before = _weights(change.published), _weights(change.before)
    for name in sorted(weights.keys() | before.keys()):
        if weights.get(name) != before.get(name):
            yield f"{name} in getDefaultPlugins: {before.get(name, 'not')} -> {weights.get(name, 'not')}"


def _weights(published: Published) -> dict[str, str]:
    """The plugins of ``getDefaultPlugins``, each with its weight (empty for none)."""
    found = {}
    for _, plugin_set in pairs(published.packages[PLUGINS].returned.get("getDefaultPlugins")):
        for _, plugins in pairs(plugin_set):
            for plugin in plugins:
                row = dict(pairs(plugin))
                weight = row.get("Weight")
            found[last_name(row.get("Name"))] = (
                weight["arguments"][0] if isinstance(weight, dict) else "no weight"
            )
    return found


def _allocator_features(change: Change) -> Iterator[str]:
    new, old = (_features(each) for each in (change.published, change.before))
    yield from (f"{name}: new" for name in sorted(new - old))
    yield from (f"{name}: gone" for name in sorted(old - new))


def _features(published: Published) -> set[str]:
    return {
        field.name
        for path, package in published.packages.items()
        if path.startswith(ALLOCATION) and "Features" in package.types
        for field in package.types["Features"].fields
    }


def _functions(packages: str, names: str = ".*") -> Callable[[Change], Iterator[str]]:
    """Finds the functions whose text differs, in the packages and with the names that fit."""

    def find(change: Change) -> Iterator[str]:
        for path in sorted(change.published.packages.keys() | change.before.packages.keys()):
            if not re.fullmatch(packages, path):
                continue
            new, old = (_digests(each, path, names) for each in (change.published, change.before))
            changed = sorted(name for name in new.keys() & old.keys() if new[name] != old[name])
            parts = {"new": sorted(new.keys() - old.keys()), "gone": sorted(old.keys() - new.keys())}
            parts["changed"] = changed
            said = "; ".join(f"{word}: {_some(each)}" for word, each in parts.items() if each)
            if said:
                yield f"{path.partition('/')[2]}: {said}"

    return find


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return f"{shown} and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else shown


def _digests(published: Published, path: str, names: str) -> dict[str, str]:
    package = published.packages.get(path)
    functions = package.functions if package else {}
    return {name: digest for name, digest in functions.items() if re.fullmatch(names, name)}


_TOPICS: tuple[tuple[str, Callable[[Change], Iterable[str]], str], ...] = (
    ("new kinds", _new_kinds, "decide whether dractl validates them: _KINDS in tools/api_data/kinds.py"),
    ("kinds that are gone", _gone_kinds, "check that rules and conversions end with the minor before"),
    ("serving of kinds", _serving, "nothing, if the docs say nothing else"),
    ("new fields", _new_fields, "add rules, lints and conversions for those that matter to devices"),
    ("fields that are gone", _gone_fields, "check that conversions drop them"),
    (
        "requirements, types and values of fields",
        _changed_fields(("required", "default", "enum", "type", "ref", "ptr")),
        "check the defaults in dractl/versions/defaults.py; the tables do the rest",
    ),
    (
        "rules of declarative validation",
        _changed_fields(("tags",)),
        "support new tags in dractl/admission/framework/declarative.py",
    ),
    ("new gates", _new_gates, "state purpose, group and consultedBy in gates.json"),
    ("changed gates", _changed_gates, "check what the docs say about them"),
    ("new gates that are not in the table", _other_gates, "add those that affect DRA to gates.json"),
    (
        "gated fields without a row",
        _candidates,
        "complete the row in field_gates.json if the gate drops the field",
    ),
    (
        "gated fields without a rule",
        _without_rule,
        "add a rule in field_gates.json; keep, if the gate is gone",
    ),
    (
        "functions that drop fields",
        _functions(
            rf"{KUBERNETES}/pkg/(registry/resource/.*|api/pod)", r"(.*\.)?(drop|Drop)\w*|\w*(InUse|inUse)\w*"
        ),
        "compare the rules in field_gates.json with them",
    ),
    ("changed limits", _limits, "check enforcedIn in limits.json"),
    ("new constants", _constants, "add those that are limits to limits.json"),
    ("numbers without a constant", _numbers, "check them in the validation functions; the oracle tests most"),
    (
        "functions that set defaults",
        _functions(rf"{KUBERNETES}/pkg/apis/resource/v.*", r"SetDefaults_.*"),
        "mirror them in dractl/versions/defaults.py",
    ),
    (
        "functions that validate",
        _functions(rf"{KUBERNETES}/pkg/apis/resource/validation"),
        "the replay below shows what differs",
    ),
    (
        "CEL",
        _functions(rf"{ALLOCATION}/cel|{SERVER}/pkg/cel/.*"),
        "mirror them in dractl/cel/library/table.py and dractl/cel/checker/declarations.py",
    ),
    (
        "features of the allocator",
        _allocator_features,
        "name them in tools/oracle/program/allocate and in dractl/simulation/allocator/model/features.py",
    ),
    (
        "functions that allocate and schedule",
        _functions(
            rf"{ALLOCATION}/(structured(?!.*testing)|resourceslice).*|{KUBERNETES}/pkg/scheduler/.*/dynamicresources"
        ),
        "the replay below shows what differs; add rows to dractl/simulation/allocator/model/quirks.py",
    ),
    (
        "scheduler plugins",
        _plugins,
        "add those that matter for devices to dractl/simulation/scheduler/plugins/registry.py",
    ),
)
