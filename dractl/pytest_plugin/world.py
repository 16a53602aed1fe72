"""``dractl_world``: manifests of a test as a cluster, with assertions about it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import dractl
from dractl import assertions
from dractl.assertions import Devices, Server, Settings
from dractl.simulation.engine.report import Simulation

if TYPE_CHECKING:
    from dractl.api.json_types import JsonObject
    from dractl.auditing.model import Audit
    from dractl.lint.report import Report
    from dractl.public import Documents
    from dractl.workflows.questions import Why

__all__ = ["World", "WorldFactory"]


class World:
    """A cluster of manifests. It is simulated once; a change makes a new one."""

    def __init__(self, docs: Documents, settings: Settings) -> None:
        """Keep the manifests and the settings of the simulation."""
        self.docs = docs
        self.settings = settings

    @cached_property
    def simulation(self) -> Simulation:
        """The result of :func:`dractl.simulate`."""
        return dractl.simulate(self.docs, **self.settings)

    def why(self, name: str) -> Why:
        """The result of :func:`dractl.why` for a pod or claim."""
        return dractl.why(self.docs, name, **self._server())

    def assert_allocates(
        self,
        pod: str | None = None,
        *,
        node: str | None = None,
        devices: Mapping[str, Devices] | None = None,
        containers: Mapping[str, Devices] | None = None,
    ) -> Simulation:
        """As :func:`dractl.assertions.assert_allocates`."""
        __tracebackhide__ = True
        return assertions.assert_allocates(
            self.simulation, pod, node=node, devices=devices, containers=containers
        )

    def assert_pending(
        self,
        pod: str,
        *,
        category: str | None = None,
        reason: str | Sequence[str] | None = None,
        when: str | None = None,
        ways_out: Sequence[str | Mapping[str, object]] | None = None,
        nodes: Mapping[str, str] | None = None,
    ) -> Simulation:
        """As :func:`dractl.assertions.assert_pending`."""
        __tracebackhide__ = True
        return assertions.assert_pending(
            self.simulation, pod, category=category, reason=reason, when=when, ways_out=ways_out, nodes=nodes
        )

    def assert_legal(self) -> Audit:
        """As :func:`dractl.assertions.assert_legal`, about the allocations after the simulation."""
        __tracebackhide__ = True
        return assertions.assert_legal(self.simulation)

    def assert_valid(self, *, ignore: Iterable[str] = (), warnings: bool = True) -> Report:
        """As :func:`dractl.assertions.assert_valid`."""
        __tracebackhide__ = True
        return assertions.assert_valid(self.docs, ignore=ignore, warnings=warnings, **self._server())

    def _server(self) -> Server:
        """The settings that describe the API server."""
        known = self.settings
        found: Server = {
            "feature_gates": known.get("feature_gates"),
            "namespace_labels": known.get("namespace_labels"),
        }
        if "kube_version" in known:
            found["kube_version"] = known["kube_version"]
        return found


class WorldFactory:
    """Makes a :class:`World` of manifests: YAML texts, paths, objects, or iterables of these.

    Paths are relative to the folder of the test.
    """

    def __init__(self, folder: Path, kube_version: str | None, feature_gates: Mapping[str, bool]) -> None:
        """Keep the defaults of every world."""
        self._folder = folder
        self._settings: Settings = {"feature_gates": feature_gates}
        if kube_version is not None:
            self._settings["kube_version"] = kube_version

    def __call__(self, *docs: Documents, **settings: Unpack[Settings]) -> World:
        """A world of ``docs``; ``settings`` are those of :func:`dractl.simulate`."""
        found = [each for item in docs for each in self._located(item)]
        return World(found, {**self._settings, **settings})

    def _located(self, docs: Documents) -> Iterable[str | os.PathLike[str] | JsonObject]:
        if isinstance(docs, os.PathLike):
            yield Path(os.path.relpath(self._folder / docs))
        elif isinstance(docs, str | Mapping):
            yield docs
        else:
            for item in docs:
                yield from self._located(item)
