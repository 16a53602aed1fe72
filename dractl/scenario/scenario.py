"""Scenario files: the steps that they tell, with the objects that the steps bring along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.api.release import KNOWN, NEWEST, UnknownMinorError, parse
from dractl.api.wording import choose_from, nearest
from dractl.cluster.objects import CLUSTER_SCOPED
from dractl.finding import Finding, Location
from dractl.lint.base.placing import location
from dractl.records import NamedTuple
from dractl.scenario.format import SCENARIO, WORDS
from dractl.scenario.reading import Faulty, finding, read, relative_to
from dractl.scenario.schema import as_list
from dractl.source.bounds import Bounds
from dractl.source.document import Document
from dractl.source.load import Loaded, PathError, Sources, load_inside
from dractl.source.split import items_of
from dractl.versions.table import tables

__all__ = ["RULE", "Scenario", "Step", "read_scenario", "steps_of"]

RULE = "scenario/format"
"""What a finding about a scenario file breaks."""

_BRING_OBJECTS = frozenset({"apply", "publish"})
_NAME_KINDS = frozenset({"delete", "scale"})


class Step(NamedTuple):
    """A step of a scenario.

    ``subjects`` are what it applies to, ``loaded`` the objects it applies or publishes.
    """

    word: str
    title: str
    subjects: tuple[object, ...]
    loaded: tuple[Loaded, ...]
    place: Location
    value: JsonObject


class Scenario(NamedTuple):
    """A scenario file that can be played.

    ``scheduler_version`` and ``scheduler_gates`` are what it states of a scheduler unlike the API server.
    """

    file: str
    about: str
    steps: tuple[Step, ...]
    scheduler_version: str | None = None
    scheduler_gates: Mapping[str, bool] = MappingProxyType({})


def read_scenario(
    file: str, bounds: Bounds | None = None, sources: Sources | None = None
) -> Scenario | Faulty:
    """The scenario in a file; files that its steps name are read, too, if they are inside ``bounds``.

    Without any these are the folder of the file and the working folder. ``sources`` takes what was read.
    """
    bounds = bounds or Bounds.of_files([file]).with_working_folder(file)
    sources = sources or Sources()
    document = read(file, SCENARIO, RULE, bounds, sources)
    if isinstance(document, Faulty):
        return document
    steps = steps_of(document, ("steps",), RULE, bounds, sources)
    if isinstance(steps, Faulty):
        return steps
    value = document.value
    version: str | None = value.get("schedulerVersion")
    try:
        if version is not None:
            parse(version)
    except UnknownMinorError as error:
        return Faulty((finding(document, RULE, ("schedulerVersion",), str(error)),))
    return Scenario(file, value.get("about", ""), steps, version, value.get("schedulerFeatureGates") or {})


def steps_of(
    document: Document, at: Steps, rule: str, bounds: Bounds, sources: Sources
) -> tuple[Step, ...] | Faulty:
    """The list of steps at ``at`` in a document, whose shape is already checked.

    Files that they name must be inside ``bounds``; ``sources`` takes what was read.
    """
    entries: Any = document.value
    for step in at:
        entries = entries[step]
    steps = []
    wrong: list[Finding] = []
    for position, entry in enumerate(entries):
        place = (*at, position)
        word = next(name for name in entry if name in WORDS)
        loaded: list[Loaded] = []
        if word in _BRING_OBJECTS:
            loaded, missing = _objects(document, (*place, word), rule, bounds, sources)
            wrong += missing
        if word in _NAME_KINDS:
            wrong += (
                finding(document, rule, where, message)
                for where, subject in _places(document, (*place, word))
                if (message := _unmeant(cast("JsonObject", subject)))
            )
        subjects = tuple(as_list(entry[word]))
        title = entry.get("about") or f"{word} {', '.join(map(_shown, subjects))}"
        steps.append(Step(word, title, subjects, tuple(loaded), location(document, (*place, word)), entry))
    return Faulty(tuple(wrong)) if wrong else tuple(steps)


def _objects(
    document: Document, at: Steps, rule: str, bounds: Bounds, sources: Sources
) -> tuple[list[Loaded], list[Finding]]:
    """The objects of a step, and the files among them that cannot be read."""
    loaded: list[Loaded] = []
    missing: list[Finding] = []
    for place, subject in _places(document, at):
        if not isinstance(subject, str):
            loaded += items_of(document.item(place))
            continue
        for item in load_inside([relative_to(document.file, subject)], bounds, sources=sources):
            if isinstance(item, PathError):
                missing.append(finding(document, rule, place, f"{item.path}: {item.message}"))
            else:
                loaded.append(item)
    return loaded, missing


def _unmeant(subject: JsonObject) -> str:
    """What is wrong with the kind and the namespace by which an object is named; nothing if they may be."""
    kind = cast("str", subject["kind"])
    if kind in CLUSTER_SCOPED and "namespace" in subject:
        return f"{kind} is cluster-scoped and has no namespace"
    if kind in CLUSTER_SCOPED or any(name == kind for _, name in tables(NEWEST).kinds):
        return ""
    known = {name for minor in KNOWN for _, name in tables(minor).kinds} | CLUSTER_SCOPED | {"Service"}
    if kind in known:
        return ""
    by_word = {f"{name}{end}": name for name in sorted(known) for end in ("", "s", "es")}
    meant = nearest(kind, by_word)
    advice = f"did you mean {by_word[meant]}?" if meant else choose_from(sorted(known))
    return f"unknown kind {kind!r}; {advice}"


def _places(document: Document, at: Steps) -> Iterator[tuple[Steps, object]]:
    value: Any = document.value
    for step in at:
        value = value[step]
    if isinstance(value, list):
        yield from (((*at, position), item) for position, item in enumerate(value))
    else:
        yield at, value


def _shown(subject: object) -> str:
    """A subject in a heading."""
    if not isinstance(subject, Mapping):
        return str(subject)
    if "apiVersion" in subject:
        metadata = subject.get("metadata")
        named: JsonObject = metadata if isinstance(metadata, Mapping) else {}
        name = named.get("name") or named.get("generateName")
        return f"{subject['kind']} {name if isinstance(name, str) else ''}".strip()
    if "kind" in subject:
        namespace = f"{subject['namespace']}/" if "namespace" in subject else ""
        number = f" to {subject['replicas']}" if "replicas" in subject else ""
        return f"{subject['kind']} {namespace}{subject['name']}{number}"
    return _said(subject)


def _said(subject: Mapping[str, Any]) -> str:
    """A node, device, pool or claim, with the change to it."""
    who = next((str(subject[name]) for name in ("node", "claim") if name in subject), None)
    if who is None:
        what = subject.get("device") or ", ".join(subject.get("devices") or ())
        who = f"{subject['driver']}/{subject['pool']}/{what}"
    if "key" in subject:
        value = f"={subject['value']}" if subject.get("value") else ""
        effect = f":{subject['effect']}" if subject.get("effect") else ""
        return f"{who} {subject['key']}{value}{effect}"
    conditions = [f"{name}={status}" for name, status in (subject.get("conditions") or {}).items()]
    return " ".join([who, *conditions])
