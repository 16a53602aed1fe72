"""The server that judges, and what becomes of one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dractl.admission.framework.context import NamespaceLabels
from dractl.admission.framework.dropping import Dropped, Operation
from dractl.api.errors import FieldError
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject, Object
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.decode import DecodeProblem
from dractl.versions.encode import encode
from dractl.versions.layout import to_version
from dractl.versions.table import Kind

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

DEFAULT_NAMESPACE = "default"


class Server(NamedTuple):
    """An API server: its minor, its gates, what is known of its namespaces, and its clock.

    ``namespaces`` is None where nothing is known; a mapping says all there is, so that a namespace that is
    not in it has no labels. ``now`` is a timestamp in UTC with whole seconds.
    """

    minor: Minor
    gates: GateSet
    namespaces: NamespaceLabels | None
    now: str


class Admission:
    """What became of one document.

    ``value`` is the object in the internal shape (that of v1) after defaults and dropping, also if it is
    refused; ``observed`` is the same with the status and the system's metadata that came with the document,
    as an object of a running cluster has them. ``problems`` are those of decoding, ``errors`` those of
    validation, ``dropped`` what was cleared because a gate is off, ``kept`` what stays although it is;
    ``unserved_without`` is the gate without which the server does not serve the kind, if that is off.
    ``operation`` is the request that brought the document.
    """

    __slots__ = (
        "dropped", "errors", "kept", "kind", "minor", "observed", "operation", "problems", "unserved_without",
        "value",
    )  # fmt: skip

    def __init__(self, minor: Minor, kind: Kind, observed: Object, problems: list[DecodeProblem]) -> None:
        """Start with what decoding gave; the rest is filled in on the way."""
        self.minor = minor
        self.kind = kind
        self.observed = observed
        self.value = {**observed, "metadata": dict(observed["metadata"])}
        self.problems = problems
        self.errors: list[FieldError] = []
        self.dropped: list[Dropped] = []
        self.kept: list[Dropped] = []
        self.unserved_without: str | None = None
        self.operation: Operation = "create"

    @property
    def accepted(self) -> bool:
        """Whether the server takes the object."""
        return not self.problems and not self.errors

    def stored(self) -> Object | None:
        """What the server stores, in the version that was sent; None if it refuses the object."""
        if not self.accepted:
            return None
        shaped = to_version(self.kind.api_version, self.kind.kind, self.value)
        return encode(self.minor, self.kind, shaped)


def namespace_of(value: JsonObject) -> str:
    """The namespace of a decoded object, or the default one."""
    return cast("ObjectMeta", value["metadata"]).get("namespace", DEFAULT_NAMESPACE)
