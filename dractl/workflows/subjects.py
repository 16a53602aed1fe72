"""Which pod, claim, workload or group a name means, and the pods that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dractl.api.json_types import JsonObject
from dractl.api.wording import did_you_mean
from dractl.cluster.objects import Key, Objects, key_of, metadata_of, title_of
from dractl.cluster.workloads import WORKLOADS
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import LeftOut, Outcome
from dractl.simulation.pods.pod_groups import KIND as POD_GROUP
from dractl.simulation.pods.pods import Pod

__all__ = ["WORDS", "NotFoundError", "Subject", "kind_called", "subject"]

WORDS: Mapping[str, str] = {
    "pod": "Pod",
    "pods": "Pod",
    "po": "Pod",
    "claim": "ResourceClaim",
    "resourceclaim": "ResourceClaim",
    "resourceclaims": "ResourceClaim",
    "podgroup": POD_GROUP,
    "podgroups": POD_GROUP,
    **{word: kind for kind in WORKLOADS for word in (kind.lower(), f"{kind.lower()}s")},
    "deploy": "Deployment",
    "sts": "StatefulSet",
    "ds": "DaemonSet",
    "rs": "ReplicaSet",
    "rc": "ReplicationController",
    "cj": "CronJob",
}
"""What kinds are called before the name, as kubectl has it."""

_TEMPLATE = "a template has no devices of its own: name a pod that uses it"
_OTHERS: Mapping[str, str] = {
    **dict.fromkeys(("node", "nodes", "no"), "name a pod and add --node {name}"),
    **dict.fromkeys(("device", "devices"), "name a pod and add --device {name}"),
    **dict.fromkeys(("resourceclaimtemplate", "resourceclaimtemplates"), _TEMPLATE),
    **dict.fromkeys(
        ("resourceslice", "resourceslices", "deviceclass", "deviceclasses"),
        "name a pod or a claim that needs its devices",
    ),
    **dict.fromkeys(("namespace", "namespaces", "ns"), "name a pod of it, or explain everything that waits"),
}
"""What to name instead of other kinds, which neither wait nor hold devices."""

_ALONE = ("Pod", "ResourceClaim")
"""The kinds that a name without a kind may mean, the first one first."""


class NotFoundError(ValueError):
    """Nothing has the name, or several things have it; the message is for the user."""


class Subject(NamedTuple):
    """What a name means; ``pods`` are those of a workload or group, else empty."""

    key: Key
    pods: Sequence[str] = ()

    @property
    def full_name(self) -> str:
        """``namespace/name``."""
        return f"{self.key.namespace}/{self.key.name}"

    @property
    def has_pods(self) -> bool:
        """Whether it is a workload or a group, with pods or not."""
        return self.key.kind not in _ALONE


def kind_called(word: str) -> str | None:
    """The kind that a word before a name means, as ``deploy`` or ``deployments.apps``; None for others."""
    return WORDS.get(word.lower().partition(".")[0])


def subject(name: str, outcome: Outcome, left_out: Iterable[LeftOut], apart: Sequence[Key] = ()) -> Subject:
    """The pod, claim, workload or group that a name means: the pod if a claim has it as well.

    ``apart`` are pods and claims that are not among the objects of the outcome.

    Raises NotFoundError: for an unknown name, with the reason if the object was left out.
    """
    *prefix, last = name.split("/")
    kind = kind_called(prefix[0]) if prefix else None
    namespaces = prefix[1:] if kind is not None else prefix
    if len(namespaces) > 1:
        raise NotFoundError(
            f"{name!r} is not a name; write [KIND/][NAMESPACE/]NAME, with KIND pod, claim, podgroup, "
            "or that of a workload"
        )
    kinds = _ALONE if kind is None else (kind,)
    keys = [key for key in (*map(key_of, outcome.objects), *apart) if key.kind in kinds]
    found = [key for key in keys if key.name == last and (not namespaces or key.namespace == namespaces[0])]
    of_first = [key for key in found if key.kind == kinds[0]] or found
    if len(of_first) > 1:
        named = ", ".join(f"{key.namespace}/{key.name}" for key in of_first[:4])
        raise NotFoundError(f"several are called {last}: {named}; add the namespace")
    if of_first:
        (key,) = of_first
        return Subject(key, () if key.kind in _ALONE else _pods_of(key, Objects(outcome.objects)))
    raise NotFoundError(_unknown(kind, namespaces, last, keys, left_out))


def _unknown(
    kind: str | None,
    namespaces: Sequence[str],
    last: str,
    keys: Sequence[Key],
    left_out: Iterable[LeftOut],
) -> str:
    for entry in left_out:
        its = entry.object
        if its.get("name") != last or (namespaces and its.get("namespace") != namespaces[0]):
            continue
        if kind in (None, its.get("kind")):
            return f"{title_of(its)} was left out: {entry.reason}"
    word = namespaces[0] if kind is None and namespaces else ""
    if word and word not in {key.namespace for key in keys}:
        advice = _OTHERS.get(word.lower().partition(".")[0])
        if advice is not None:
            told = advice.format(name=last)
            return f"{word}/{last}: pods, claims, workloads and pod groups are explained; {told}"
        meant = did_you_mean(word, WORDS, least=0.75)
        if meant:
            return f"unknown kind or namespace {word}; {meant}"
    what = {None: "pod or claim", "Pod": "pod", "ResourceClaim": "claim"}.get(kind, kind)
    near = did_you_mean(last, (key.name for key in keys))
    full = next((f"{key.namespace}/{key.name}" for key in keys if near == f"did you mean {key.name}?"), "")
    return f"no {what} named {'/'.join((*namespaces, last))}" + (f"; did you mean {full}?" if full else "")


def _pods_of(key: Key, objects: Objects) -> tuple[str, ...]:
    """The pods of a workload, also those of the workloads that it owns, or of a group."""
    found = []
    for item in objects.of_kind("Pod"):
        pod = Pod(item)
        if key.kind == POD_GROUP:
            is_member = pod.group == key.name and pod.namespace == key.namespace
        else:
            is_member = _is_owned(item, key, objects, frozenset())
        if is_member:
            found.append(pod.full_name)
    return tuple(found)


def _is_owned(item: JsonObject, owner: Key, objects: Objects, seen: frozenset[Key]) -> bool:
    """Whether a workload controls an object, or what does so."""
    metadata = metadata_of(item)
    controller = next(
        (entry for entry in metadata.get("ownerReferences") or () if entry.get("controller")), None
    )
    if controller is None:
        return False
    key = Key(controller.get("kind", ""), metadata.get("namespace") or "", controller.get("name", ""))
    above = objects.find(key)
    if key == owner or above is None or key in seen:
        return key == owner
    return _is_owned(above, owner, objects, seen | {key})
