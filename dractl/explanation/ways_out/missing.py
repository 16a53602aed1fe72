"""Ways out for what is named and does not exist: the name that was meant, or the object to create."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.api.wording import nearest
from dractl.cluster.objects import Key
from dractl.cluster.references import references_of
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.world import Change

__all__ = ["copy_object", "create_claim", "create_class", "name_other_kind", "rename_reference"]

_MOST_TRIED = 4
_LEAST_ALIKE = 0.5
_OTHER_KIND = {
    "ResourceClaim": ("resourceClaimName", "resourceClaimTemplateName", "ResourceClaimTemplate"),
    "ResourceClaimTemplate": ("resourceClaimTemplateName", "resourceClaimName", "ResourceClaim"),
}
"""What a pod names, and what it may have meant: field, other field, other kind."""


def rename_reference(situation: Situation) -> Iterator[Candidate]:
    """The nearest existing name instead of one that nothing has; the only one if there is just one."""
    for owner, steps, target in _dangling(situation):
        known = sorted(
            key.name
            for key in situation.world.objects
            if key[:2] == target[:2] and not _is_generated(situation, key)
        )
        near = nearest(target.name, known, least=_LEAST_ALIKE)
        names = [near] if near else []
        if not names and len(known) == 1:
            names = known
        for size, name in enumerate(names):
            change = _edited(situation, owner, steps, name)
            if situation.fits(change) is not None:
                yield Candidate(owner, field(steps), target.name, name, size, change)
                break


def name_other_kind(situation: Situation) -> Iterator[Candidate]:
    """A template that was named as a claim, or a claim that was named as a template."""
    world = situation.world
    for owner, steps, target in _dangling(situation):
        if target.kind not in _OTHER_KIND or owner != world.pod_key:
            continue
        written, meant, kind = _OTHER_KIND[target.kind]
        if Key(kind, target.namespace, target.name) not in world.objects:
            continue
        entry = dict(at(world.objects[owner], steps[:-1]))
        del entry[written]
        change: Change = {owner: replaced(world.objects[owner], steps[:-1], {**entry, meant: target.name})}
        if situation.fits(change) is not None:
            yield Candidate(owner, field(steps), {written: target.name}, {meant: target.name}, 0, change)


def copy_object(situation: Situation) -> Iterator[Candidate]:
    """A copy of the object of that name in another namespace."""
    for _, _, target in _dangling(situation):
        elsewhere = [
            key for key in situation.world.objects if (key.kind, key.name) == (target.kind, target.name)
        ]
        for key in elsewhere[:_MOST_TRIED]:
            original = situation.world.objects[key]
            made = {name: value for name, value in original.items() if name != "status"}
            made = {**made, "metadata": {"name": target.name, "namespace": target.namespace}}
            change: Change = {target: made}
            if situation.fits(change) is not None:
                yield Candidate(target, "", None, f"{key.namespace}/{key.name}", 0, change)
                break


def create_class(situation: Situation) -> Iterator[Candidate]:
    """A class of the missing name for the devices of one driver, the most alike first."""
    drivers = sorted(
        {
            str(item["spec"].get("driver"))
            for key, item in situation.cut.objects.items()
            if key.kind == "ResourceSlice"
        }
    )
    targets = {target: None for _, _, target in _dangling(situation) if target.kind == "DeviceClass"}
    for target in targets:
        near = nearest(target.name, drivers)
        for size, driver in enumerate(sorted(drivers, key=lambda driver: driver != near)[:_MOST_TRIED]):
            change: Change = {target: _class_of(target.name, driver)}
            if situation.fits(change) is not None:
                yield Candidate(target, "", None, driver, size, change)
                break


def create_claim(situation: Situation) -> Iterator[Candidate]:
    """The missing claim or template, with one device of the first class that does."""
    classes = sorted(key.name for key in situation.cut.objects if key.kind == "DeviceClass")
    targets = {target: None for _, _, target in _dangling(situation) if target.kind in _OTHER_KIND}
    for target in targets:
        for size, name in enumerate(classes[:_MOST_TRIED]):
            change: Change = {target: _asking_for(target, name)}
            if situation.fits(change) is not None:
                yield Candidate(target, "", None, name, size, change)
                break


def _asking_for(target: Key, class_name: str) -> JsonDict:
    exactly = {"deviceClassName": class_name, "allocationMode": "ExactCount", "count": 1}
    spec: JsonDict = {"devices": {"requests": [{"name": "device", "exactly": exactly}]}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": target.kind,
        "metadata": {"name": target.name, "namespace": target.namespace},
        "spec": spec if target.kind == "ResourceClaim" else {"spec": spec},
    }


def _class_of(name: str, driver: str) -> JsonDict:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{driver}"'}}]},
    }


def _dangling(situation: Situation) -> Iterator[tuple[Key, Steps, Key]]:
    """The names in the pod and its claims that nothing has: where each is written, and what it names."""
    world = situation.world
    for owner in (world.pod_key, *(source.key for source in situation.sources)):
        for reference in references_of(world.objects[owner]):
            # What was refused is there: another name would not be what somebody meant.
            is_refused = reference.target in world.settings.left_out
            if reference.target not in world.objects and not is_refused:
                yield owner, reference.steps, reference.target


def _is_generated(situation: Situation, key: Key) -> bool:
    return bool(at(situation.world.objects[key], ("metadata", "ownerReferences")))


def _edited(situation: Situation, owner: Key, steps: Steps, name: str) -> Change:
    world = situation.world
    source = next((source for source in situation.sources if source.key == owner), None)
    if source is not None:
        return source.replaced(world, steps[len(source.place) :], name)
    pod = world.objects[owner]
    return {owner: dropped(replaced(pod, steps, name), ("status", "resourceClaimStatuses"))}
