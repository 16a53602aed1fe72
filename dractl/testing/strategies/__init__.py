"""Strategies for hypothesis: slices, classes, claims, pods and clusters that API servers accept.

Objects are valid by construction for ``kube_version``, a minor or a range of minors: they are in the newest
API version that all of them have, with the features that all of them have turned on. ``partitions``,
``taints``, ``shares`` and ``alternatives`` are True (required), False (never) or None (if all minors have
them); ``feature_gates`` turns features on. A failing example shrinks to few devices, claims and pods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dractl.api import release
from dractl.api.json_types import JsonDict
from dractl.testing.strategies import claims, slices
from dractl.testing.strategies import pods as pod_strategies
from dractl.testing.strategies.features import Features, features_for

__all__ = [
    "device_classes",
    "pods",
    "pools",
    "resource_claim_templates",
    "resource_claims",
    "resource_slices",
    "worlds",
]

NEWEST = str(release.NEWEST)
DRIVER = "gpu.example.com"
DRIVERS = (DRIVER, "nic.example.com")


def resource_slices(
    *,
    driver: str = DRIVER,
    node: str | None = "node-0",
    max_devices: int = 8,
    taints: bool | None = None,
    shares: bool | None = None,
    kube_version: str = NEWEST,
    feature_gates: Mapping[str, bool] | None = None,
    api_version: str | None = None,
) -> SearchStrategy[JsonDict]:
    """A ResourceSlice that is a pool of its own, with 1 to ``max_devices`` devices.

    ``node`` None: the pool is for all nodes or for those with a label. Raises ValueError for features that
    ``kube_version`` does not have, and for an API version that it does not serve.
    """
    wanted = {"taints": taints, "shares": shares}
    features = features_for(kube_version, feature_gates, api_version, wanted)
    return slices.single_slice(features, driver, node, max_devices)


def pools(  # noqa: PLR0913 - all are options
    *,
    driver: str = DRIVER,
    node: str | None = "node-0",
    max_devices: int = 8,
    partitions: bool | None = None,
    taints: bool | None = None,
    shares: bool | None = None,
    kube_version: str = NEWEST,
    feature_gates: Mapping[str, bool] | None = None,
    api_version: str | None = None,
) -> SearchStrategy[list[JsonDict]]:
    """All ResourceSlices of one pool: devices, or cards and their partitions, which consume counters.

    Raises as :func:`resource_slices`.
    """
    wanted = {"partitions": partitions, "taints": taints, "shares": shares}
    features = features_for(kube_version, feature_gates, api_version, wanted)
    return slices.pool(features, driver, node, max_devices)


def device_classes(
    *,
    driver: str = DRIVER,
    kube_version: str = NEWEST,
    feature_gates: Mapping[str, bool] | None = None,
    api_version: str | None = None,
) -> SearchStrategy[JsonDict]:
    """The DeviceClass of all devices of ``driver``; it has the driver's name, as claims expect.

    Raises as :func:`resource_slices`.
    """
    return claims.device_class(features_for(kube_version, feature_gates, api_version, {}), driver)


def resource_claims(  # noqa: PLR0913 - all are options
    *,
    name: str = "claim",
    namespace: str = "default",
    drivers: Sequence[str] = (DRIVER,),
    max_requests: int = 3,
    taints: bool | None = None,
    shares: bool | None = None,
    alternatives: bool | None = None,
    kube_version: str = NEWEST,
    feature_gates: Mapping[str, bool] | None = None,
    api_version: str | None = None,
) -> SearchStrategy[JsonDict]:
    """A ResourceClaim for devices of ``drivers``, whose classes have their names.

    Raises as :func:`resource_slices`.
    """
    wanted = {"taints": taints, "shares": shares, "alternatives": alternatives}
    features = features_for(kube_version, feature_gates, api_version, wanted)
    return claims.claim(features, name, namespace, drivers, max_requests)


def resource_claim_templates(  # noqa: PLR0913 - all are options
    *,
    name: str = "template",
    namespace: str = "default",
    drivers: Sequence[str] = (DRIVER,),
    max_requests: int = 3,
    taints: bool | None = None,
    shares: bool | None = None,
    alternatives: bool | None = None,
    kube_version: str = NEWEST,
    feature_gates: Mapping[str, bool] | None = None,
    api_version: str | None = None,
) -> SearchStrategy[JsonDict]:
    """A ResourceClaimTemplate; the arguments are those of :func:`resource_claims`."""
    wanted = {"taints": taints, "shares": shares, "alternatives": alternatives}
    features = features_for(kube_version, feature_gates, api_version, wanted)
    return claims.template(features, name, namespace, drivers, max_requests)


def pods(
    *,
    name: str = "pod",
    namespace: str = "default",
    claims: Sequence[str] = (),
    templates: Sequence[str] = ("template",),
) -> SearchStrategy[JsonDict]:
    """A Pod that uses one or two of the ``claims`` and ``templates`` with these names.

    Raises ValueError without any claims and templates.
    """
    entries = [
        *({"resourceClaimTemplateName": template} for template in templates),
        *({"resourceClaimName": claim} for claim in claims),
    ]
    if not entries:
        raise ValueError("a pod needs claims or templates")
    return pod_strategies.pod(name, namespace, entries)


def worlds(  # noqa: PLR0913 - all are options
    *,
    drivers: Sequence[str] = DRIVERS,
    max_nodes: int = 2,
    max_devices: int = 4,
    max_pods: int = 3,
    partitions: bool | None = None,
    taints: bool | None = None,
    shares: bool | None = None,
    alternatives: bool | None = None,
    kube_version: str = NEWEST,
    feature_gates: Mapping[str, bool] | None = None,
    api_version: str | None = None,
) -> SearchStrategy[list[JsonDict]]:
    """A cluster: nodes, a pool for each driver and node, classes, claims, templates, and pods that use them.

    ``max_devices`` are those of a pool. :func:`dractl.simulate` takes the objects. Raises as
    :func:`resource_slices`.
    """
    wanted = {"partitions": partitions, "taints": taints, "shares": shares, "alternatives": alternatives}
    features = features_for(kube_version, feature_gates, api_version, wanted)
    return _worlds(features, drivers, max_nodes, max_devices, max_pods)


@st.composite
def _worlds(
    draw: DrawFn,
    features: Features,
    drivers: Sequence[str],
    max_nodes: int,
    max_devices: int,
    max_pods: int,
) -> list[JsonDict]:
    used = tuple(drivers[: draw(st.integers(1, len(drivers)))])
    names = [f"node-{number}" for number in range(draw(st.integers(1, max_nodes)))]
    objects = [pod_strategies.node(name) for name in names]
    for name in names:
        for driver in used:
            objects += draw(slices.pool(features, driver, name, max_devices))
    objects += [draw(claims.device_class(features, driver)) for driver in used]
    for number in range(draw(st.integers(1, max_pods))):
        name = f"pod-{number}"
        objects += draw(_pod_with_claims(features, used, name))
    return objects


@st.composite
def _pod_with_claims(draw: DrawFn, features: Features, drivers: Sequence[str], name: str) -> list[JsonDict]:
    """A pod, and a template or a claim of its own."""
    namespace = "default"
    own = [draw(claims.template(features, name, namespace, drivers, 2))]
    entries = [{"resourceClaimTemplateName": name}]
    if draw(st.booleans()):
        own.append(draw(claims.claim(features, name, namespace, drivers, 2)))
        entries.append({"resourceClaimName": name})
    return [*own, draw(pod_strategies.pod(name, namespace, entries))]
