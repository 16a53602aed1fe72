"""Random pods that wait, through the commands: checks that all that ``dractl why`` prints is true.

``python -m tests.explanation.claims_held --cases 2000`` goes through that many pods, with the clusters of
seeds from ``--seed`` on. It prints what is not true, with the seed, and how many of each were checked.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dractl
from dractl.cli.cluster.why import why
from dractl.cli.cluster_options import SimulateOptions, WhyOptions
from dractl.cli.simulate import simulate
from dractl.explanation.model import NEVER
from dractl.explanation.trials.parts import Part, members, parts_of, without
from dractl.explanation.trials.situation import Situation
from tests.explanation.random_worlds import ADMIN, odd, small, story, worlds_of
from tests.explanation.test_random_worlds import feasible_when_empty

__all__ = ["check"]

Object = dict[str, Any]

_LABELS = tuple(
    f"{namespace}:{name}={value}" for namespace, labels in ADMIN.items() for name, value in labels.items()
)
_UNTRIED = frozenset({"gang", "waiting", "claim-in-flight", "claim-deleting", "node-name", "timeout"})


def check(seed: int, folder: Path, counts: Counter[str]) -> Iterator[str]:
    """What is not true of the pods of one seed; ``counts`` are the statements that were checked."""
    docs, overrides = (small, story, odd)[seed % 3](seed, "1.37")
    path = folder / f"{seed}.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": docs}), encoding="utf-8")
    gates = tuple(f"{name}={str(state).lower()}" for name, state in (overrides or {}).items())
    proofs = folder / f"{seed}"
    options: dict[str, Any] = {"feature_gates": gates, "namespace_labels": _LABELS}
    code, text = _run(
        lambda: why(
            WhyOptions(name=str(path), all_pending=True, report_format="json", prove=str(proofs), **options)
        )
    )
    entries = [entry for entry in json.loads(text)["pending"] if entry["pod"] is not None]
    if code != (1 if json.loads(text)["pending"] else 0):
        yield f"seed {seed}: exit code {code}"
    counts["pods"] += len(entries)
    for file in sorted(proofs.glob("*.yaml")) if proofs.is_dir() else ():
        counts["ways out"] += 1
        yield from _way_out(file, seed)
    after = dractl.simulate(docs, feature_gates=overrides, namespace_labels=ADMIN)
    worlds = {
        f"{world.pod_key.namespace}/{world.pod_key.name}": world
        for world in worlds_of(docs, "1.37", overrides)
    }
    for entry in entries:
        yield from _holders(entry, after.objects, counts, seed)
        world = worlds[entry["pod"]]
        if entry["when"] is not None and entry["category"] not in _UNTRIED:
            fits = feasible_when_empty(world)
            counts["when"] += fits is not None
            if fits is not None and bool(fits) is not (entry["when"] == "busy"):
                yield f"seed {seed}: {entry['pod']} is {entry['when']}, but empty nodes fit: {sorted(fits)}"
        if entry["conflict"]:
            counts["conflicts"] += 1
            yield from _conflict(entry, Situation(world), seed)


def _way_out(file: Path, seed: int) -> Iterator[str]:
    """A file of --prove places its pod with the command that its second line has."""
    lines = file.read_text(encoding="utf-8").split("\n")
    arguments = shlex.split(lines[1].removeprefix("# "))[3:]
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    code, text = _run(
        lambda: simulate(
            SimulateOptions(
                paths=[str(file)],
                report_format="json",
                kube_version=given["--kube-version"],
                feature_gates=tuple(filter(None, given.get("--feature-gates", "").split(","))),
                namespace_labels=_LABELS,
            )
        )
    )
    document = json.loads(text)
    placed = {row["pod"] for row in document["placements"]}
    # A pod that gets devices with binding conditions has them, and waits on.
    waiting = [row["pod"] for row in document["pending"] if row["pod"] and row["pod"] not in placed]
    if any(file.name.startswith(f"{pod.replace('/', '-')}-") for pod in waiting):
        yield f"seed {seed}: {file.name} does not place the pod (exit {code}): {lines[0]}"


def _holders(entry: Object, objects: Any, counts: Counter[str], seed: int) -> Iterator[str]:
    """Each claim that is said to hold a device has it."""
    held = {
        (
            f"{item['metadata']['namespace']}/{item['metadata']['name']}",
            *map(result.get, ("driver", "pool", "device")),
        )
        for item in objects
        if item["kind"] == "ResourceClaim"
        for result in ((item.get("status") or {}).get("allocation") or {}).get("devices", {}).get("results")
        or ()
    }
    for group in entry["groups"]:
        for reason in group["reasons"]:
            for holder in reason.get("holders") or ():
                if holder["device"] is None or holder["claim"] is None:
                    continue
                counts["holders"] += 1
                device = holder["device"]
                if (holder["claim"], device["driver"], device["pool"], device["device"]) not in held:
                    yield f"seed {seed}: {holder['claim']} does not hold {device}"


def _conflict(entry: Object, situation: Situation, seed: int) -> Iterator[str]:
    """The parts cannot hold at once, but can without any one of them."""
    base = situation.emptied if entry["when"] == NEVER else situation.cut
    parts = parts_of(base)
    named = {(part["object"], part["field"]) for part in entry["conflict"]}
    found = [
        part
        for part in parts
        if any((member.object, member.field) in named for member in members(situation.world, (part,)))
    ]

    def holds(kept: list[Part]) -> bool:
        return base.changed(without(base, [part for part in parts if part not in kept])).place() is not None

    if holds(found):
        yield f"seed {seed}: {entry['pod']}: the conflict {sorted(named)} is none"
    for part in found:
        if not holds([other for other in found if other != part]):
            yield f"seed {seed}: {entry['pod']}: the conflict {sorted(named)} is not the smallest"


def _run(command: Any) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        code = command()
    return code, out.getvalue()


def main() -> int:
    """Check as many pods as asked for, and return 1 if anything is not true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong = 0
    seed = given.seed
    with tempfile.TemporaryDirectory() as folder:
        while counts["pods"] < given.cases:
            for line in check(seed, Path(folder), counts):
                wrong += 1
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            seed += 1
    sys.stdout.write(f"{dict(counts)}, {wrong} wrong, seeds {given.seed} to {seed - 1}\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
