"""Whether the real Kubernetes code takes an object and its conversion for the same.

An update tells: a claim or template whose spec differs is refused, because that never changes, and other
kinds get a new generation. Each side is read by the real code in its own API version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from dractl.api.release import Minor
from dractl.versions.convert import Conversion, Versioned, convert
from dractl.versions.decode import decode
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables
from tests import oracle
from tests.admission.mutation import Mutator
from tests.admission.seeds import seeds

Json = dict[str, Any]

NOW = "2026-01-01T00:00:00Z"
STEMS = ("deviceclass", "devicetaintrule", "resourceclaim", "resourceclaim-status", "resourceslice")
FIXED = frozenset(("ResourceClaim", "ResourceClaimTemplate"))
"""Kinds whose spec never changes."""

APART = f"{DRA_GROUP}/v1alpha2"
GENERATION = 7
NESTED = (f"{DRA_GROUP}/v1beta2", f"{DRA_GROUP}/v1")
EVERYTHING = {"AllAlpha": True, "AllBeta": True}
"""No field is dropped on the way."""


class Pair(NamedTuple):
    """An object in one version, what dractl makes of it in another of the same minor, and back again."""

    document: Json
    there: Conversion
    back: Conversion

    @property
    def is_kept(self) -> bool:
        """Whether dractl says that the spec loses nothing on the way there."""
        return not any(loss.steps[0] == "spec" for loss in self.there.losses)


def _is_filled(one: Json, other: Json) -> bool:
    """Whether only one of two versions fills in defaults: flat requests get none without a class."""
    nested = [value for value in (one, other) if value["apiVersion"] in NESTED]
    return len(nested) == 1 and any(map(_gets_defaults_only_here, _requests(nested[0])))


def _gets_defaults_only_here(request: Json | None) -> bool:
    exactly = (request or {}).get("exactly")
    if exactly is None or exactly.get("deviceClassName"):
        return False
    mode = exactly.get("allocationMode")
    return not mode or (mode == "ExactCount" and not exactly.get("count"))


def _requests(value: Json) -> list[Json]:
    if value["kind"] not in FIXED:
        return []
    spec = value.get("spec") or {}
    devices = (spec.get("spec") or spec).get("devices") or {}
    found: list[Json] = devices.get("requests") or []
    return found


def objects(minor: Minor, stem: str, cases: int, number: int) -> Iterator[Json]:
    """Objects made at random that the minor reads without a problem."""
    mutator = Mutator(seeds(stem, minor), number, minor)
    for _ in range(cases):
        document = mutator.manifest()
        kind = tables(minor).kinds.get((str(document.get("apiVersion")), str(document.get("kind"))))
        if kind is not None and not decode(minor, kind, document, now=NOW).problems:
            yield document


def pairs(minor: Minor, documents: Iterable[Json]) -> Iterator[Pair]:
    """The objects in every other version that the minor has of their kinds."""
    known = tables(minor)
    for document in documents:
        source = known.kinds[document["apiVersion"], document["kind"]]
        _time_taints(document)
        document["metadata"] = {"name": "example", "generation": GENERATION}
        if source.namespaced:
            document["metadata"]["namespace"] = "default"
        here = Versioned(minor, source)
        for api_version in known.api_versions(source.kind):
            if api_version in (source.api_version, APART):
                continue
            there = Versioned(minor, known.kinds[api_version, source.kind])
            converted = convert(document, here, there, now=NOW)
            assert converted.value is not None
            yield Pair(document, converted, convert(converted.value, there, here, now=NOW))


def _time_taints(value: Any) -> None:
    """Give each taint a time: the real code fills in that of the clock, which ticks between two objects."""
    if isinstance(value, dict):
        for taint in (value.get("taint"), *(value.get("taints") or ())):
            if taint is not None and not taint.get("timeAdded"):
                taint["timeAdded"] = NOW
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        _time_taints(part)


def requests(pair: Pair) -> list[Json]:
    """The questions whether the object is the same there, and whether it stays the same on its way back."""
    assert pair.there.value is not None
    assert pair.back.value is not None
    return [_update(pair.document, pair.there.value), _update(pair.there.value, pair.back.value)]


def _update(old: Json, new: Json) -> Json:
    stored = {key: value for key, value in old.items() if key != "status"}
    return oracle.validate(_text(new), old=_text(stored), gates=EVERYTHING)


def is_same(answer: Json) -> bool:
    """Whether the real code sees no difference between the specs."""
    assert not answer.get("decode_errors"), answer
    if answer["result"]["kind"] in FIXED:
        return not any(
            error["type"] == "FieldValueInvalid" and error["field"] == "spec"
            for error in answer.get("errors") or ()
        )
    generation: int = answer["result"]["metadata"]["generation"]
    return generation == GENERATION


def differing(minor: Minor, found: list[Pair]) -> list[Any]:
    """The pairs about which dractl and the real code differ, with what the latter sees."""
    program = oracle.binary(str(minor))
    assert program is not None
    answers = iter(oracle.ask(program, [request for pair in found for request in requests(pair)]))
    wrong = []
    for pair in found:
        there, back = is_same(next(answers)), is_same(next(answers))
        assert pair.there.value is not None
        assert pair.back.value is not None
        if there is not (pair.is_kept and not _is_filled(pair.document, pair.there.value)) or back is not (
            not pair.back.losses and not _is_filled(pair.there.value, pair.back.value)
        ):
            wrong.append((pair, there, back))
    return wrong


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
