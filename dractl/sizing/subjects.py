"""The pods to copy: found by the name of a pod or of a workload, and copied under new names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from dractl.api.json_types import Object
from dractl.api.wording import did_you_mean
from dractl.cluster.objects import DEFAULT_NAMESPACE, Key, Objects, full_name, name_of, namespace_of
from dractl.cluster.scaling import COUNTS, ScaleError, scaled
from dractl.cluster.workload_pods import with_pods
from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Pod

_LONGEST_STEM = 30
"""A longer name could be cut in the names of generated claims, which then need numbers."""

_KEPT_METADATA = ("namespace", "labels", "annotations")


class SizeError(ValueError):
    """A question that cannot be answered; ``option`` is the part of it that is wrong."""

    def __init__(self, option: str, message: str) -> None:
        """Say what is wrong with the value of ``option``."""
        super().__init__(message)
        self.option = option


class Subject(NamedTuple):
    """A pod to copy, and how many copies of it one set of a mix has."""

    pod: Object
    weight: int

    @property
    def name(self) -> str:
        """``namespace/name`` of the pod that is copied."""
        return full_name(self.pod)

    def copies(self, api_objects: Objects) -> Iterator[Object]:
        """Endless copies under free names: without node, status and scheduling gates."""
        namespace, stem = namespace_of(self.pod), name_of(self.pod)[:_LONGEST_STEM].rstrip("-.")
        given = self.pod["metadata"]
        kept = {key: given[key] for key in _KEPT_METADATA if key in given}
        left = ("nodeName", "schedulingGates")
        spec = {key: value for key, value in self.pod["spec"].items() if key not in left}
        for number in count(1):
            name = f"{stem}-copy-{number}"
            if Key("Pod", namespace, name) not in api_objects:
                metadata = {**kept, "name": name, "namespace": namespace}
                yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}

    @property
    def has_own_claims(self) -> bool:
        """Whether no copy shares a claim with another pod."""
        pod = Pod(self.pod)
        return pod.group is None and all(entry.template is not None for entry in pod.claims)


def subjects(wanted: Mapping[str, int], api_objects: Objects) -> list[Subject]:
    """The pods of these names, each with its weight.

    A name is ``NAME``, ``NAMESPACE/NAME`` or, for a workload, also ``KIND/NAMESPACE/NAME``; a pod comes
    before a workload of the same name. Raises SizeError for an unknown or ambiguous name, and for an object
    that was left out, with the reason.
    """
    return [Subject(_found(name, api_objects), weight) for name, weight in wanted.items()]


def _found(name: str, api_objects: Objects) -> Object:
    namespace, _, short = name.removeprefix("Pod/").rpartition("/")
    pod = api_objects.get("Pod", namespace or DEFAULT_NAMESPACE, short)
    if pod is None and not namespace:
        alike = [item for item in api_objects.of_kind("Pod") if name_of(item) == short]
        if len(alike) > 1:
            raise SizeError("--pod", f"{name} is ambiguous; use {', '.join(map(full_name, alike))}")
        pod = alike[0] if alike else None
    return pod if pod is not None else _of_workload(name, api_objects)


def _of_workload(name: str, api_objects: Objects) -> Object:
    """A pod that a workload would create, whatever its number of replicas."""
    workloads = [item for item in api_objects if item.get("kind") in (*COUNTS, "DaemonSet")]
    try:
        one = scaled(workloads, {name: 1})
    except ScaleError as error:
        if str(error).startswith("unknown"):
            raise SizeError("--pod", _unknown(name, api_objects, workloads)) from None
        raise SizeError("--pod", str(error)) from None
    before = {id(item) for item in workloads}
    changed = [item for item in one if id(item) not in before]
    pods = (item for item in with_pods(Objects(changed), (), lambda _pod, _node: True).objects)
    return next(item for item in pods if item.get("kind") == "Pod")


def _unknown(name: str, api_objects: Objects, workloads: list[Object]) -> str:
    namespace, _, short = name.rpartition("/")
    kind, _, namespace = namespace.rpartition("/")
    for one in (kind,) if kind else ("Pod", *COUNTS, "DaemonSet"):
        reason = api_objects.reason(Key(one, namespace or DEFAULT_NAMESPACE, short))
        if reason is not None:
            return f"{one} {namespace or DEFAULT_NAMESPACE}/{short} was left out ({reason})"
    known = [*map(full_name, api_objects.of_kind("Pod")), *map(full_name, workloads)]
    if not known:
        return f"unknown pod {name}; the input has no pods and no workloads"
    wanted = name if "/" in name else f"{DEFAULT_NAMESPACE}/{name}"
    advice = did_you_mean(wanted, known, otherwise=f"the input has {', '.join(known[:5])}")
    return f"unknown pod {name}; {advice}"
