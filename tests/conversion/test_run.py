"""Whole inputs: what becomes of each document, what is lost, and the texts that come out."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import dractl
from dractl.conversion.result import Conversion
from tests.rows import each_row

OLD = """\
# who gets what
apiVersion: resource.k8s.io/v1beta1 # old
kind: ResourceClaim
metadata:
  name: gpu   # the only one
spec:
  devices:
    requests:
    # big ones only
    - name: big
      deviceClassName: gpu.example.com # any
      count: 2
"""
NEW = """\
# who gets what
apiVersion: resource.k8s.io/v1 # old
kind: ResourceClaim
metadata:
  name: gpu   # the only one
spec:
  devices:
    requests:
    # big ones only
    - name: big
      exactly:
        deviceClassName: gpu.example.com # any
        count: 2
"""


def _convert(text: Any, to: str = "resource.k8s.io/v1", **options: Any) -> Conversion:
    return dractl.convert(dedent(text) if isinstance(text, str) else text, to=to, **options)


def test_a_text_keeps_its_lines_and_comments() -> None:
    assert _convert(OLD).text == NEW
    assert _convert(NEW, "v1beta1").text == OLD


@each_row("version", ["v1alpha3", "v1beta1", "v1beta2", "v1"])
def test_there_and_back_gives_the_text_again(version: str) -> None:
    assert _convert(_convert(NEW, version).text).text == NEW


def test_objects_from_python_are_converted() -> None:
    given = _convert(OLD, "v1beta1").objects[0]
    found = _convert(given)
    assert found.files == ()
    assert found.objects[0]["spec"]["devices"]["requests"][0]["exactly"]["count"] == 2
    assert found.to == "resource.k8s.io/v1"


def test_other_kinds_pass_as_they_are() -> None:
    text = f"kind:   ConfigMap\napiVersion: v1\ndata: {{a:   '1'}}\n---\n{OLD}---\nvalues: [1,   2]\n"
    assert _convert(text).text == text.replace(OLD, NEW)


def test_an_object_that_is_in_the_version_already_passes() -> None:
    text = NEW.replace("count: 2", "future: 2")
    assert _convert(text).text == text


def test_items_of_a_list_are_converted_in_place() -> None:
    items = "".join(f"  {line}\n" for line in OLD.splitlines()).replace(
        "  # who gets what", "- # who gets what", 1
    )
    new = _convert(f"apiVersion: v1\nkind: List\nitems:\n{items}").text
    assert "      - name: big\n        exactly:\n          deviceClassName: gpu.example.com # any\n" in new


def test_a_typed_list_says_the_version_for_its_items() -> None:
    text = """\
        apiVersion: resource.k8s.io/v1beta1
        kind: DeviceClassList
        items:
        - metadata: {name: a}
        - metadata: {name: b} # second
        """
    assert _convert(text).text == dedent(text).replace("v1beta1", "v1")


def test_json_stays_json() -> None:
    value = {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "spec": {"devices": {"requests": [{"name": "a", "deviceClassName": "g"}]}},
    }
    new = _convert(json.dumps(value, indent=2)).text
    assert new.startswith('{\n  "apiVersion": "resource.k8s.io/v1",\n')
    assert json.loads(new)["spec"]["devices"]["requests"] == [
        {"name": "a", "exactly": {"deviceClassName": "g"}}
    ]


POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims:
  - name: a
    source: # 1.30
      resourceClaimName: x # shared
  - name: b
    source: {resourceClaimTemplateName: t}
  - {name: c, resourceClaimName: y}
"""
POD_NOW = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims:
  - name: a
    # 1.30
    resourceClaimName: x # shared
  - name: b
    resourceClaimTemplateName: t
  - {name: c, resourceClaimName: y}
"""


def test_claims_of_pods_lose_the_source_of_1_30() -> None:
    assert _convert(POD).text == POD_NOW


@pytest.mark.parametrize(
    ("head", "route"),
    [
        ("apiVersion: apps/v1\nkind: Deployment", ("spec", "template")),
        ("apiVersion: batch/v1\nkind: CronJob", ("spec", "jobTemplate", "spec", "template")),
    ],
)
def test_claims_of_workloads_lose_it_too(head: str, route: tuple[str, ...]) -> None:
    before: dict[str, Any] = {
        "spec": {"resourceClaims": [{"name": "a", "source": {"resourceClaimName": "x"}}]}
    }
    after: dict[str, Any] = {"spec": {"resourceClaims": [{"name": "a", "resourceClaimName": "x"}]}}
    for step in reversed(route):
        before, after = {step: before}, {step: after}
    body = json.dumps(before)[1:-1]
    (found,) = _convert(f"{head}\n{body}").objects
    assert {"spec": found["spec"]} == after


def test_an_unknown_member_of_source_is_not_taken_for_nothing() -> None:
    found = _convert(POD.replace("resourceClaimName: x", "resourceBundleName: x"))
    assert [lost.field for lost in found.lost] == ["spec.resourceClaims[0].source.resourceBundleName"]
    assert "from a newer version cannot be converted" in found.lost[0].reason
    assert found.text == ""


LOSING = OLD.replace("count: 2", "count: 2\n      future: {x: 1}")


def test_what_would_be_lost_has_its_place_and_a_reason() -> None:
    found = _convert(LOSING)
    (lost,) = found.lost
    assert (lost.location.line, lost.location.column) == (13, 7)
    assert lost.field == "spec.devices.requests[0].future"
    assert lost.object is not None
    assert lost.object.name == "gpu"
    assert "its meaning is unknown" in lost.reason
    assert not found.ok
    assert found.files == ()
    assert found.objects == ()


def test_it_is_left_out_when_asked_for() -> None:
    found = _convert(LOSING, lossy=True)
    assert found.ok
    assert found.text == NEW
    assert len(found.lost) == 1


@pytest.mark.parametrize(
    ("selector", "reasons"),
    [
        ("{deviceClassName: gpu}", ["has no such field", "taints every device of every driver"]),
        ("{deviceClassName: gpu, driver: gpu.example.com}", ["has no such field"]),
        ("{}", []),
    ],
)
def test_a_taint_rule_that_would_select_everything(selector: str, reasons: list[str]) -> None:
    found = _convert(
        "apiVersion: resource.k8s.io/v1alpha3\nkind: DeviceTaintRule\nmetadata: {name: drain}\n"
        f"spec: {{deviceSelector: {selector}, taint: {{key: a.b/c, effect: NoExecute}}}}\n",
        lossy=True,
    )
    assert len(found.lost) == len(reasons)
    assert all(reason in lost.reason for lost, reason in zip(found.lost, reasons, strict=True))


@each_row(
    ("head", "reason"),
    [
        ("resource.k8s.io/v1alpha2\nkind: ResourceClaim", "shares only its name with later versions"),
        (
            "resource.k8s.io/v1alpha3\nkind: PodSchedulingContext",
            "resource.k8s.io/v1 has no PodSchedulingContext",
        ),
        ("resource.k8s.io/v1\nkind: Gadget", "no supported Kubernetes minor has Gadget"),
        (
            "resource.k8s.io/v7\nkind: ResourceClaim",
            "no supported Kubernetes minor has ResourceClaim",
        ),
    ],
)
def test_a_document_without_a_place_there_is_lost_whole(head: str, reason: str) -> None:
    text = f"apiVersion: {head}\nmetadata: {{name: x}}\n"
    version = "v1" if "Scheduling" in head else "v1beta2"
    (lost,) = _convert(text, version).lost
    assert reason in lost.reason
    both = f"# a\n{OLD}---\n{text}"
    assert _convert(both, lossy=True, to=version).text.count("kind:") == 1


def test_a_kind_that_the_version_lacks_stays_where_the_server_has_it() -> None:
    text = "apiVersion: resource.k8s.io/v1alpha3\nkind: ResourcePoolStatusRequest\nspec: {driver: d}\n"
    found = _convert(text)
    assert found.text == text
    (note,) = found.notes
    assert note.startswith("<text>:1:1: ResourcePoolStatusRequest stays in resource.k8s.io/v1alpha3; ")


@pytest.mark.parametrize(
    "text",
    ["a: [\n", OLD.replace("count: 2", "count: two"), OLD.replace("count: 2", "count: 2\n      count: 3")],
)
def test_what_cannot_be_read_leaves_no_result(text: str) -> None:
    for lossy in (False, True):
        found = _convert(text, lossy=lossy)
        assert len(found.lost) == 1
        assert not found.ok
        assert found.files == ()


ANCHORS = """\
# all of them
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - &one {deviceClassName: g} # one
    - <<: *one
      name: b
"""


def test_where_comments_cannot_be_kept_it_is_reported() -> None:
    found = _convert(ANCHORS)
    assert found.objects[0]["spec"]["devices"]["requests"][1] == {
        "name": "b",
        "exactly": {"deviceClassName": "g"},
    }
    errors = [
        finding for finding in dractl.validate(found.text).findings if finding.severity.value == "error"
    ]
    assert [error.rule for error in errors] == ["request/name"]
    assert found.files[0].notes == ("document 1 of <text>: rewritten without comments",)


def test_an_object_behind_an_anchor_changes_in_place() -> None:
    text = ANCHORS.replace("- <<: *one\n      name: b", "- *one # two")
    found = _convert(text)
    requests = "- &one {exactly: {deviceClassName: g}} # one\n    - *one # two\n"
    assert found.text == text.replace("v1beta1", "v1").replace(text[text.index("- &one") :], requests)
    assert found.files[0].notes == ()


def test_several_files_are_one_stream(tmp_path: Path) -> None:
    for name, text in (("a.yaml", OLD), ("b.json", '{"kind": "X"}'), ("c.yaml", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = dractl.convert(tmp_path, to="v1")
    assert [Path(file.name).name for file in found.files] == ["a.yaml", "b.json"]
    assert found.text == f'{NEW}---\n{{"kind": "X"}}'


@each_row(
    ("to", "minor"),
    [("v1alpha2", None), ("apps/v1", None), ("v2", None), ("v1", "1.33"), ("v1beta1", "1.31")],
)
def test_versions_that_cannot_be_written_are_refused(to: str, minor: str | None) -> None:
    with pytest.raises(ValueError, match=r"resource\.k8s\.io/v1"):
        _convert(OLD, to, kube_version=minor)


def test_the_minor_decides_which_fields_there_are() -> None:
    text = NEW.replace("count: 2", "count: 2\n        derivedAttributes: []")
    assert _convert(text, "v1beta2").ok
    (lost,) = _convert(text, "v1beta2", kube_version="1.35").lost
    assert lost.reason == "resource.k8s.io/v1beta2 of Kubernetes 1.35 has no such field"


@pytest.mark.parametrize("source", ["{}", "", "{resourceClaimName: null}"])
def test_a_source_with_nothing_in_it_is_not_taken_for_nothing(source: str) -> None:
    text = POD.replace("{resourceClaimTemplateName: t}", source)
    (lost,) = _convert(text).lost
    assert lost.field == "spec.resourceClaims[1].source"
    assert "from a newer version cannot be converted" in lost.reason
    assert _convert(text, lossy=True).objects[0]["spec"]["resourceClaims"][1] == {"name": "b"}


BASIC = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceSlice
spec:
  nodeName: "" # unused
  allNodes: true # everywhere
  devices:
  - name: a
    basic: {} # nothing to say
  - {name: b, # second
     basic: {allowMultipleAllocations: true, # often
             attributes: {x: {int: 1}}}}
"""


def test_comments_that_go_are_counted() -> None:
    found = _convert(BASIC)
    assert "# often" in found.text
    assert found.files[0].notes == ("document 1 of <text>: 2 comments are lost",)
    one = _convert(BASIC.replace(" # unused", ""))
    assert one.files[0].notes == ("document 1 of <text>: 1 comment is lost",)


def test_comments_inside_braces_stay() -> None:
    text = OLD.replace("- name: big\n      deviceClassName", "- {name: big, # large\n      deviceClassName")
    text = text.replace("gpu.example.com # any\n      count: 2", "gpu.example.com, # any\n      count: 2}")
    found = _convert(text)
    assert found.files[0].notes == ()
    assert "- {name: big, # large\n      exactly: {deviceClassName: gpu.example.com, # any\n" in found.text
    assert _convert(found.text, "v1beta1").text == text


def test_comments_stay_where_fields_in_braces_move() -> None:
    line = "{count: 2, # two\n      name: big, # large\n      deviceClassName: g}"
    found = _convert(OLD.split("- name: big", maxsplit=1)[0] + f"- {line}\n")
    moved = "{name: big, # large\n      exactly: {count: 2, # two\n      deviceClassName: g}}"
    assert found.text.endswith(f"- {moved}\n")
    assert found.files[0].notes == ()


def test_a_typed_list_goes_along_with_its_items() -> None:
    item = "".join(f"  {line}\n" for line in OLD.splitlines()[1:]).replace("  ", "- ", 1)
    text = f"kind: ResourceClaimList\napiVersion: resource.k8s.io/v1beta1\nitems:\n{item}"
    found = _convert(text)
    assert found.text.startswith("kind: ResourceClaimList\napiVersion: resource.k8s.io/v1\nitems:\n")
    assert "v1beta1" not in found.text
    assert (
        "apiVersion: v1\n"
        in _convert(
            text.replace("ResourceClaimList\napiVersion: resource.k8s.io/v1beta1", "List\napiVersion: v1")
        ).text
    )


def test_json_that_is_spread_over_more_lines_is_reported() -> None:
    text = (
        '{\n  "apiVersion": "resource.k8s.io/v1beta1",\n  "kind": "DeviceClass",\n  "spec": {"config": []}\n}'
    )
    assert _convert(text).files[0].notes == ("document 1 of <text>: reformatted",)
    even = json.dumps(json.loads(text), indent=2)
    assert _convert(even).files[0].notes == ()


def test_an_object_that_holds_itself_is_an_error() -> None:
    value: dict[str, Any] = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim"}
    value["spec"] = {"devices": value}
    found = _convert([value], lossy=True)
    assert not found.ok
    assert any("contains itself" in lost.reason for lost in found.lost)


@pytest.mark.parametrize("to", ["v1", "v1beta2", "v1beta1", "v1alpha3"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("apiVersion: resource.k8s.io/v1alpha2\nkind: {a: b}\n", "kind must be a string"),
        ("apiVersion: [1]\nkind: ResourceClaim\n", "apiVersion must be a string"),
        ("apiVersion: resource.k8s.io/v1beta1\n", "kind is required"),
        ("apiversion: resource.k8s.io/v1beta1\nKind: ResourceClaim\n", "must be spelled apiVersion and kind"),
    ],
)
def test_what_a_server_cannot_read_is_a_mistake_as_in_validate(to: str, text: str, reason: str) -> None:
    found = dractl.convert(text, to=to, lossy=True)
    assert not found.ok
    assert reason in found.lost[0].reason
    assert not dractl.validate(text).ok


@each_row("text", ["true", "1", "[]", "{}", "~", "- kind: {}", "metadata: 1", "a: 1"])
def test_what_is_not_an_object_stays_as_it_is(text: str) -> None:
    found = dractl.convert(text, to="v1")
    assert found.ok
    assert found.text in (text, "")
