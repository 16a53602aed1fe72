"""The claims of an input against its ResourceQuotas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.cluster.objects import DEFAULT_NAMESPACE, metadata_of
from dractl.cluster.owned_pods import NO_PODS
from dractl.cluster.quota import Limit, claim_usage, counts_extended, limits_of, pod_usage
from dractl.cluster.workloads import WORKLOADS, wanted_pods
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_set import InputObject, Lint, PodSpec
from dractl.lint.base.lint_rule import own_rule
from dractl.records import NamedTuple

__all__ = ["CHECKS", "claims_fit_the_quotas"]

QUOTA_EXCEEDED = own_rule(
    "across/quota-exceeded",
    severity=Severity.WARNING,
    kind=("ResourceClaim", "ResourceClaimTemplate", "Pod"),
    doc="""The claims of a namespace must not exceed its ResourceQuota.

    The API server rejects the first claim that would exceed a quota. A pod whose claim cannot be generated
    stays Pending. `<class>.deviceclass.resource.k8s.io/devices` counts the devices that requests for a class
    can get: `count` of them, 32 for all devices, and the most that an entry of a prioritized list needs.

    Good:
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: team-a, namespace: default}
        spec: {hard: {gpu.deviceclass.resource.k8s.io/devices: 8}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: train, namespace: default}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 8}}]}}
    Bad:
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: team-a, namespace: default}
        spec: {hard: {gpu.deviceclass.resource.k8s.io/devices: 8}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: train, namespace: default}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, allocationMode: All}}]}}
    """,
)


class _Part(NamedTuple):
    """What one object of the input counts as, the place that decides it, and whether it exists already."""

    given: InputObject
    steps: Steps
    usage: Counter[str]
    exists: bool


def claims_fit_the_quotas(given: CrossInput) -> Iterator[Lint]:
    """A lint for each limit that the objects of a namespace exceed, at the first object beyond it."""
    quotas = given.inputs.quotas()
    if not quotas:
        return
    parts: dict[str, list[_Part]] = {}
    for part in _parts(given):
        parts.setdefault(part.given.namespace or DEFAULT_NAMESPACE, []).append(part)
    for quota in quotas:
        namespace = str(metadata_of(quota).get("namespace") or DEFAULT_NAMESPACE)
        for limit in limits_of(quota):
            lint = _beyond(limit, quota, parts.get(namespace, []))
            if lint is not None:
                yield lint


def _beyond(limit: Limit, quota: JsonObject, parts: list[_Part]) -> Lint | None:
    counted = [part for part in parts if part.usage[limit.name]]
    # What others use that are not in the input; those that exist and are, come first.
    counted.sort(key=lambda part: not part.exists)
    others = max(0, _used(quota, limit.name) - sum(part.usage[limit.name] for part in counted if part.exists))
    total = others
    for number, part in enumerate(counted):
        total += part.usage[limit.name]
        if limit.is_below(total) and not part.exists:
            everything = others + sum(other.usage[limit.name] for other in counted)
            return _lint(limit, part, counted[:number], others, everything)
    return None


def _lint(limit: Limit, part: _Part, before: list[_Part], others: int, total: int) -> Lint:
    own = part.usage[limit.name]
    users = [f"{entry.usage[limit.name]} by {entry.given.kind} {entry.given.name}" for entry in before[:3]]
    if len(before) > 3:
        users.append(f"{sum(entry.usage[limit.name] for entry in before[3:])} by {len(before) - 3} more")
    if others:
        users.append(f"{others} by objects outside the input")
    used = f", after {', '.join(users)}" if users else ""
    message = (
        f"quota {limit.quota} allows {limit.amount()}, and the input needs {total}: "
        f"{own} here{used}; the API server rejects what exceeds the quota"
    )
    return Lint(QUOTA_EXCEEDED, part.given, part.steps, message, "raise the quota, or request less")


def _used(quota: JsonObject, name: str) -> int:
    status = quota.get("status")
    used = status.get("used") if isinstance(status, dict) else None
    found = limits_of({"metadata": {}, "spec": {"hard": used}})
    return next((limit.hard.value for limit in found if limit.name == name), 0)


def _parts(given: CrossInput) -> Iterator[_Part]:
    """What the claims, pods and workloads of the input count as, in the order of the input."""
    inputs = given.inputs
    extended = None
    if given.gates is not None and counts_extended(given.gates):
        extended = {
            item.name: (item.value.get("spec") or {}).get("extendedResourceName") or ""
            for item in inputs.of("DeviceClass")
        }
    found = [
        _Part(item, ("spec", "devices", "requests"), claim_usage(item.spec, extended), _exists(item))
        for item in inputs.of("ResourceClaim")
    ]
    for pod in inputs.pods():
        found += _of_pods(given, pod, extended)
    yield from sorted(found, key=lambda part: part.given.number)


def _of_pods(given: CrossInput, pod: PodSpec, extended: dict[str, str] | None) -> Iterator[_Part]:
    """What a pod, or the pods of a workload, count as with the claims that are generated for them."""
    item, copies = pod.given, _copies(pod.given)
    own = pod_usage({"spec": pod.spec, "status": item.value.get("status") or {}})
    if own and copies:
        yield _Part(item, pod.steps, _times(own, copies), _exists(item))
    generated = {
        entry.get("name") for entry in (item.value.get("status") or {}).get("resourceClaimStatuses") or ()
    }
    for number, entry in enumerate(pod.spec.get("resourceClaims") or ()):
        name = entry.get("resourceClaimTemplateName")
        if not name or entry.get("name") in generated:
            continue
        for template in given.inputs.around(item, "ResourceClaimTemplate", name):
            if copies:
                usage = _times(claim_usage(template.spec, extended), copies)
                steps = (*pod.steps, "resourceClaims", number)
                yield _Part(item, steps, usage, exists=False)
                break


def _copies(item: InputObject) -> int:
    """How many pods an object stands for; those of workloads from a cluster are objects of their own."""
    shape = WORKLOADS.get(item.kind)
    if shape is None:
        return int(item.kind == "Pod")
    if _exists(item):
        return 0
    return 1 if shape.is_per_node else wanted_pods(item.value, shape, NO_PODS)


def _times(usage: Counter[str], number: int) -> Counter[str]:
    return Counter({name: amount * number for name, amount in usage.items()})


def _exists(item: InputObject) -> bool:
    """Whether an object comes from a cluster, not from a manifest."""
    return bool(item.value["metadata"].get("uid"))


CHECKS = (CrossCheck((QUOTA_EXCEEDED,), claims_fit_the_quotas),)
