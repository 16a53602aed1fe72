"""Each way out as one line: what to do, where, and the node on which the pod then fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from dractl.explanation.model import WayOut
from dractl.explanation.trials.edits import at
from dractl.records import NamedTuple
from dractl.simulation.scheduler.nodes import describe_taint

__all__ = ["KINDS", "sentence"]

KINDS: Mapping[str, str] = {
    "DeviceClass": "class",
    "Namespace": "namespace",
    "Node": "node",
    "Pod": "pod",
    "ResourceClaim": "claim",
    "ResourceClaimTemplate": "claim template",
}
"""What people call the objects that a way out changes."""

_REDO: Mapping[str, str] = {
    "Pod": "recreate the pod",
    "ResourceClaim": "recreate the claim, then the pod",
    "ResourceClaimTemplate": "then recreate the pod",
}
"""What has to follow, because the spec of a claim or pod never changes."""

_SHOWN = 3
"""Names that are listed in full."""

_REQUEST = re.compile(r"requests\[(\d+)\](?:\.firstAvailable\[(\d+)\])?")
_CONTAINER = re.compile(r"((?:initC|c)ontainers)\[(\d+)\]")
_LAST_KEY = re.compile(r"\[([^\]]*)\]$")


class _Form(NamedTuple):
    """What to do, of the way out; ``has_place``: the object and field follow; ``redo``: what comes after."""

    text: Callable[[WayOut], str]
    has_place: bool = True
    redo: bool = True


def sentence(way: WayOut, *, is_brief: bool = False) -> str:
    """The way out as a line without an end mark, such as ``uncordon node a: fits on a``.

    If ``is_brief`` the object is named, but not the field.
    """
    steps = (*way.also, way)
    redo = dict.fromkeys(
        _REDO[step.object_kind] for step in steps if _FORMS[step.way].redo and step.object_kind in _REDO
    )
    text = ", and ".join(_text(step, is_brief=is_brief) for step in steps)
    # To recreate a claim and then the pod includes the pod alone.
    last = max(redo, key=len, default="")
    return f"{text}{'; ' if last else ''}{last}: fits on {way.node}"


def _text(way: WayOut, *, is_brief: bool) -> str:
    """What to do, and in which object and field."""
    form = _FORMS[way.way]
    text = form.text(way)
    if form.has_place:
        where = f"{KINDS.get(way.object_kind, way.object_kind)} {way.object}"
        text += f" ({where}, {way.field})" if way.field and not is_brief else f" ({where})"
    return text


def _request(way: WayOut) -> str:
    """The request that a field is about, by name."""
    found = _REQUEST.search(way.field)
    spec = next(
        (item.get("spec") for key, item in way.change.items() if key.kind == way.object_kind and item), None
    )
    if found is None:
        return ""
    spec = at(spec, ("spec",)) or spec
    request = at(spec, ("devices", "requests", int(found[1]))) or {}
    names = [str(request.get("name"))]
    if found[2] is not None:
        names.append(str(at(request, ("firstAvailable", int(found[2]), "name"))))
    return "/".join(names)


def _container(way: WayOut) -> str:
    found = _CONTAINER.search(way.field)
    pod = next((item for key, item in way.change.items() if key.kind == "Pod" and item), None)
    return "" if found is None else str(at(pod, ("spec", found[1], int(found[2]), "name")))


def _key(way: WayOut) -> str:
    found = _LAST_KEY.search(way.field)
    return found[1] if found else ""


def _taints(value: object) -> str:
    entries = value if isinstance(value, list) else [value]
    return " and ".join(describe_taint(entry) for entry in entries if isinstance(entry, Mapping))


def _names(values: object) -> str:
    names = [str(value) for value in values] if isinstance(values, Sequence) else []
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _count(way: WayOut) -> str:
    if isinstance(way.after, Mapping):
        devices = "1 device" if way.after["count"] == 1 else f"{way.after['count']} devices"
        return f"request {devices} instead of all in request {_request(way)}"
    return f"lower count of request {_request(way)} from {way.before or 1} to {way.after}"


def _alternative(way: WayOut) -> str:
    entries = way.after if isinstance(way.after, list) else []
    counts = [str(entry.get("count") or 1) for entry in entries if isinstance(entry, Mapping)]
    fewer = " or ".join(counts[1:])
    return f"let request {_request(way)} take {fewer} where {counts[0]} cannot be had, by firstAvailable"


def _resource(way: WayOut) -> str:
    return f"lower {_key(way)} of container {_container(way)} from {way.before} to {way.after}"


def _labels(way: WayOut) -> str:
    labels = way.after if isinstance(way.after, Mapping) else {}
    shown = " ".join(f"{name}={value}" for name, value in labels.items())
    return f"label {KINDS[way.object_kind]} {way.object} {shown}"


def _node_selector(way: WayOut) -> str:
    if way.after is None:
        return f"remove {_key(way)}={way.before} from the node selector"
    return f"select nodes by {_key(way)}={way.after} instead of {way.before}"


def _constraint(way: WayOut) -> str:
    return f"use {way.after} instead of {way.before} in the constraint"


def _drop_constraint(way: WayOut) -> str:
    before = way.before if isinstance(way.before, Mapping) else {}
    kinds = ("matchAttribute", "distinctAttribute")
    return "remove constraint " + next((f"{kind} {before[kind]}" for kind in kinds if kind in before), "")


def _free(way: WayOut) -> str:
    names = [str(name) for name in way.before] if isinstance(way.before, list) else []
    ended = {f"{key.namespace}/{key.name}" for key in way.change if key.kind == "Pod"}
    pods = [name for name in names if name in ended]
    claims = [name for name in names if name not in ended]
    if way.field:
        verb, end = ("is", "ends") if len(pods) == 1 else ("are", "end")
        return f"wait until {_numbered('pod', pods)}, which {verb} being deleted, {end}"
    parts = [f"free {_numbered('claim', claims)}, which no pod of the input uses"] if claims else []
    if isinstance(way.after, list):
        nodes = list(dict.fromkeys(way.after))
        go, get = ("goes", "gets") if len(pods) == 1 else ("go", "get")
        then = f"{get} other devices" if nodes == [way.node] else f"{go} to {_names(nodes)}"
        parts.append(f"restart {_numbered('pod', pods)}, which then {then}")
    elif pods:
        parts.append(f"end {_numbered('pod', pods)}")
    return ", and ".join(parts)


def _numbered(kind: str, names: Sequence[str]) -> str:
    return f"{kind} {names[0]}" if len(names) == 1 else f"{len(names)} {kind}s {_names(names)}"


def _other_kind(way: WayOut) -> str:
    return f"write {_first(way.after)} instead of {_first(way.before)}"


def _first(value: object) -> str:
    return str(next(iter(value), "")) if isinstance(value, Mapping) else ""


def _copy(way: WayOut) -> str:
    return f"create {KINDS[way.object_kind]} {way.object} like {way.after}"


def _gate(way: WayOut) -> str:
    names = ", ".join(way.after) if isinstance(way.after, Mapping) else ""
    return f"switch on feature gate {names} in the API server and the scheduler"


def _node_name(way: WayOut) -> str:
    if way.after is None:
        return f"remove nodeName {way.before}"
    return f"replace nodeName with a node selector for node {way.after}"


def _schedule(way: WayOut) -> str:
    return f"remove {way.field.rpartition('.')[2]}"


_FORMS: Mapping[str, _Form] = {
    "rename": _Form(lambda way: f"write {way.after} instead of {way.before}"),
    "other-kind": _Form(_other_kind),
    "let-schedule": _Form(_schedule, redo=False),
    "copy": _Form(_copy, has_place=False, redo=False),
    "create-class": _Form(
        lambda way: f'create class {way.object} with selector device.driver == "{way.after}"',
        has_place=False,
        redo=False,
    ),
    "create-claim": _Form(
        lambda way: f"create {KINDS[way.object_kind]} {way.object} for 1 device of class {way.after}",
        has_place=False,
        redo=False,
    ),
    "node-selector": _Form(_node_selector),
    "gate": _Form(_gate, has_place=False, redo=False),
    "label-namespace": _Form(_labels, has_place=False, redo=False),
    "label-node": _Form(_labels, has_place=False, redo=False),
    "node-affinity": _Form(lambda way: "remove a requirement of the node affinity"),  # noqa: ARG005
    "node-name": _Form(_node_name),
    "uncordon": _Form(lambda way: f"uncordon node {way.object}", has_place=False, redo=False),
    "remove-taint": _Form(
        lambda way: f"remove taint {_taints(way.before)} of node {way.object}", has_place=False, redo=False
    ),
    "selector": _Form(lambda way: f"change the selector to {way.after}"),
    "drop-selector": _Form(lambda way: f"remove the selector {way.before}"),
    "tolerate-device": _Form(
        lambda way: (
            f"tolerate taint {_taints(way.after)} in request {_request(way)}, if such devices still work"
        )
    ),
    "tolerate-node": _Form(lambda way: f"tolerate taint {_taints(way.after)}", redo=False),
    "free": _Form(_free, has_place=False, redo=False),
    "count": _Form(_count),
    "capacity": _Form(
        lambda way: f"lower {_key(way)} of request {_request(way)} from {way.before} to {way.after}"
    ),
    "resource": _Form(_resource),
    "constraint": _Form(_constraint),
    "drop-constraint": _Form(_drop_constraint),
    "alternative": _Form(_alternative),
    "add-node": _Form(lambda way: f"add a node like {way.object}", has_place=False, redo=False),
}
"""By the name of the way."""
