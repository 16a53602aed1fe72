"""Record a cluster as JSON lines: its state, then each change as kubectl sees it."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlencode

from dractl.api import budgets
from dractl.api.json_types import JsonDict, JsonObject
from dractl.live.kubectl import GONE, Kubectl, KubectlError, ended, failure, parsed
from dractl.live.reading import ClusterState, Listing
from dractl.live.trimming import mapping, trimmed
from dractl.records import NamedTuple

__all__ = ["CHANGES", "LISTED", "RECORDING", "Recorder"]

RECORDING = "dractl.recording/1"

LISTED = "LISTED"
"""The type of the lines that describe the state at the start; the others have those of the watch."""

CHANGES = frozenset({"ADDED", "MODIFIED", "DELETED"})
"""The types of the watch that are recorded."""

_CHUNK = 1 << 16
_MOST_FAILURES = 5
_PAUSE = 1.0


class _Watch:
    """A kubectl that watches one kind, and the part of its next line that is already there."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.version = listing.resource_version
        self.process: subprocess.Popen[bytes] | None = None
        self.rest = b""
        self.failures = 0

    def path(self) -> str:
        query = {"watch": "true", "allowWatchBookmarks": "true", "resourceVersion": self.version}
        return f"{self.listing.path}?{urlencode(query)}"

    def end(self) -> None:
        if self.process is not None:
            ended(self.process)
            self.process = None


class _Lines(NamedTuple):
    """What a watch brought: changes, and whether it has to start again from a list."""

    changes: list[JsonDict]
    is_gone: bool


class Recorder:
    """Writes a recording; ``read`` lists the cluster again, ``sink`` takes text that ends with lines."""

    def __init__(
        self, kubectl: Kubectl, read: Callable[[], ClusterState], sink: Callable[[str], None]
    ) -> None:
        """Start with nothing recorded."""
        self._kubectl = kubectl
        self._read = read
        self._sink = sink
        self.events = 0

    def run(self, seconds: float | None = None) -> None:
        """Record until ``seconds`` have passed, or forever.

        Whatever ends it, no kubectl is left behind. Raises KubectlError if the cluster cannot be read.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            state = self._read()
            self._write(_start(state))
            if not self._follow(state.listings, until):
                return
            time.sleep(_PAUSE)  # a server that forgets at once is not asked at once

    def _write(self, lines: Sequence[JsonObject]) -> None:
        self.events += len(lines)
        if self.events > budgets.RECORDED_EVENTS.value:
            raise KubectlError(budgets.RECORDED_EVENTS.message())
        if lines:
            self._sink("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines))

    def _follow(self, listings: Sequence[Listing], until: float | None) -> bool:
        """Record the changes of all kinds; True if the state has to be listed again."""
        watches = [_Watch(listing) for listing in listings]
        with selectors.DefaultSelector() as waiting:
            try:
                for watch in watches:
                    self._begin(watch, waiting)
                while until is None or time.monotonic() < until:
                    left = _PAUSE if until is None else min(_PAUSE, max(until - time.monotonic(), 0))
                    for key, _ in waiting.select(left):
                        if self._take(key.data, waiting):
                            return True
            finally:
                for watch in watches:
                    watch.end()
        return False

    def _begin(self, watch: _Watch, waiting: selectors.BaseSelector) -> None:
        watch.process = self._kubectl.watch(watch.path())
        watch.rest = b""
        if watch.process.stdout is not None:
            waiting.register(watch.process.stdout, selectors.EVENT_READ, watch)

    def _take(self, watch: _Watch, waiting: selectors.BaseSelector) -> bool:
        """Record the output of a watch; True if it has to start from a list."""
        process = watch.process
        if process is None or process.stdout is None:
            return False
        chunk = os.read(process.stdout.fileno(), _CHUNK)
        if chunk:
            *lines, watch.rest = (watch.rest + chunk).split(b"\n")
            if len(watch.rest) > budgets.EVENT_SIZE.value << 20:
                raise KubectlError(budgets.EVENT_SIZE.message())
            found = _changes(lines, watch)
            self._write(found.changes)
            return found.is_gone
        waiting.unregister(process.stdout)
        complaint = b"" if process.stderr is None else process.stderr.read(_CHUNK)
        code = process.wait()
        watch.end()
        if not code:
            watch.failures = 0
        else:
            error = failure(code, complaint.decode("utf-8", "replace"))
            if error.reason in GONE:
                return True
            watch.failures += 1
            if watch.failures >= _MOST_FAILURES:
                raise error
            time.sleep(_PAUSE)
        self._begin(watch, waiting)
        return False


def _changes(lines: Sequence[bytes], watch: _Watch) -> _Lines:
    """The lines of a recording for those of a watch, which remembers how far it came."""
    found: list[JsonDict] = []
    for line in lines:
        if not line.strip():
            continue
        event = parsed(line, watch.listing.path)
        item = mapping(event.get("object"))
        version = mapping(item.get("metadata")).get("resourceVersion")
        if event.get("type") == "ERROR":
            if item.get("reason") in GONE or item.get("code") == 410:
                return _Lines(found, is_gone=True)
            raise KubectlError(f"the watch of {watch.listing.path} failed: {item.get('message')}")
        watch.failures = 0
        if isinstance(version, str):
            watch.version = version
        if event.get("type") in CHANGES:
            kind = {"apiVersion": watch.listing.api_version, "kind": watch.listing.kind.kind}
            found.append(_line(str(event["type"]), {**kind, **item}, version))
    return _Lines(found, is_gone=False)


def _start(state: ClusterState) -> list[JsonDict]:
    """The lines that start a recording, or start it again: the release of the cluster, and each object."""
    gates = state.release.gates
    head: JsonDict = {
        "schema": RECORDING,
        "time": _now(),
        "version": state.release.version,
        "kubeVersion": gates.minor.version,
        "featureGates": dict(sorted(gates.overrides.items())),
        "hasRealGates": state.release.has_real_gates,
    }
    return [head, *_listed(state)]


def _listed(state: ClusterState) -> Iterator[JsonDict]:
    versions = {listing.kind.kind: listing.resource_version for listing in state.listings}
    return (_line(LISTED, item, versions.get(str(item.get("kind")))) for item in state.objects)


def _line(change: str, item: JsonObject, version: object) -> JsonDict:
    return {"time": _now(), "type": change, "resourceVersion": version, "object": trimmed(item)}


def _now() -> str:
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{milliseconds:03}Z"
