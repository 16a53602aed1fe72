"""Rows about one manifest: decode problems, errors and the stored object."""

from __future__ import annotations

import json
import re
from typing import Any

from dractl.admission.admit import Server, admit
from dractl.admission.status_update import admit_status
from dractl.admission.update import admit_update, stored_object
from dractl.api import gates, release
from dractl.source.document import Document
from dractl.source.load import load_text
from dractl.versions.registry import Standing, look_up
from dractl.versions.scalars import AsSent
from tests.conformance.difference import MINOR, OTHER, Difference

NEWEST = str(release.NEWEST)

# Of a Pod only these places are compared; the rest of it is not DRA's business.
POD_PLACES = re.compile(
    r"metadata(\.|$)|spec\.resourceClaims|\[\]$|spec\.resources\.claims"
    r"|spec\.(containers|initContainers|ephemeralContainers)\[\d+\]\.resources\.claims"
    r"|status\.(resourceClaimStatuses|extendedResourceClaimStatus)"
)
# In our own cases and in random ones also what else dractl has rules for: types and places.
_OWN_POD_ERRORS = re.compile(
    r"FieldValueForbidden spec(\.(containers|initContainers))?$"
    r"|\w+ status\.(c|initC|ephemeralC)ontainerStatuses\[\d+\]\.allocatedResourcesStatus"
    r"|\w+ status\.nodeAllocatableResourceClaimStatuses"
)
# A server says this of any change of a pod's spec, dractl only of one that bears on claims.
_ANY_CHANGE = ("FieldValueForbidden", "spec")


def is_own(error: tuple[str, str]) -> bool:
    """Whether dractl should say this about a Pod, too."""
    return POD_PLACES.match(error[1]) is not None or _OWN_POD_ERRORS.match(" ".join(error)) is not None


def check(row: dict[str, Any]) -> Difference | None:
    """Compare the verdict on the manifest of ``row``; the row's keys are those of the documented format."""
    return _check(row, POD_PLACES)


def check_own(row: dict[str, Any]) -> Difference | None:
    """The same for a row with all errors of a Pod that :func:`is_own`; nothing else may be said of it."""
    return _check(row, None)


def _check(row: dict[str, Any], pod_places: re.Pattern[str] | None) -> Difference | None:
    cause = OTHER if row["kube"] == NEWEST else MINOR
    documents = load_text(row["manifest"])
    document = documents[0] if documents else None
    if not isinstance(document, Document):
        got: list[list[str]] = [["fatal", ""]]
        return _decode_difference(row, got, cause)
    minor = release.parse(row["kube"])
    lookup = look_up(minor, document.value)
    if lookup.standing is not Standing.KNOWN or lookup.kind is None:
        return _decode_difference(row, [["fatal", ""]], cause)
    _mark_raw_values(document.value, document)
    gate_set = gates.resolve(minor, row.get("gates"))
    server = Server(minor, gate_set, row.get("namespace_labels") or {}, "*")
    duplicates = frozenset(document.duplicates)
    if "old" in row:
        before = _stored(server, row["old"])
        write = admit_status if row.get("subresource") == "status" else admit_update
        admission = write(server, lookup.kind, document.value, before, duplicates=duplicates)
    else:
        admission = admit(server, lookup.kind, document.value, duplicates=duplicates)
    problems = [[p.kind, "" if p.kind == "fatal" else p.path] for p in admission.problems]
    if row.get("field_validation", "strict") != "strict":
        # The server drops these and goes on, with errors and a stored object of their own.
        difference = _decode_difference(row, problems, cause)
        admission.problems = [problem for problem in admission.problems if problem.kind == "fatal"]
        if difference is not None or admission.problems:
            return difference
    elif problems or row["decode"]:
        return _decode_difference(row, problems, cause)
    errors = sorted({(error.type.value, str(error.path)) for error in admission.errors})
    expected = sorted((type_, path) for type_, path in row["errors"])
    if lookup.kind.kind == "Pod" and pod_places is not None:
        errors = [error for error in errors if pod_places.match(error[1])]
    elif lookup.kind.kind == "Pod" and _ANY_CHANGE not in errors:
        expected = [error for error in expected if error != _ANY_CHANGE]
    if errors != expected:
        return Difference({"errors": expected}, {"errors": errors}, cause)
    if row.get("persisted") is None:
        return None
    stored, wanted = _comparable(admission.stored()), _comparable(row["persisted"])
    return None if stored == wanted else Difference({"persisted": wanted}, {"persisted": stored}, cause)


def _mark_raw_values(value: Any, document: Document, steps: tuple[str | int, ...] = ()) -> None:
    """Let the raw values of a row that was sent as JSON know how long their text is."""
    text = document.text or ""
    if not text.lstrip().startswith("{"):
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        place = document.locate_value((*steps, key))
        if key in ("parameters", "data") and isinstance(item, dict) and place is not None:
            start = sum(len(line) for line in text.splitlines(keepends=True)[: place[0] - 1]) + place[1] - 1
            _, end = json.JSONDecoder().raw_decode(text, start)
            value[key] = AsSent(item, len(text[start:end].encode()))
        elif isinstance(item, dict | list):
            _mark_raw_values(item, document, (*steps, key))


def _stored(server: Server, text: str) -> dict[str, Any]:
    """The object that a row's update starts from."""
    (document,) = load_text(text)
    assert isinstance(document, Document)
    kind = look_up(server.minor, document.value).kind
    assert kind is not None
    return stored_object(server, kind, document.value)


def _decode_difference(row: dict[str, Any], got: list[list[str]], cause: str) -> Difference | None:
    expected = sorted(row["decode"])
    got = sorted(list(pair) for pair in {tuple(pair) for pair in got})
    fatal = ["fatal", ""]
    same = fatal in got if fatal in expected else got == expected
    return None if same else Difference({"decode": expected}, {"decode": got}, cause)


def _comparable(value: Any) -> Any:
    """A stored object without what differs from write to write, and with empty counted as absent."""
    if not isinstance(value, dict):
        return value
    metadata = {
        key: item
        for key, item in (value.get("metadata") or {}).items()
        if key not in ("uid", "creationTimestamp", "resourceVersion", "managedFields")
    }
    return without_empty({**value, "metadata": metadata})


def without_empty(value: Any) -> Any:
    """``value`` without keys that are null, ``[]`` or ``{}``; the time of a taint becomes ``*``."""
    if isinstance(value, dict):
        cleaned = {key: "*" if key == "timeAdded" else without_empty(item) for key, item in value.items()}
        return {key: item for key, item in cleaned.items() if item not in (None, [], {})}
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    return value
