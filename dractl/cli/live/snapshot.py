"""``dractl snapshot``: the DRA state of a cluster as YAML that every other command reads."""

from __future__ import annotations

import gc
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence

from dractl.api.json_types import JsonDict, JsonObject
from dractl.cli.live.cluster import read_live
from dractl.cli.live.snapshot_options import SnapshotOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, write
from dractl.live.reading import ClusterState
from dractl.report.objects import render
from dractl.report.style import sentence
from dractl.report.text import counted

__all__ = ["header", "snapshot"]


def snapshot(options: SnapshotOptions) -> int:
    """Read the cluster, write its state, and answer the exit code. Raises UsageError."""
    if options.output == "":
        raise UsageError("--output", "expected a file or folder (unset shell variable?)")
    if options.hash_key is not None and not options.hash_names:
        raise UsageError("--hash-key", "requires --hash-names")
    live = read_live(options)
    gc.freeze()  # the objects stay as long as the run
    objects: Sequence[JsonObject] = live.state.objects
    if options.hash_names:
        from dractl.live.hashing import with_hashed_names  # few snapshots leave the house

        key = secrets.token_bytes(16) if options.hash_key is None else options.hash_key.encode()
        objects = with_hashed_names(objects, key)
    output = None if options.output == "-" else options.output
    if output is None or not (output.endswith(os.sep) or os.path.isdir(output)):  # noqa: PTH112
        return 0 if write(header(live.state, output or "FILE") + render(objects), output) else 2
    return _written(output, objects, header(live.state, output), quiet=options.quiet)


def header(state: ClusterState, name: str) -> str:
    """Comments for the start of a snapshot: of what, with which gates, and the options that go with it."""
    return "".join(f"# {sentence(line)}\n" for line in _header(state, name))


def _header(state: ClusterState, name: str) -> Iterator[str]:
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    yield f"The DRA state of a cluster with Kubernetes {state.release.version}, read at {now}."
    if state.release.has_real_gates:
        yield "Feature gates: those of the API server."
    yield from (f"Note: {note}." for note in state.notes)
    overrides = state.release.gates.overrides
    listed = ",".join(f"{gate}={str(is_on).lower()}" for gate, is_on in sorted(overrides.items()))
    gates = f" --feature-gates {listed}" if listed else ""
    yield f"dractl simulate {name} --kube-version {state.release.gates.minor.version}{gates}"


def _written(folder: str, objects: Iterable[JsonObject], head: str, *, quiet: bool) -> int:
    """Write a file for each kind into a folder; the exit code."""
    kinds: dict[str, list[JsonDict]] = {}
    for item in objects:
        kinds.setdefault(str(item.get("kind")).lower(), []).append(dict(item))
    try:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - pathlib costs time
    except OSError as error:
        notice(f"{folder}: {error.strerror or error}")
        return 2
    for kind, items in kinds.items():
        if not write(head + render(items), os.path.join(folder, f"{kind}.yaml")):  # noqa: PTH118
            return 2
    if not quiet:
        notice(f"wrote {counted(len(kinds), 'file')} to {folder}")
    return 0
