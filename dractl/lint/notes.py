"""dractl's own findings about one document: skipped, unserved, dropped, not validated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dractl.admission.admit import Admission
from dractl.admission.claim.resource_claim import wants_admin_access
from dractl.admission.framework.dropping import Dropped
from dractl.api import gates as gate_table
from dractl.api import limits, release
from dractl.api.names import IMPLICIT_RESOURCE
from dractl.api.path import FieldPath, Steps, path_text
from dractl.api.release import Minor
from dractl.finding import Finding, Severity
from dractl.lint.base.claim_requests import claim_spec, request_bodies
from dractl.lint.base.newer_apis import value_at
from dractl.lint.base.placing import FATAL, NO_KIND, note
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version
from dractl.versions.registry import DRA_GROUP, Lookup, Standing, type_meta
from dractl.versions.table import Kind, tables
from dractl.versions.workloads import pod_in, pod_steps

if TYPE_CHECKING:
    pass


def about_lookup(document: Document, lookup: Lookup) -> list[Finding]:
    """Why a document has no verdict: it is skipped, or its version or kind is refused."""
    if lookup.standing is Standing.UNNAMED:
        if _is_own_format(document.value):
            return []
        message, hint = _unnamed(document.value)
        # A value without objects may be any file next to manifests; a list of objects is a mistake.
        severity = Severity.WARNING if hint else Severity.INFO
        return [note(document, severity, "document/unnamed", message, hint=hint)]
    steps = (lookup.field,) if lookup.field else ()
    if lookup.standing is Standing.FOREIGN and lookup.message:
        return [
            note(
                document,
                Severity.WARNING,
                "version/other-group",
                lookup.message,
                hint=lookup.hint,
                steps=steps,
            )
        ]
    if lookup.standing is Standing.FOREIGN:
        api_version, kind = type_meta(document.value)
        message = f"{kind} in {api_version} is not supported and is skipped"
        return [note(document, Severity.INFO, "document/skipped", message)]
    rule = "version/unserved" if lookup.standing is Standing.UNSERVED else FATAL
    found = note(document, Severity.ERROR, rule, lookup.message, hint=lookup.hint, steps=steps, type="Decode")
    return [found._replace(detail=NO_KIND) if rule == FATAL else found]


def _is_own_format(value: object) -> bool:
    """Whether this is a scenario, a test or a result, which often are in one folder with manifests."""
    return isinstance(value, dict) and str(value.get("schema", "")).startswith("dractl.")


def _unnamed(value: object) -> tuple[str, str]:
    """What a document without a name of its kind is, and what it may have been meant to be."""
    if isinstance(value, dict):
        return "the document has neither apiVersion nor kind and is skipped", ""
    if not isinstance(value, list):
        return "the document is a single value, not an object, and is skipped", ""
    number = sum(1 for item in value if isinstance(item, dict) and "kind" in item)
    if not number:
        return "the document is a list, not an object, and is skipped", ""
    objects = "1 object" if number == 1 else f"{number} objects"
    return (
        f"the document is a list of {objects} and is skipped as a whole",
        "separate objects with `---`, or put the list under `items:` of a v1 List",
    )


def about_admission(document: Document, admission: Admission, *, namespace_known: bool) -> list[Finding]:
    """Warnings about an object that was read."""
    return [
        *_version(document, admission),
        *_unserved(document, admission),
        *_gated(document, admission, admission.dropped, "gate/dropped"),
        *_gated(document, admission, admission.kept, "gate/kept"),
        *_implicit_resources(document, admission),
        *_admin(document, admission, namespace_known=namespace_known),
        *_nothing_asked(document, admission),
        *_zero_counts(document, admission),
    ]


def _nothing_asked(document: Document, admission: Admission) -> list[Finding]:
    """That a claim or template has no request; those of 1.30 say elsewhere what they want."""
    if not _is_claim(admission) or admission.problems:
        return []
    place, spec = claim_spec(admission)
    devices = spec.get("devices")
    if devices is None or devices.get("requests"):
        return []
    message = "the claim has no request, so it is allocated without devices"
    steps = (*place, "devices", "requests")
    return [
        note(document, Severity.INFO, "document/nothing-asked", message, field=path_text(steps), steps=steps)
    ]


def _is_claim(admission: Admission) -> bool:
    kind = admission.kind
    return kind.group == DRA_GROUP and kind.kind.startswith("ResourceClaim")


def _zero_counts(document: Document, admission: Admission) -> Iterator[Finding]:
    """That a request is written with a count of 0, which is the same as none."""
    if not _is_claim(admission) or not admission.accepted:
        return
    for steps, body in request_bodies(*claim_spec(admission)):
        mode = body.get("allocationMode")
        place = steps_in_version(admission.kind.api_version, admission.kind.kind, (*steps, "count"))
        if value_at(document.value, place) != 0:
            continue
        from dractl.lint.base.input_set import field_text  # hardly any claim is written so

        gets = "all matching devices" if mode == "All" else "1 device"
        message = f"0 is the same as unset, so the request gets {gets}"
        hint = "remove `count`" if mode == "All" else "remove the request, or write `count: 1`"
        yield note(
            document, Severity.WARNING, "document/count-zero", message, hint=hint, field=field_text(place),
            steps=place,
        )  # fmt: skip


def _version(document: Document, admission: Admission) -> list[Finding]:
    kind = admission.kind
    if kind.group != DRA_GROUP or kind.served_by_default:
        return []
    message = f"a {admission.minor} server does not serve {kind.api_version} by default"
    end = _end_of(kind, admission.minor) if kind.deprecated_in else ""
    return [
        note(
            document,
            Severity.WARNING,
            "version/not-served-by-default",
            message + end,
            hint=_replacement(admission),
            steps=("apiVersion",),
        )
    ]


def _end_of(kind: Kind, minor: Minor) -> str:
    """When the version is deprecated and perhaps removed, as seen from ``minor``, which still has it."""
    is_deprecated = minor.within(release.at(kind.deprecated_in), None)
    deprecated = "is deprecated since" if is_deprecated else "will be deprecated in"
    removed = f" and removed in {kind.removed_in}" if kind.removed_in else ""
    return f"; it {deprecated} {kind.deprecated_in}{removed}"


def _replacement(admission: Admission) -> str:
    """The API version to use instead, if the minor serves one by default."""
    source = tables(admission.minor)
    for api_version in source.api_versions(admission.kind.kind):
        if source.kinds[api_version, admission.kind.kind].served_by_default:
            return f"use apiVersion: {api_version}"
    return ""


def _unserved(document: Document, admission: Admission) -> list[Finding]:
    """That the server does not serve the kind, because its gate is off."""
    gate = admission.unserved_without
    if gate is None:
        return []
    message = f"the server does not serve {admission.kind.kind}, because the feature gate {gate} is off"
    hint = _default_since((gate,))
    return [
        note(document, Severity.WARNING, "gate/unserved", message, hint=hint, field="kind", steps=("kind",))
    ]


_GATED = {
    "gate/dropped": "the server drops this field, because the feature {} is off",
    "gate/kept": "the feature {} is off; this server keeps the field, but it has no effect",
}


def _gated(document: Document, admission: Admission, fields: list[Dropped], rule: str) -> list[Finding]:
    """One warning for every gate that is off and affects some of the fields."""
    by_gates: dict[tuple[str, ...], list[FieldPath]] = {}
    for dropped in fields if admission.unserved_without is None else ():
        by_gates.setdefault(dropped.gates, []).append(dropped.path)
    found = []
    kind = admission.kind
    for gates, paths in by_gates.items():
        first, *others = paths
        message = _GATED[rule].format(("gate " if len(gates) == 1 else "gates ") + " and ".join(gates))
        found.append(
            note(
                document,
                Severity.WARNING,
                rule,
                message,
                hint=_default_since(gates),
                field=str(first),
                steps=steps_in_version(kind.api_version, kind.kind, first.steps()),
                related=tuple(str(path) for path in others),
            )
        )
    return found


_NO_IMPLICIT = release.at("1.34")


def _implicit_resources(document: Document, admission: Admission) -> list[Finding]:
    """That the implicit name of a class gets no device in 1.34, and keeps the pod from no node either."""
    steps = pod_steps(admission.kind)
    if admission.minor != _NO_IMPLICIT or steps is None:
        return []
    template = pod_in(admission.kind, admission.observed)
    spec = (template or {}).get("spec") or {}
    for number, container in enumerate(spec.get("containers") or ()):
        for name in (container.get("resources") or {}).get("limits") or ():
            if name.startswith(IMPLICIT_RESOURCE):
                message = f"Kubernetes 1.34 starts the pod without a device for {name}"
                hint = "set extendedResourceName in the DeviceClass and request that name, or use a claim"
                place: Steps = (*steps, "spec", "containers", number, "resources", "limits", name)
                return [
                    note(document, Severity.WARNING, "pod/implicit-resource", message, hint=hint, steps=place)
                ]
    return []


def _default_since(gates: tuple[str, ...]) -> str:
    """In which minor the gates are on by default, as far as that is known."""
    for minor in release.KNOWN:
        having = gate_table.gates_of(minor)
        if all(gate in having and having[gate].default for gate in gates):
            since = release.title(minor)
            return f"it is on by default since {since}; otherwise set --feature-gates {gates[0]}=true"
    return f"it is off by default in all minors up to {release.NEWEST}; set --feature-gates {gates[0]}=true"


def _admin(document: Document, admission: Admission, *, namespace_known: bool) -> list[Finding]:
    label = limits.constant("DRAAdminNamespaceLabelKey", admission.minor)
    if namespace_known or label is None or not admission.kind.kind.startswith("ResourceClaim"):
        return []
    spec = admission.value["spec"]
    devices = spec["spec"]["devices"] if "spec" in spec else spec["devices"]
    position = wants_admin_access(devices)
    if position is None:
        return []
    message = "the namespace labels are unknown, so admin access is not checked"
    hint = (
        f'admin access requires the namespace label {label}: "true"; include the Namespace object in '
        "the input, or pass --namespace-labels NAMESPACE:KEY=VALUE"
    )
    inner = ("spec", "spec") if "spec" in spec else ("spec",)
    kind = admission.kind
    steps = (*inner, "devices", "requests", position, "exactly", "adminAccess")
    return [
        note(
            document, Severity.WARNING, "admin/unknown-namespace", message, hint=hint,
            steps=steps_in_version(kind.api_version, kind.kind, steps),
        )
    ]  # fmt: skip
