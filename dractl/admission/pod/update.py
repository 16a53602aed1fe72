"""Rules for what an update of a pod may not change: its containers, and their claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.first_change import first_change
from dractl.admission.framework.rule import rule
from dractl.admission.pod.pod import CTR_POD_LEVEL
from dractl.api.errors import ErrorType
from dractl.api.json_types import JsonDict
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import Container, EphemeralContainer, PodSpec

COUNTED: tuple[Literal["containers", "initContainers"], ...] = ("containers", "initContainers")
_EPHEMERAL: Final = "ephemeralContainers"
_LISTS: tuple[Literal["containers", "initContainers", "ephemeralContainers"], ...] = (*COUNTED, _EPHEMERAL)

POD_UPDATE_CONTAINERS = rule(
    "pod/update-containers",
    kind="Pod",
    at=tuple(f"spec.{containers}" for containers in COUNTED),
    type=ErrorType.FORBIDDEN,
    since="1.30",
    upstream="ValidateContainerUpdates",
    doc="""An update must not add or remove containers of a pod.

    Recreate the pod. The server then reports no other changes of the spec.

    Good:
        spec: {containers: [{name: main, image: registry.example.com/main:1}]}
        ---
        spec: {containers: [{name: main, image: registry.example.com/main:2}]}
    Bad:
        spec: {containers: [{name: main, image: registry.example.com/main}]}
        ---
        spec:
          containers:
          - {name: main, image: registry.example.com/main}
          - {name: side, image: registry.example.com/side}
    """,
)

POD_UPDATE_SPEC = rule(
    "pod/update-spec",
    kind="Pod",
    at="spec",
    type=ErrorType.FORBIDDEN,
    since="1.30",
    upstream="ValidatePodUpdate",
    doc="""The resource claims of a pod are immutable.

    This covers `resourceClaims` and the `resources.claims` of containers. Recreate the pod.

    Good:
        metadata: {annotations: {example.com/team: blue}}
        ---
        metadata: {annotations: {example.com/team: red}}
    Bad:
        spec: {resourceClaims: [{name: gpu, resourceClaimName: gpu}]}
        ---
        spec: {resourceClaims: [{name: gpu, resourceClaimName: other-gpu}]}
    """,
)


def check_pod_update(ctx: Context, spec: PodSpec, old: PodSpec) -> None:
    """Containers and claims in ``spec`` are those of ``old``; mirrors that part of ``ValidatePodUpdate``.

    The server compares the whole spec; here only what bears on devices counts.
    """
    path = FieldPath("spec")
    for name in COUNTED:
        new, before = spec.get(name) or [], old.get(name) or []
        if len(new) != len(before):
            _refuse_number(ctx, path.child(name), new, before)
            return
    claims, claims_before = _claims_of(ctx, spec), _claims_of(ctx, old)
    if claims != claims_before:
        message = "resourceClaims and resources.claims of a pod are immutable; recreate the pod"
        found = first_change(path, claims, claims_before)
        ctx.refuse(POD_UPDATE_SPEC, path, "", message, hint=found.before, place=found.place)
    elif len(spec.get(_EPHEMERAL) or ()) != len(old.get(_EPHEMERAL) or ()):
        message = "ephemeral containers cannot be changed by an update of the pod"
        hint = "add one with kubectl debug; they cannot be removed"
        ctx.refuse(POD_UPDATE_SPEC, path, "", message, hint=hint, place=path.child(_EPHEMERAL))


def _refuse_number(ctx: Context, path: FieldPath, new: list[Container], old: list[Container]) -> None:
    """There are more containers than before, or fewer."""
    is_more = len(new) > len(old)
    there = {item.get("name", "") for item in (old if is_more else new)}
    other = [(position, item.get("name", "")) for position, item in enumerate(new if is_more else old)]
    names = [name for _, name in other if name not in there]
    which = f": {', '.join(map(repr, names))}" if names else ""
    done = "added to" if is_more else "taken away from"
    message = f"a container cannot be {done} an existing pod{which}"
    place = next((path.index(position) for position, name in other if name not in there), path)
    hint = f"recreate the pod; it had {len(old)} in `{path.steps()[-1]}` before"
    ctx.refuse(POD_UPDATE_CONTAINERS, path, "", message, hint=hint, place=place if is_more else path)


def _claims_of(ctx: Context, spec: PodSpec) -> JsonDict:
    """The spec of a pod with nothing but its claims, and of ephemeral containers only those that have any."""
    used: dict[str, list[JsonDict]] = {
        name: [_resources_of(item) for item in spec.get(name) or ()] for name in _LISTS
    }
    while used[_EPHEMERAL] and used[_EPHEMERAL][-1] == _resources_of({}):
        used[_EPHEMERAL].pop()
    # Without their gate the server drops the resources of the pod as a whole.
    of_pod = _resources_of(spec) if ctx.has(CTR_POD_LEVEL) else {}
    return {"resourceClaims": spec.get("resourceClaims") or [], **used, **of_pod}


def _resources_of(holder: Container | EphemeralContainer | PodSpec) -> JsonDict:
    return {"resources": {"claims": (holder.get("resources") or {}).get("claims") or []}}
