from pathlib import Path
from typing import Any

import pytest

import dractl
from dractl.api.gates import GateError
from dractl.api.release import UnknownMinorError

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
"""
FLAT = """\
# a comment
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: Gpu
"""


def places(text: str, **options: Any) -> list[tuple[str, str, int, int]]:
    report = dractl.validate(text, **options)
    return [
        (finding.rule, finding.severity.value, finding.location.line, finding.location.column)
        for finding in report.findings
        if finding.location is not None
    ]


def only(report: dractl.Report, *rules: str) -> list[dractl.Finding]:
    """The findings of ``rules``; the others have their own tests."""
    return [finding for finding in report.findings if finding.rule in rules]


def test_a_good_claim_has_no_findings() -> None:
    report = dractl.validate(CLAIM)
    assert report.ok
    assert report.findings == ()
    assert report.summary.to_dict() == {"files": 1, "objects": 1, "skipped": 0, "errors": 0, "warnings": 0}


def test_what_is_stored_comes_along() -> None:
    stored = dractl.validate(CLAIM).persisted[0]
    assert stored is not None
    assert stored["spec"]["devices"]["requests"][0]["exactly"]["count"] == 1


def test_a_finding_stands_at_its_line_in_the_shape_that_was_sent() -> None:
    assert ("request/class-format", "error", 10, 7) in places(FLAT)


def test_a_version_that_is_not_served_by_default_is_a_warning() -> None:
    assert ("version/not-served-by-default", "warning", 2, 1) in places(FLAT)


def test_a_version_that_the_minor_lacks_is_an_error() -> None:
    text = CLAIM.replace("resource.k8s.io/v1", "resource.k8s.io/v1alpha3")
    assert places(text) == [("version/unserved", "error", 1, 1)]
    assert dractl.validate(text).persisted == (None,)


def test_a_claim_in_the_wrong_group_is_no_document_to_skip_in_silence() -> None:
    core = CLAIM.replace("resource.k8s.io/v1", "v1")
    assert places(core) == [("version/unserved", "error", 1, 1)]
    similar = CLAIM.replace("resource.k8s.io/v1", "resources.k8s.io/v1")
    assert places(similar) == [("version/other-group", "warning", 1, 1)]
    assert dractl.validate(similar).summary.skipped == 1
    (row,) = dractl.simulate(similar).left_out
    assert row.reason == (
        "<text>:1:1: resources.k8s.io is not the API group of ResourceClaim, so the object is skipped and "
        "not validated; did you mean resource.k8s.io/v1?"
    )


def test_the_end_of_a_version_is_reported_as_the_minor_sees_it() -> None:
    def said(minor: str) -> str:
        (found,) = only(dractl.validate(FLAT, kube_version=minor), "version/not-served-by-default")
        return found.message

    assert said("1.32").endswith("; it will be deprecated in 1.35 and removed in 1.38")
    assert said("1.35").endswith("; it is deprecated since 1.35 and removed in 1.38")


def test_a_version_may_be_deprecated_without_an_end() -> None:
    rule = """\
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceTaintRule
metadata: {name: drain}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: example.com/drain, effect: NoSchedule}}
"""
    (found,) = dractl.validate(rule, kube_version="1.38").findings
    assert found.message.endswith("by default; it is deprecated since 1.36")


def test_files_of_dractl_itself_are_skipped_in_silence() -> None:
    report = dractl.validate("schema: dractl.test/1\nmanifests: .\n")
    assert report.findings == ()
    assert report.summary.skipped == 1


def test_a_values_file_is_skipped_with_an_info() -> None:
    report = dractl.validate("replicas: 3\n")
    assert [(found.rule, found.severity.value) for found in report.findings] == [("document/unnamed", "info")]
    assert report.summary.skipped == 1
    assert report.ok


def test_an_unreadable_document_is_one_error_and_does_not_hide_the_next() -> None:
    report = dractl.validate(f"a: [\n---\n{CLAIM}")
    assert len(only(report, "decode/fatal")) == report.summary.errors == 1
    assert len(report.persisted) == 1
    assert not report.ok


def test_an_unknown_field_names_the_nearest_one() -> None:
    report = dractl.validate(CLAIM.replace("deviceClassName", "deviceClasName"))
    first, second = only(report, "decode/unknown", "request/class-required")
    assert (first.rule, first.type, first.hint) == (
        "decode/unknown",
        "Decode",
        "did you mean deviceClassName?",
    )
    assert second.rule == "request/class-required"
    assert (second.after_decode, second.cause) == (True, "decode/unknown")


def test_the_path_of_a_wrong_type_stands_in_the_message() -> None:
    (found,) = only(dractl.validate(CLAIM.replace("name: gpu\n", "name: 1\n", 1)), "decode/fatal")
    assert found.field == ""
    assert found.message.startswith("spec.devices.requests[0].name: expected a string")


def test_a_dropped_field_is_a_warning_that_names_gate_and_minor() -> None:
    text = CLAIM + "        tolerations: [{operator: Exists}]\n"
    (found,) = only(dractl.validate(text, kube_version="1.35"), "gate/dropped")
    assert "DRADeviceTaints" in found.message
    assert found.hint.startswith("it is on by default since 1.36")
    assert found.location is not None
    assert found.location.line == 10


@pytest.mark.parametrize(
    ("labels", "rules"),
    [
        (None, ["admin/unknown-namespace"]),
        ({}, ["admin/namespace"]),
        ({"default": {"resource.kubernetes.io/admin-access": "true"}}, []),
    ],
)
def test_admin_access_is_judged_by_what_is_known(
    labels: dict[str, dict[str, str]] | None, rules: list[str]
) -> None:
    text = CLAIM + "        adminAccess: true\n"
    report = dractl.validate(text, namespace_labels=labels)
    assert [found.rule for found in only(report, "admin/unknown-namespace", "admin/namespace")] == rules


def test_a_namespace_object_in_the_input_counts() -> None:
    labels = '{resource.kubernetes.io/admin-access: "true"}'
    namespace = f"---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: default, labels: {labels}}}\n"
    labelled = dractl.validate(CLAIM + "        adminAccess: true\n" + namespace)
    assert only(labelled, "admin/unknown-namespace", "admin/namespace") == []
    bare = namespace.replace(f", labels: {labels}", "")
    assert not dractl.validate(CLAIM + "        adminAccess: true\n" + bare).ok


def test_paths_mappings_and_lists_of_them(tmp_path: Path) -> None:
    file = tmp_path / "claim.yaml"
    file.write_text(CLAIM, encoding="utf-8")
    document = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "A"}}
    report = dractl.validate([file, document, CLAIM])
    assert len(report.persisted) == 3
    assert {"across/class-missing", "meta/name-format"} <= {found.rule for found in report.findings}


def test_a_missing_path_raises(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        dractl.validate(tmp_path / "nowhere.yaml")


def test_what_no_server_can_be_raises() -> None:
    with pytest.raises(UnknownMinorError):
        dractl.validate(CLAIM, kube_version="1.2")
    with pytest.raises(GateError):
        dractl.validate(CLAIM, feature_gates={"DRANothing": True})


def test_the_json_document_has_the_documented_keys() -> None:
    document = dractl.validate(FLAT, feature_gates={"DRADerivedAttributes": True}).to_dict()
    assert document["schema"] == "dractl.validate/1"
    assert document["kubeVersion"] == "1.37"
    assert document["featureGates"] == {"DRADerivedAttributes": True}
    error = next(found for found in document["findings"] if found["severity"] == "error")
    assert error["type"] == "FieldValueInvalid"
    assert error["field"] == "spec.devices.requests[0].exactly.deviceClassName"
    assert error["badValue"] == "Gpu"
    assert error["object"]["name"] == "gpu"
    assert error["location"] == {"file": "<text>", "line": 10, "column": 7}
    assert "afterDecode" not in error


def test_an_earlier_state_and_a_status(tmp_path: Path) -> None:
    changed = CLAIM.replace("gpu.example.com", "nic.example.com")
    assert len(only(dractl.validate(changed, old=CLAIM), "claim/update-spec")) == 1
    assert dractl.validate(changed, old=CLAIM, subresource="status").ok
    with pytest.raises(ValueError, match="earlier state"):
        dractl.validate(CLAIM, subresource="status")
    with pytest.raises(ValueError, match="scale"):
        dractl.validate(CLAIM, old=CLAIM, subresource="scale")
    broken = tmp_path / "old.yaml"
    broken.write_text("a: [", encoding="utf-8")
    with pytest.raises(ValueError, match=r"old\.yaml"):
        dractl.validate(CLAIM, old=broken)


@pytest.mark.parametrize(
    ("minor", "api_version", "label"),
    [
        ("1.37", "v1", "resource.kubernetes.io/admin-access"),
        ("1.33", "v1beta2", "resource.k8s.io/admin-access"),
        ("1.32", "v1beta1", None),  # no namespace was asked yet
    ],
)
def test_the_label_for_admin_access_is_that_of_the_minor(
    minor: str, api_version: str, label: str | None
) -> None:
    request = {"deviceClassName": "gpu.example.com", "adminAccess": True}
    shape = {"name": "gpu", **request} if api_version == "v1beta1" else {"name": "gpu", "exactly": request}
    claim = {
        "apiVersion": f"resource.k8s.io/{api_version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu"},
        "spec": {"devices": {"requests": [shape]}},
    }
    report = dractl.validate(claim, kube_version=minor, feature_gates={"DRAAdminAccess": True})
    hints = [finding.hint for finding in report.findings if finding.rule == "admin/unknown-namespace"]
    assert [label in hint for hint in hints if label] == ([True] if label else [])
    assert len(hints) == (1 if label else 0)


def test_a_request_of_an_older_version_is_reported_of_what_it_has() -> None:
    text = "\n".join(FLAT.splitlines()[:-1])
    refused = dractl.validate(text, kube_version="1.33").findings[0]
    assert (refused.rule, refused.message) == (
        "request/union-none",
        "exactly one of `deviceClassName`, `firstAvailable` is required",
    )


def test_a_former_field_of_a_claim_has_its_place_in_the_version_that_was_written() -> None:
    text = FLAT.partition("spec:")[0].replace("v1beta1", "v1alpha3") + "spec: {resourceClassName: gpu}\n"
    assert dractl.validate(text, kube_version="1.31").findings[0].hint == (
        "name the class in each request: `spec.devices.requests[*].deviceClassName`"
    )


def test_a_field_that_is_missing_because_it_is_dropped_is_reported_so() -> None:
    distinct = f"{CLAIM}    constraints:\n    - requests: [gpu]\n      distinctAttribute: example.com/a\n"
    refused = dractl.validate(distinct, kube_version="1.35").findings[0]
    assert refused.message == (
        "the server drops `distinctAttribute`, because the feature gate DRAConsumableCapacity is off; "
        "without it a constraint requires a matchAttribute"
    )
    assert (refused.field, refused.location and refused.location.line) == (
        "spec.devices.constraints[0].matchAttribute",
        12,
    )
    listed = CLAIM.replace("exactly:", "firstAvailable:").replace(
        "        device", "      - name: a\n        device"
    )
    refused = dractl.validate(
        listed, feature_gates={"DRAPrioritizedList": False}, kube_version="1.34"
    ).findings[0]
    assert refused.message.startswith("the server drops `firstAvailable`, because the feature gate DRAPr")


def test_bad_keys_stand_at_themselves() -> None:
    text = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec:
  driver: gpu.example.com
  pool: {name: a, generation: 1, resourceSliceCount: 1}
  nodeName: a
  sharedCounters:
  - name: memory
    counters:
      fine: {value: 1Gi}
      Wrong: {value: 1Gi}
"""
    assert ("counterset/counter-name", "error", 12, 7) in places(text)
    devices = """\
  devices:
  - name: gpu-0
    attributes:
      fine: {int: 1}
      not-fine: {int: 1}
    capacity:
      fine: {value: 1Gi}
      not-fine: {value: 1Gi}
    consumesCounters:
    - counterSet: memory
      counters:
        fine: {value: 1Gi}
        Wrong: {value: 1Gi}
"""
    text = text[: text.index("  sharedCounters")] + devices
    found = places(text)
    assert ("device/attr-key", "error", 12, 7) in found
    assert ("device/cap-key", "error", 15, 7) in found
    assert ("device/consumes-counter-name", "error", 20, 9) in found


def test_a_list_of_objects_is_reported_how_to_be_read() -> None:
    listed = "".join(f"{'  ' if number else '- '}{line}\n" for number, line in enumerate(CLAIM.splitlines()))
    found = dractl.validate(listed).findings[0]
    assert (found.rule, found.severity.value) == ("document/unnamed", "warning")
    assert found.message == "the document is a list of 1 object and is skipped as a whole"
    assert found.hint == "separate objects with `---`, or put the list under `items:` of a v1 List"
    other = dractl.validate("[1, 2]").findings[0]
    assert (other.severity.value, other.hint) == ("info", "")
    assert (
        dractl.validate("text").findings[0].message
        == "the document is a single value, not an object, and is skipped"
    )
