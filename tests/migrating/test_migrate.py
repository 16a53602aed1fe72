"""Migrations: each kind of change by a case of its own, what stays behind, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest
import yaml

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.migrating.model import Migration
from dractl.migrating.run import MigrationError, migrate
from dractl.source.load import load_text
from tests.forking import run_dractl
from tests.paths import ROOT
from tests.rows import each_row

EXAMPLE = ROOT / "testdata" / "examples" / "migrate"
CLASS = """
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
"""


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def run(*arguments: str, folder: Path = EXAMPLE) -> Ran:
    """Run the command in a folder."""
    done = run_dractl(["migrate", *arguments], folder)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def migrated(text: str, *, to: str = "claims", kube: str = "1.37", **chosen: str) -> Migration:
    """The migration of a text; ``chosen`` are classes by the name of a resource of example.com."""
    gates = gate_table.resolve(release.parse(kube))
    classes = {f"example.com/{name}": device_class for name, device_class in chosen.items()}
    return migrate(load_text(text, "a.yaml"), gates, None, to, classes)


def after(migration: Migration) -> list[dict[str, object]]:
    """The documents of the only file that changed."""
    (file,) = migration.files
    return list(yaml.safe_load_all(file.after))


def pod(resources: str, more: str = "") -> str:
    """A pod with one container."""
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  containers:
  - name: main
    image: a
    resources: {resources}{more}
"""


def containers(*amounts: int, key: str = "containers") -> str:
    """Containers that request devices, of the names ``a``, ``b``, …; those that start first ``ia``, …."""
    prefix = "" if key == "containers" else "i"
    rows = (
        f"  - {{name: {prefix}{'abc'[place]}, resources: {{limits: {{example.com/gpu: {amount}}}}}}}\n"
        for place, amount in enumerate(amounts)
    )
    return f"  {key}:\n{''.join(rows)}"


def reasons(migration: Migration) -> list[str]:
    """Why something stays as it is."""
    return [entry.reason for entry in migration.found.left]


def claims_of(value: object) -> object:
    """What a template requests: names and counts."""
    assert isinstance(value, dict)
    found = value["spec"]["spec"]["devices"]["requests"]
    return {entry["name"]: entry["exactly"].get("count", 1) for entry in found}


def test_the_example_keeps_comments_and_is_done_after_one_run(tmp_path: Path) -> None:
    for name in ("cluster.yaml", "training.yaml"):
        (tmp_path / name).write_text((EXAMPLE / name).read_text(encoding="utf-8"), encoding="utf-8")
    done = run(".", "--write", folder=tmp_path)
    assert (done.code, done.err) == (1, "dractl: 2 of 2 files migrated\n")
    text = (tmp_path / "training.yaml").read_text(encoding="utf-8")
    assert all(
        part in text for part in ("# The training job", "8Gi          # as measured", "# the fast one")
    )
    again = run(".", folder=tmp_path)
    assert (again.code, again.out.splitlines()[-1]) == (0, "nothing to migrate")
    assert run_dractl(["validate", "."], tmp_path).returncode == 0


def test_a_patch_is_printed_and_what_is_lost_beside_it() -> None:
    done = run("training.yaml", "cluster.yaml", "--diff")
    assert done.out.startswith("--- a/")
    assert "-            example.com/gpu: 2   # for two models\n" in done.out
    assert done.err.startswith("Lost\n")


def test_one_container_gets_one_request() -> None:
    changed, template = after(migrated(pod("{limits: {example.com/gpu: 2, cpu: 1}}"), gpu="gpu"))
    assert changed["spec"] == {
        "containers": [
            {"name": "main", "image": "a", "resources": {"limits": {"cpu": 1}, "claims": [{"name": "gpu"}]}}
        ],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "p-gpu"}],
    }
    assert claims_of(template) == {"main": 2}


@each_row(
    ("running", "passing", "expected", "loss"),
    [
        ((1, 2), (), {"a": 1, "b": 2}, ""),
        ((2,), (2,), {"a": 2}, ""),
        ((4, 2), (1,), {"a": 4, "b": 2}, "init container ia gets the 2 devices of b instead of 1"),
        ((1,), (3,), {"a": 1, "ia": 3}, "the pod holds 4 devices instead of 3"),
        ((), (3, 1), {"ia": 3}, "init container ib gets the 3 devices of ia instead of 1"),
    ],
)
def test_init_containers_share_devices(
    running: tuple[int, ...], passing: tuple[int, ...], expected: object, loss: str
) -> None:
    lists = [containers(*running or (0,))]
    if passing:
        lists.append(containers(*passing, key="initContainers"))
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n{''.join(lists)}"
    found = migrated(text, gpu="gpu")
    assert claims_of(after(found)[1]) == expected
    assert [entry.message.partition(":")[0] for entry in found.found.lost] == ([loss] if loss else [])


def test_names_that_are_taken_are_not_used_again() -> None:
    text = pod("{limits: {example.com/gpu: 1}}", "\n  resourceClaims: [{name: gpu, resourceClaimName: x}]")
    template = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: p-gpu-2}\n"
    changed, made, _ = after(migrated(text + template, gpu="gpu"))
    assert changed["spec"]["resourceClaims"] == [  # type: ignore[index]
        {"name": "gpu", "resourceClaimName": "x"},
        {"name": "gpu-2", "resourceClaimTemplateName": "p-gpu-2-2"},
    ]
    assert made["metadata"] == {"name": "p-gpu-2-2"}


@each_row(
    ("resources", "reason"),
    [
        ("{limits: {example.com/gpu: 1.5}}", "the amount of example.com/gpu must be a whole number"),
        ("{limits: {example.com/gpu: [1]}}", "the amount of example.com/gpu must be a whole number"),
        (
            "{limits: {example.com/gpu: 2}, requests: {example.com/gpu: 1}}",
            "requests and limits of example.com/gpu must be equal",
        ),
        ("{limits: {example.com/gpu: 33}}", "33 devices in one claim; at most 32 are possible"),
        ("{limits: {example.com/nic: 1}}", "no DeviceClass of the input serves example.com/nic"),
    ],
)
def test_what_cannot_become_a_claim_stays(resources: str, reason: str) -> None:
    found = migrated(pod(resources), gpu="gpu")
    assert reasons(found) == [reason]
    assert found.files == ()
    assert not found.ok


def test_no_request_is_no_change() -> None:
    for resources in ("{limits: {cpu: 1}}", "{limits: {example.com/gpu: 0}}", "3", "{limits: [a]}"):
        found = migrated(pod(resources), gpu="gpu")
        assert (found.files, found.found.left) == ((), ())


def test_what_is_not_an_object_is_no_change() -> None:
    found = migrated("- a\n- list\n")
    assert found.files == ()
    assert found.notes == ()


@each_row(
    ("name", "expression", "resource", "chosen"),
    [
        ("gpu.example.com", "true", "example.com/gpu", "gpu.example.com"),
        ("fast", 'device.driver == "gpu.example.com"', "example.com/gpu", "fast"),
        ("fast", "device.driver == 'example.com' && true", "example.com/gpu", "fast"),
        ("gpu.example.com", "true", "example.com/mig-1g", ""),
        ("gpu", "true", "deviceclass.resource.kubernetes.io/gpu", "gpu"),
    ],
)
def test_the_nearest_class_serves_a_resource(name: str, expression: str, resource: str, chosen: str) -> None:
    device_class = f"""---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: {name}}}
spec: {{selectors: [{{cel: {{expression: {json.dumps(expression)}}}}}]}}
"""
    found = migrated(pod(f"{{limits: {{{resource}: 1}}}}") + device_class)
    words = [entry.message.partition(" (")[0] for entry in found.found.migrated]
    assert words == ([f"{resource} to claims of DeviceClass {chosen}"] if chosen else [])
    assert bool(reasons(found)) is not bool(chosen)


def test_two_near_classes_are_named() -> None:
    found = migrated(pod("{limits: {example.com/gpu: 1}}") + CLASS.replace("name: gpu.", "name: a.") + CLASS)
    assert [entry.message for entry in found.found.migrated] == [
        "example.com/gpu to claims of DeviceClass gpu.example.com (nearest by driver)"
    ]
    both = CLASS.replace("name: gpu.", "name: a.") + CLASS.replace("name: gpu.", "name: b.")
    found = migrated(pod("{limits: {example.com/gpu: 1}}") + both)
    (left,) = found.found.left
    assert left.action.endswith("(of this vendor: a.example.com, b.example.com)")


def test_objects_of_a_cluster_that_cannot_change_stay() -> None:
    live = pod("{limits: {example.com/gpu: 1}}").replace("{name: p}", "{name: p, uid: u}")
    assert reasons(migrated(live, gpu="gpu")) == ["the containers of a Pod in a cluster are immutable"]
    owned = live.replace("uid: u", "uid: u, ownerReferences: [{kind: ReplicaSet, name: r, controller: true}]")
    assert reasons(migrated(owned, gpu="gpu")) == []
    running = migrated(f"{owned}  nodeName: node-a\n", gpu="gpu")
    assert [note.partition(" the ")[0] for note in running.notes][-1] == "1 running pod keeps"


def test_unknown_kinds_that_request_the_resource_are_named() -> None:
    text = (
        pod("{limits: {example.com/gpu: 1}}")
        + """---
apiVersion: example.com/v1
kind: Training
metadata: {name: t}
spec: {workers: [{pod: {containers: [{resources: {limits: {example.com/gpu: 8}}}]}}]}
"""
    )
    found = migrated(text, gpu="gpu")
    (left,) = found.found.left
    assert left.place.object is not None
    assert (left.place.object.kind, left.place.location.line) == ("Training", 10)
    assert migrated(text, to="extended-resource", gpu="gpu").found.left[0].place.object != left.place.object


def test_a_quota_no_longer_counts() -> None:
    quota = (
        "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\n"
        "spec: {hard: {requests.example.com/gpu: 1}}\n"
    )
    found = migrated(pod("{limits: {example.com/gpu: 1}}") + quota, gpu="gpu")
    (loss,) = found.found.lost
    assert loss.action == "add gpu.deviceclass.resource.k8s.io/devices to the quota"
    other = quota.replace("{name: q}", "{name: q, namespace: other}")
    assert migrated(pod("{limits: {example.com/gpu: 1}}") + other, gpu="gpu").found.lost == ()


def test_a_class_offers_the_extended_resource() -> None:
    text = pod("{limits: {example.com/gpu: 1}}") + CLASS
    found = migrated(text, to="extended-resource", kube="1.36")
    assert after(found)[1]["spec"]["extendedResourceName"] == "example.com/gpu"  # type: ignore[index]
    assert found.ok
    again = migrated(found.files[0].after, to="extended-resource", kube="1.36")
    assert (again.files, again.ok) == ((), True)


@each_row(
    ("kube", "device_class", "reason"),
    [
        ("1.33", CLASS.replace("/v1\n", "/v1beta1\n"), "Kubernetes 1.33 does not have extendedResourceName"),
        ("1.34", CLASS, "DRAExtendedResource is off in Kubernetes 1.34"),
        ("1.37", "", "no DeviceClass of the input serves example.com/gpu"),
        (
            "1.37",
            CLASS.replace("spec: {", "spec: {extendedResourceName: a.b/c, "),
            "DeviceClass gpu.example.com has one extendedResourceName only, and that is a.b/c",
        ),
    ],
)
def test_what_cannot_offer_an_extended_resource(kube: str, device_class: str, reason: str) -> None:
    text = pod("{limits: {example.com/gpu: 1}}") + device_class
    assert reason in reasons(migrated(text, to="extended-resource", kube=kube))


def _rule(selector: str) -> str:
    return f"""---
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceTaintRule
metadata: {{name: r}}
spec:
  deviceSelector: {selector}   # these
  taint: {{key: example.com/old, effect: NoSchedule}}
"""


SLICE = """---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  allNodes: true
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: a, attributes: {x: {int: 1}}}, {name: b, attributes: {x: {int: 1}}}, {name: c}]
"""


def test_a_rule_by_class_becomes_one_by_driver_or_by_device() -> None:
    by_driver = migrated(CLASS + _rule("{deviceClassName: gpu.example.com}") + SLICE)
    assert after(by_driver)[1]["spec"]["deviceSelector"] == {"driver": "gpu.example.com"}  # type: ignore[index]
    assert by_driver.ok
    cel = """{selectors: [{cel: {expression: '"x" in device.attributes["gpu.example.com"]'}}]}"""
    by_device = migrated(CLASS + _rule(cel) + SLICE)
    rules = [item for item in after(by_device) if item["kind"] == "DeviceTaintRule"]
    assert [item["metadata"]["name"] for item in rules] == ["r", "r-2"]  # type: ignore[index]
    assert [item["spec"]["deviceSelector"]["device"] for item in rules] == ["a", "b"]  # type: ignore[index]
    assert {item["apiVersion"] for item in rules} == {"resource.k8s.io/v1"}
    assert [entry.message for entry in by_device.found.lost] == [
        "devices that are published later are not tainted"
    ]
    assert "# these" in by_device.files[0].after


@each_row(
    ("text", "reason"),
    [
        (CLASS + _rule("{deviceClassName: other}") + SLICE, "cannot be evaluated from the input"),
        (_rule("{selectors: [{cel: {expression: 'true ||'}}]}") + SLICE, "cannot be evaluated"),
        (_rule("{selectors: [{cel: {expression: 'false'}}]}") + SLICE, "selects none of the devices"),
        (_rule("{selectors: [{cel: {expression: 'true'}}]}"), "the input has no ResourceSlices"),
    ],
)
def test_a_rule_never_becomes_one_for_everything(text: str, reason: str) -> None:
    found = migrated(text)
    assert len(reasons(found)) == 1
    assert reason in reasons(found)[0]
    assert found.files == ()
    assert migrated(text, kube="1.34").found.left == ()


def test_versions_follow_the_minor_and_losses_stay() -> None:
    claim = """apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: a, deviceClassName: b}]}}
"""
    assert after(migrated(claim))[0]["apiVersion"] == "resource.k8s.io/v1"
    assert after(migrated(claim, kube="1.33"))[0]["apiVersion"] == "resource.k8s.io/v1beta2"
    assert migrated(claim, kube="1.32").files == ()
    lossy = migrated(claim.replace("deviceClassName: b", "deviceClassName: b, unknown: 1"))
    assert lossy.files == ()
    assert len(reasons(lossy)) == 1
    with pytest.raises(MigrationError, match="v1alpha2"):
        migrated(claim, kube="1.30")


def test_text_that_cannot_be_edited_is_written_again_and_says_so() -> None:
    text = """apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - name: a  # first
    resources: &r {limits: {example.com/gpu: 1}}
  - name: b
    resources: *r
"""
    found = migrated(text, gpu="gpu")
    assert claims_of(after(found)[1]) == {"a": 1, "b": 1}
    assert found.files[0].notes == ("document 1 of a.yaml: rewritten without comments",)


def test_lists_and_json_stay_what_they_are() -> None:
    item = json.loads(json.dumps(yaml.safe_load(pod("{limits: {example.com/gpu: 1}}"))))
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": [item]}, indent=4)
    new = json.loads(migrated(listed, gpu="gpu").files[0].after)
    assert [entry["kind"] for entry in new["items"]] == ["Pod", "ResourceClaimTemplate"]
    two = migrated(json.dumps(item), gpu="gpu").files[0].after.split("\n")
    assert [json.loads(line)["kind"] for line in two] == ["Pod", "ResourceClaimTemplate"]
    lines = pod("{limits: {example.com/gpu: 1}}").splitlines()
    text = "kind: List\napiVersion: v1\nitems:\n# first\n- " + "\n  ".join(lines)
    found = migrated(text, gpu="gpu")
    assert "# first" in found.files[0].after
    assert after(found)[1]["kind"] == "ResourceClaimTemplate"
    crlf = migrated(pod("{limits: {example.com/gpu: 1}}").replace("\n", "\r\n"), gpu="gpu").files[0].after
    assert crlf.count("\n") == crlf.count("\r\n")


def test_a_pod_that_is_placed_otherwise_is_listed() -> None:
    text = (EXAMPLE / "cluster.yaml").read_text(encoding="utf-8")
    text = text.replace("  - {name: gpu-2, attributes: {model: {string: x2}}}\n", "")
    training = (EXAMPLE / "training.yaml").read_text(encoding="utf-8")
    (move,) = migrated(f"{text}---\n{training}").moved
    assert (move.pod, move.before, move.after, move.is_lost) == ("ml/train-0", "node-a", None, True)
    extended = migrated(f"{text}---\n{training}", to="extended-resource")
    assert [move.pod for move in extended.moved] == ["ml/train-0"]


def test_the_document_matches_its_schema() -> None:
    path = ROOT / "schemas" / "documents" / "dractl.migrate.1.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    example = "---\n".join(file.read_text(encoding="utf-8") for file in sorted(EXAMPLE.iterdir()))
    cases = [
        migrated(f"{example}---\na: ["),
        migrated(example.replace("gpu-2", "gpu-1"), to="extended-resource", kube="1.34"),
        migrated(pod("{limits: {example.com/gpu: 1}}"), gpu="gpu"),
    ]
    for found in cases:
        jsonschema.validate(found.to_dict(), schema)


@each_row(
    ("arguments", "message"),
    [
        (("--class", "gpu=a"), "expected RESOURCE=DEVICECLASS"),
        (("--class", "a.b/c=A_"), "expected RESOURCE=DEVICECLASS"),
        (("--class", "a.b/c=a", "--class", "a.b/c=b"), "a.b/c has two classes, a and b"),
        (("--write", "--diff"), "cannot be combined with --diff"),
        (("--kube-version", "1.30"), "choose 1.31 or later"),
    ],
)
def test_wrong_options(arguments: tuple[str, ...], message: str) -> None:
    done = run(".", *arguments)
    assert done.code == 2
    assert message in done.err


def test_standard_input_is_not_rewritten() -> None:
    done = run("-", "--write")
    assert (done.code, "standard input" in done.err) == (2, True)


def test_a_patch_is_no_document() -> None:
    ended = run(".", "--to", "claims", "--diff", "--format", "json")
    assert (ended.code, ended.out) == (2, "")
    assert "--format: json cannot be combined with --diff" in ended.err


@pytest.mark.parametrize("document", ["migrate", "fix"])
def test_findings_have_one_schema(document: str) -> None:
    schemas = [
        json.loads((ROOT / "schemas" / "documents" / f"dractl.{name}.1.json").read_text(encoding="utf-8"))
        for name in ("validate", document)
    ]
    one, other = (schema["$defs"] for schema in schemas)
    assert (one["finding"], one["place"]) == (other["finding"], other["place"])
