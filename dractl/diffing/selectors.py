"""How many devices each selector selects in one input and in the other, and which attributes decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dractl.api.path import Steps
from dractl.cluster.devices import DeviceID
from dractl.diffing.devices import Devices, Selected, differing, differing_of, names_in
from dractl.diffing.model import AttributeChange, SelectorChange
from dractl.diffing.sides import Identity, identity_of
from dractl.finding import ObjectRef
from dractl.lint.base import placing
from dractl.lint.base.input_set import field_text
from dractl.lint.cel.selectors import selectors_in
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version
from dractl.workflows.validate import Admitted

__all__ = ["Place", "Written", "selector_changes", "selectors_of"]


class Place(NamedTuple):
    """Where a selector is, whatever else is in its object: its request by name, and its number."""

    identity: Identity
    request: str
    number: int


class Written(NamedTuple):
    """A selector as it is written: its object, its place in v1 shape, and its text."""

    document: Document
    steps: Steps
    expression: str


def selectors_of(admitted: Iterable[Admitted]) -> dict[Place, Written]:
    """The selectors of the classes, claims and templates that the server takes."""
    found: dict[Place, Written] = {}
    for entry in admitted:
        if entry.admission is None or not entry.admission.accepted:
            continue
        identity = identity_of(entry.document)
        if identity is None:
            continue
        for steps, expression in selectors_in(entry.admission):
            number = steps[-3]
            if isinstance(number, int):
                request = _request(entry.admission.value, steps)
                found[Place(identity, request, number)] = Written(entry.document, steps, expression)
    return found


def _request(value: object, steps: Steps) -> str:
    """The name of the request that a selector is of, as ``request`` or ``request/subrequest``."""
    names = []
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list | tuple) and isinstance(step, int):
            value = value[step]
        name = value.get("name") if isinstance(value, dict) and isinstance(step, int) else None
        if isinstance(name, str):
            names.append(name)
    return "/".join(names)


def selector_changes(
    before: Mapping[Place, Written], after: Mapping[Place, Written], old: Devices, new: Devices
) -> Iterator[SelectorChange]:
    """The selectors that select other devices, and those that are in one input only."""
    for place in {**before, **after}:
        was, now = before.get(place), after.get(place)
        selected = None if was is None else old.selected(was.expression)
        selects = None if now is None else new.selected(now.expression)
        is_cut = any(found is not None and found.is_cut for found in (selected, selects))
        if is_cut or (selected is not None and selects is not None and selected.ids == selects.ids):
            continue
        yield _change(place, (was, now), (selected, selects), (old, new))


def _change(
    place: Place,
    written: tuple[Written | None, Written | None],
    selected: tuple[Selected | None, Selected | None],
    devices: tuple[Devices, Devices],
) -> SelectorChange:
    was, now = written
    one = now or was
    if one is None:
        raise ValueError(place)
    document = one.document
    kind, version = place.identity.key.kind, str(document.value.get("apiVersion"))
    steps = steps_in_version(version, kind, one.steps)
    had, has = (frozenset[DeviceID]() if found is None else found.ids for found in selected)
    lost, gained = had - has, has - had
    old, new = devices
    is_same = was is not None and now is not None and was.expression == now.expression
    ref = placing.object_ref(document) or ObjectRef(version, kind, "", "")
    return SelectorChange(
        ref if ref.name else ref._replace(name=place.identity.key.name),
        field_text(steps),
        place.request,
        place.number,
        placing.location(document, steps),
        "" if now is None else now.expression,
        "" if was is None else was.expression,
        None if selected[0] is None else selected[0].among(len(old.known)),
        None if selected[1] is None else selected[1].among(len(new.known)),
        len(lost),
        len(gained),
        sum(found not in new.by_id for found in lost),
        tuple(_deciding(one.expression, lost, gained, old, new)) if is_same else (),
    )


def _deciding(
    expression: str, lost: frozenset[DeviceID], gained: frozenset[DeviceID], old: Devices, new: Devices
) -> Iterator[AttributeChange]:
    """The attributes whose values make a selector select other devices than before."""
    selector = new.selector(expression)
    if selector is None:
        return
    names = names_in(selector)
    order = [device for device in old.known if device.id in lost or device.id in gained]
    staying = [(device, new.by_id[device.id]) for device in order if device.id in new.by_id]
    found = list(differing(names, staying))
    if found:
        yield from found
        return
    drivers = {name.driver for name in lost}
    replaced = [device for device in new.known if device.id.driver in drivers and device.id not in old.by_id]
    vanished = [device for device in order if device.id not in new.by_id]
    yield from differing_of(names, vanished, replaced)
