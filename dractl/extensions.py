"""What is found by its name and imported by nobody: the parts of wings that could be removed in one piece.

A wing is a folder for APIs that few inputs have. Each part has a row here, and is loaded when an input meets
its key. Who asks for the part says what it must be, with an :class:`ExtensionPoint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

__all__ = ["ENTRY_POINTS", "ExtensionPoint"]

T_co = TypeVar("T_co", covariant=True)

_V1ALPHA2 = "dractl.legacy.v1alpha2.admission.kinds"

ENTRY_POINTS: Mapping[str, Mapping[str, str]] = {
    "cel": {"prototypes": "dractl.legacy.prototypes.selecting:select"},
    "cel-instances": {
        "resource.k8s.io/v1alpha2": "dractl.legacy.v1alpha2.named_resources:named_resources",
    },
    "convert": {"prototypes": "dractl.legacy.prototypes.convert:convert"},
    "convert-version": {"resource.k8s.io/v1alpha2": "dractl.legacy.v1alpha2.conversion.documents:convert"},
    "dialects": {"prototypes": "dractl.legacy.prototypes.dialects.dialects:DIALECTS"},
    "judge": {"prototypes": "dractl.legacy.prototypes.validate:judge"},
    "json-schema": {"prototypes": "dractl.legacy.prototypes.json_schema:json_schema"},
    "kind": {
        "resource.k8s.io/v1alpha2 PodSchedulingContext": f"{_V1ALPHA2}:POD_SCHEDULING_CONTEXT",
        "resource.k8s.io/v1alpha2 ResourceClaim": f"{_V1ALPHA2}:RESOURCE_CLAIM",
        "resource.k8s.io/v1alpha2 ResourceClaimParameters": f"{_V1ALPHA2}:RESOURCE_CLAIM_PARAMETERS",
        "resource.k8s.io/v1alpha2 ResourceClaimTemplate": f"{_V1ALPHA2}:RESOURCE_CLAIM_TEMPLATE",
        "resource.k8s.io/v1alpha2 ResourceClass": f"{_V1ALPHA2}:RESOURCE_CLASS",
        "resource.k8s.io/v1alpha2 ResourceClassParameters": f"{_V1ALPHA2}:RESOURCE_CLASS_PARAMETERS",
        "resource.k8s.io/v1alpha2 ResourceSlice": f"{_V1ALPHA2}:RESOURCE_SLICE",
        "resource.k8s.io/v1alpha3 PodSchedulingContext": f"{_V1ALPHA2}:POD_SCHEDULING_CONTEXT",
    },
    "own-rules": {"prototypes": "dractl.legacy.prototypes.own_rules:OWN_RULES"},
    "pod-check": {"1.30": "dractl.legacy.v1alpha2.admission.pods:check_generated_names"},
    "possible": {"prototypes": "dractl.legacy.prototypes.possible:models_in"},
    "scheduler": {"1.30": "dractl.legacy.v1alpha2.simulation.run:run"},
    "simulate": {"prototypes": "dractl.legacy.prototypes.run:simulate"},
}
"""For each extension point its keys, with the module and name of what is there."""


class ExtensionPoint(Generic[T_co]):
    """A place for parts of type ``T_co``, which wings bring and nobody else."""

    __slots__ = ("_rows",)

    def __init__(self, name: str) -> None:
        """Find the rows of the point; raises KeyError for a name that no row has."""
        self._rows = ENTRY_POINTS[name]

    def get(self, key: str) -> T_co | None:
        """The part for ``key``, whose module is loaded; None if no row has the key.

        Raises ModuleNotFoundError where the wing was left out of the installation.
        """
        return self[key] if key in self._rows else None

    def __getitem__(self, key: str) -> T_co:
        """The part for ``key``; raises KeyError if no row has it, for the rest see :meth:`get`."""
        part: T_co = _load(self._rows[key])
        return part

    def all(self) -> Iterator[T_co]:
        """The parts of all keys, in the order of the rows; those of missing wings are left out."""
        for key in self._rows:
            try:
                part = self[key]
            except ModuleNotFoundError as error:
                if error.name not in _WINGS:
                    raise
            else:
                yield part


_WINGS = frozenset({"dractl.legacy"})


def _load(row: str) -> Any:
    from importlib import import_module  # most inputs meet no wing

    module, _, name = row.partition(":")
    return getattr(import_module(module), name)
