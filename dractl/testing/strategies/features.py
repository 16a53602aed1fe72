"""What generated objects may have: the API version and the features that all chosen minors have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.api import gates, release
from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.layout import to_version
from dractl.versions.registry import Standing, look_up

__all__ = ["FEATURES", "Features", "features_for"]

_VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")
"""The API versions from the newest one on; a slice of each has devices."""

FEATURES: Mapping[str, str] = {
    "partitions": "DRAPartitionableDevices",
    "taints": "DRADeviceTaints",
    "shares": "DRAConsumableCapacity",
    "alternatives": "DRAPrioritizedList",
}
"""The feature gate of each feature that an object may have."""

_COUNTERS_APART = release.parse("1.35")
"""Since this minor a slice has either devices or the counters that they consume."""


class Features(NamedTuple):
    """The API version to write, and which features objects have."""

    api_version: str
    partitions: bool
    taints: bool
    shares: bool
    alternatives: bool
    counters_apart: bool

    def written(self, kind: str, name: str, spec: JsonObject, namespace: str = "") -> JsonDict:
        """An object of ``resource.k8s.io``; ``spec``, of v1, is written in the API version."""
        metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
        version = f"resource.k8s.io/{self.api_version}"
        value = {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": dict(spec)}
        return to_version(version, kind, value)


def features_for(
    kube_version: str,
    feature_gates: Mapping[str, bool] | None,
    api_version: str | None,
    wanted: Mapping[str, bool | None],
) -> Features:
    """The features that servers of ``kube_version``, a minor or a range, all have; None takes what they have.

    Raises ValueError for a feature or an API version that one of the minors lacks, and what
    ``release.parse_range`` and ``gates.resolve`` raise.
    """
    minors = release.parse_range(kube_version)
    gate_sets = gates.resolve_each(minors, feature_gates)
    apart = {minor.within(_COUNTERS_APART, None) for minor in minors}
    found: dict[str, bool] = {}
    for name, gate in FEATURES.items():
        lacking = [str(gate_set.minor) for gate_set in gate_sets if gate not in gate_set]
        if name == "partitions" and len(apart) > 1:
            lacking = lacking or ["a range across 1.35, which moved counters to slices of their own,"]
        if wanted.get(name) and lacking:
            raise ValueError(f"{name}: {', '.join(lacking)} does not have {gate}; set it in feature_gates")
        found[name] = not lacking if wanted.get(name) is None else bool(wanted[name])
    return Features(_version(minors, api_version), **found, counters_apart=apart == {True})


def _version(minors: Sequence[Minor], api_version: str | None) -> str:
    """The newest API version that all minors have, or the one that is wanted."""
    wanted = _VERSIONS if api_version is None else (api_version.rpartition("/")[2],)
    for version in wanted:
        document = {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceSlice"}
        if version in _VERSIONS and all(
            look_up(minor, document).standing is Standing.KNOWN for minor in minors
        ):
            return version
    what = "no API version" if api_version is None else f"no {api_version}"
    raise ValueError(f"{what} with devices is common to {', '.join(map(str, minors))}")
