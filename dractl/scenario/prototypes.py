"""The objects of prototypes in a scenario: they are simulated anew after each step that concerns them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonDict, JsonObject
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.prototypes import any_prototype
from dractl.workflows.extensions import PROTOTYPES, SIMULATE
from dractl.workflows.mixed_input import with_part

if TYPE_CHECKING:
    from dractl.finding import Finding
    from dractl.simulation.engine.report import Simulation
    from dractl.workflows.extensions import Part, Simulate

__all__ = ["PrototypeStage"]

_ENDS = frozenset({"complete", "fail", "timeout", "delete"})
"""The steps that a pod of a prototype does not outlive."""

Key = tuple[str, str, str]


class PrototypeStage:
    """The objects of prototypes, as they are after each step."""

    def __init__(self, node_order: Sequence[str], dialect: str | None = None) -> None:
        """Start without any."""
        self._node_order = tuple(node_order)
        self._dialect = dialect
        self._part: Part | None = None
        self._given: set[Key] = set()

    def bring(self, loaded: Sequence[Loaded]) -> list[Loaded]:
        """Create or replace the objects of prototypes among ``loaded``, and return the others."""
        documents = [item for item in loaded if isinstance(item, Document)]
        there = self._objects()
        values = (document.value for document in documents)
        is_theirs = bool(there) or self._dialect is not None or any_prototype(values)
        simulate = SIMULATE.get(PROTOTYPES) if is_theirs else None
        if simulate is None:
            return list(loaded)
        new = {_key(document.value) for document in documents}
        kept = [item for item in there if _key(item) not in new]
        part = self._simulated(simulate, [*_documents(kept), *documents])
        theirs = {id(document) for document in part.documents}
        self._given.update(_key(document.value) for document in documents if id(document) in theirs)
        return [item for item in loaded if id(item) not in theirs]

    def _simulated(self, simulate: Simulate, documents: Sequence[Document]) -> Part:
        part = simulate(documents, self._dialect, self._node_order)
        # What is wrong with an object was said when it came.
        new = tuple(found for found in part.findings if not _is_of_state(found))
        self._part = part._replace(findings=new)
        return self._part

    def _objects(self) -> Sequence[JsonDict]:
        return () if self._part is None else self._part.objects

    def end(self, word: str, subject: JsonObject) -> bool:
        """End a pod, or delete another object; False if there is no such object of a prototype."""
        simulate = SIMULATE.get(PROTOTYPES) if self._part is not None else None
        name = str(subject.get("name", ""))
        key = (str(subject.get("kind", "")), str(subject.get("namespace") or "default"), name)
        there = self._objects()
        if word not in _ENDS or simulate is None or key not in {_key(item) for item in there}:
            return False
        rest = [item for item in there if _key(item) != key]
        if key[0] == "Pod":
            rest = list(self._without_user(rest, name))
        self._simulated(simulate, _documents(rest))
        return True

    def _without_user(self, objects: Iterable[JsonDict], pod: str) -> Iterator[JsonDict]:
        """The objects once a pod is gone: without the claims that were made for it, nor as their user."""
        for item in objects:
            found = item.get("status")
            status = found if isinstance(found, dict) else {}
            names = status.get("podNames") or []
            entries = status.get("reservedFor") or []
            if pod not in [*names, *(user.get("name") for user in entries)]:
                yield item
            elif _key(item) in self._given:
                left = {
                    "podNames": [name for name in names if name != pod],
                    "reservedFor": [user for user in entries if user.get("name") != pod],
                }
                kept = {name: value for name, value in status.items() if name not in left}
                yield {**item, "status": {**kept, **{name: value for name, value in left.items() if value}}}

    def shown(self, simulation: Simulation) -> Simulation:
        """A state of the others together with that of these objects; what was left out is said once."""
        if self._part is None:
            return simulation
        found = with_part(simulation, self._part)
        self._part = self._part._replace(left_out=(), findings=())
        return found


def _key(value: object) -> Key:
    metadata = value.get("metadata") if isinstance(value, dict) else None
    meta = metadata if isinstance(metadata, dict) else {}
    kind = str(value.get("kind", "")) if isinstance(value, dict) else ""
    return kind, str(meta.get("namespace") or "default"), str(meta.get("name", id(value)))


_STATE = "<state>"
"""The file of the objects that are there from earlier steps."""


def _is_of_state(found: Finding) -> bool:
    return found.location is not None and found.location.file == _STATE


def _documents(objects: Iterable[JsonDict]) -> list[Document]:
    return [Document(item, file=_STATE, index=number) for number, item in enumerate(objects)]
