"""The objects of ``--world``: they are used, and what is wrong with them is only counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.cli.inputs import Inputs
from dractl.cluster.objects import DEFAULT_NAMESPACE, title_of
from dractl.lint.base.placing import identity_of
from dractl.report.text import counted
from dractl.source.document import Document

if TYPE_CHECKING:
    from dractl.auditing.model import Audit
    from dractl.simulation.engine.report import Simulation

__all__ = ["Around"]

_Key = tuple[str, str, str]


class Around:
    """Which objects are of the world around the input, and results without what is wrong with these."""

    def __init__(self, inputs: Inputs) -> None:
        """Find the objects that only ``--world`` has."""
        own = [item for item in inputs.loaded if isinstance(item, Document)]
        self._files = {item.file for item in inputs.world} - {item.file for item in own}
        kept = set(map(_key, map(identity_of, own)))
        only_there = [about for about in map(identity_of, inputs.world) if _key(about) not in kept]
        self._keys = set(map(_key, only_there))
        self._titles = set(map(title_of, only_there))

    def has(self, about: Mapping[str, str]) -> bool:
        """Whether an object, by kind, namespace and name, is of the world."""
        return _key(about) in self._keys

    def without_findings(self, simulation: Simulation) -> Simulation:
        """The simulation without findings about objects of the world."""
        if not self._keys:
            return simulation
        from dractl.simulation.engine.report import with_outcome

        kept = tuple(
            found
            for found in simulation.findings
            if found.location is None or found.location.file not in self._files
        )
        return with_outcome(simulation, simulation.outcome, kept)

    def without_pending(self, simulation: Simulation) -> tuple[Simulation, str]:
        """The simulation with only those waiting that the input has, and a message about the others."""
        if not self._keys:
            return simulation, ""
        from dractl.simulation.engine.report import with_outcome

        of_world = self._pods(simulation)
        rows = simulation.pending
        kept = tuple(
            row
            for row in rows
            if row.pod not in of_world and not (row.pod is None and _claim(row.claim or "") in self._keys)
        )
        more = len(rows) - len(kept)
        note = (
            f"--world: {counted(more, 'pod')} Pending there {'is' if more == 1 else 'are'} not explained; "
            "name one to explain it"
        )
        return with_outcome(simulation, simulation.outcome._replace(pending=kept)), note if more else ""

    def _pods(self, simulation: Simulation) -> set[str]:
        """The pods of the world, and those of its workloads."""
        found = {f"{namespace}/{name}" for kind, namespace, name in self._keys if kind == "Pod"}
        for item in simulation.outcome.objects:
            if item.get("kind") != "Pod":
                continue
            metadata = item["metadata"]
            namespace = metadata.get("namespace", DEFAULT_NAMESPACE)
            if (
                any(
                    (owner.get("kind"), namespace, owner.get("name")) in self._keys
                    for owner in metadata.get("ownerReferences") or ()
                )
                and ("Pod", namespace, metadata["name"]) not in self._keys
            ):
                found.add(f"{namespace}/{metadata['name']}")
        return found

    def without_own(self, audit: Audit) -> tuple[Audit, str]:
        """The audit with only what concerns a claim of the input, and a message about what is left out."""
        if not self._keys:
            return audit, ""
        violations = tuple(
            found
            for found in audit.violations
            if not found.claims or any(_claim(claim) not in self._keys for claim in found.claims)
        )
        unchecked = tuple(entry for entry in audit.unchecked if entry.subject not in self._titles)
        skipped = len(audit.unchecked) - len(unchecked)
        return audit._replace(violations=violations, unchecked=unchecked), self.left_out(skipped)

    def left_out(self, number: int) -> str:
        """A message about objects of the world that could not be used; empty without any."""
        if not number:
            return ""
        verb = "was" if number == 1 else "were"
        return f"--world: {counted(number, 'object')} {verb} left out; dractl validate explains them"


def _claim(full: str) -> _Key:
    namespace, _, name = full.partition("/")
    return "ResourceClaim", namespace, name


def _key(about: Mapping[str, str]) -> _Key:
    """Kind, namespace and name; objects that have no namespace get one, too, which changes nothing."""
    return about.get("kind", ""), about.get("namespace") or DEFAULT_NAMESPACE, about.get("name", "")
