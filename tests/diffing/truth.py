"""A difference held against two runs of each command: ``python -m tests.diffing.truth --pairs 300``.

Nothing of the comparison itself is used: the documents of ``simulate``, ``validate``, ``cel`` and ``audit``
for both sides are compared here in the plainest way.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import dractl
from dractl.api import gates, release
from dractl.finding import Severity
from dractl.source.load import load
from dractl.workflows.cel import devices_in, document, examine
from tests.diffing.pairs import Object, PairMaker

_WITH_SELECTORS = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate")

GATES = gates.resolve(release.NEWEST)


def disagreements(old: list[Object], new: list[Object]) -> Iterator[str]:
    """What ``dractl.diff`` says otherwise than two runs of each other command."""
    found: dict[str, Any] = json.loads(json.dumps(dractl.diff(old, new).to_dict()))
    yield from _compared("placements", _placements_of(found), _changed(_placements(old), _placements(new)))
    yield from _compared("findings", _findings_of(found), _more(_findings(old), _findings(new)))
    selected = _changed(_selectors(old), _selectors(new))
    counts = {name: tuple(map(_number, sides)) for name, sides in selected.items()}
    yield from _compared("selectors", _selectors_of(found), counts)
    yield from _compared("claims", _claims_of(found), _more(_violations(old), _violations(new)))
    yield from _compared("objects", _objects_of(found), _changed_objects(old, new))


def _number(ids: set[str] | None) -> int | None:
    return None if ids is None else len(ids)


def _compared(what: str, ours: object, theirs: object) -> Iterator[str]:
    if ours != theirs:
        yield f"{what}: diff has {ours}, the other commands {theirs}"


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {key: (old.get(key), new.get(key)) for key in {**old, **new} if old.get(key) != new.get(key)}


def _more(old: Counter[Any], new: Counter[Any]) -> tuple[Counter[Any], Counter[Any]]:
    """What begins, and what ends."""
    return new - old, old - new


# Placements


def _placements(world: list[Object]) -> dict[str, Any]:
    result = dractl.simulate(world).to_dict()
    found: dict[str, Any] = {}
    for row in result["placements"]:
        name = row["pod"] or f"claim {row['claim']}"
        _, devices = found.setdefault(name, (row["node"], set()))
        amounts = "".join(f", {key} {value}" for key, value in sorted(row["consumedCapacity"].items()))
        devices.add(f"{row['request']}: {row['driver']}/{row['pool']}/{row['device']}{amounts}")
    for row in result["pending"]:
        found[row["pod"] or f"claim {row['claim']}"] = row["category"]
    return found


def _placements_of(found: dict[str, Any]) -> dict[str, Any]:
    def state(side: dict[str, Any] | None) -> object:
        if side is None:
            return None
        return side["category"] or (side["node"], set(side["devices"]))

    return {
        row.get("pod") or f"claim {row['claim']}": (state(row["old"]), state(row["new"]))
        for row in found["placements"]
    }


# Findings


def _finding(entry: dict[str, Any]) -> tuple[str, ...]:
    about = entry["object"] or {"kind": "", "namespace": "", "name": ""}
    field = re.sub(r"\[\d+\]", "[*]", entry["field"])
    names = about["kind"], about["namespace"] or "default", about["name"]
    return entry["rule"], entry["severity"], field, *names


def _findings(world: list[Object]) -> Counter[Any]:
    listed = dractl.validate(world).listed
    return Counter(
        _finding(
            {
                "rule": found.rule,
                "severity": found.severity.value,
                "field": found.field,
                "object": found.object and found.object._asdict(),
            }
        )
        for found in listed
    )


def _findings_of(found: dict[str, Any]) -> tuple[Counter[Any], Counter[Any]]:
    begin, end = (Counter(map(_finding, found["findings"][side])) for side in ("begin", "end"))
    return begin, end


# Selectors


def _selectors(world: list[Object]) -> dict[str, Any]:
    """The devices that each selector selects by itself, as ``dractl cel`` lists them."""
    loaded = load(world)
    devices = devices_in(loaded, GATES).devices
    found: dict[str, Any] = {}
    errors = [entry for entry in dractl.validate(world).findings if entry.severity is Severity.ERROR]
    rejected = {f"{about.kind} {about.name}" for entry in errors if (about := entry.object)}
    for item in world:
        if item["kind"] not in _WITH_SELECTORS or f"{item['kind']} {item['metadata']['name']}" in rejected:
            continue
        for place, selectors in _lists(item):
            for number, selector in enumerate(selectors or ()):
                examined = examine(selector["cel"]["expression"], GATES, ["stored"], devices)
                (entry,) = document(GATES, [examined])["expressions"]
                metadata = item["metadata"]
                name = f"{item['kind']} {metadata.get('namespace') or ''} {metadata['name']} {place} {number}"
                found[name] = {
                    "/".join((row["driver"], row["pool"], row["device"]))
                    for row in entry["devices"]
                    if row["result"] is True
                }
    return found


def _lists(item: Object) -> Iterator[tuple[str, list[Object] | None]]:
    spec = item.get("spec") or {}
    if item["kind"] == "DeviceClass":
        yield "", spec.get("selectors")
    if item["kind"] == "ResourceClaimTemplate":
        spec = spec["spec"]
    elif item["kind"] != "ResourceClaim":
        return
    for request in (spec.get("devices") or {}).get("requests") or ():
        yield request["name"], (request.get("exactly") or {}).get("selectors")
        for inner in request.get("firstAvailable") or ():
            yield f"{request['name']}/{inner['name']}", inner.get("selectors")


def _selectors_of(found: dict[str, Any]) -> dict[str, Any]:
    """As the other side has them; the numbers of devices stand for the devices."""
    return {
        f"{row['object']['kind']} {row['object']['namespace']} {row['object']['name']} {row['request']} "
        f"{row['index']}": tuple(side and side["selected"] for side in (row["old"], row["new"]))
        for row in found["selectors"]
    }


# Claims


def _violations(world: list[Object]) -> Counter[Any]:
    return Counter({(one.rule, one.claims, one.device) for one in dractl.audit(world).violations})


def _claims_of(found: dict[str, Any]) -> tuple[Counter[Any], Counter[Any]]:
    begin, end = (
        Counter((row["rule"], tuple(row["claims"]), row["device"]) for row in found["claims"][side])
        for side in ("begin", "end")
    )
    return begin, end


# Objects


def _changed_objects(old: list[Object], new: list[Object]) -> dict[str, set[str]]:
    before, after = ({_name(item): item for item in world} for world in (old, new))
    return {
        "added": after.keys() - before.keys(),
        "removed": before.keys() - after.keys(),
        "changed": {name for name in before.keys() & after.keys() if before[name] != after[name]},
    }


def _name(item: Object) -> str:
    namespace = item["metadata"].get("namespace") or ""
    return f"{item['kind']} {namespace} {item['metadata']['name']}"


def _objects_of(found: dict[str, Any]) -> dict[str, set[str]]:
    return {change: {_name_of(row["object"]) for row in rows} for change, rows in found["objects"].items()}


def _name_of(item: dict[str, str]) -> str:
    return f"{item['kind']} {item['namespace']} {item['name']}"


def main() -> int:
    """Compare random pairs, print what disagrees, and count what was seen."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    maker, wrong, seen = PairMaker(options.seed), 0, Counter[str]()
    for number in range(options.pairs):
        old, new = maker.pair()
        for line in disagreements(old, new):
            sys.stdout.write(f"pair {number}: {line[:1500]}\n")
            wrong += 1
        found = dractl.diff(old, new)
        seen.update(found=1, equal=found.ok, placements=len(found.placements), claims=len(found.claims))
        seen.update(selectors=len(found.selectors), objects=len(found.objects))
        seen.update(findings=len(found.findings_begin) + len(found.findings_end))
    sys.stdout.write(f"{options.pairs} pairs, {wrong} disagreements; {dict(seen)}\n")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
