from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

import dractl
from dractl.api import release
from dractl.finding import Finding
from dractl.source.document import Document
from dractl.source.load import load_text
from dractl.versions.decode import decode
from dractl.versions.registry import look_up
from tests.paths import ROOT
from tests.reading import read_yaml
from tests.rows import each_row

NEWEST = str(release.NEWEST)
CONFORMANCE = ROOT / "testdata" / "conformance"


def whole(kind: str, body: str) -> str:
    return f"apiVersion: resource.k8s.io/v1\nkind: {kind}\nmetadata: {{name: gpu}}\n{body}"


def claim(devices: str, api_version: str = "v1") -> str:
    return (
        f"apiVersion: resource.k8s.io/{api_version}\n"
        "kind: ResourceClaim\n"
        "metadata: {name: gpu}\n"
        f"spec:\n  devices:\n    requests:\n{devices}"
    )


def resource_slice(devices: str, api_version: str = "v1") -> str:
    return (
        f"apiVersion: resource.k8s.io/{api_version}\n"
        "kind: ResourceSlice\n"
        "metadata: {name: node-a}\n"
        "spec:\n"
        "  driver: gpu.example.com\n"
        "  nodeName: node-a\n"
        "  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n"
        f"  devices:\n{devices}"
    )


def pod(claims: str, container: str = "name: main, image: main") -> str:
    return (
        "apiVersion: v1\n"
        "kind: Pod\n"
        "metadata: {name: train}\n"
        f"spec:\n  containers: [{{{container}}}]\n  resourceClaims:\n{claims}"
    )


class Expected(NamedTuple):
    """The one finding that is shown, and how many follow from it unseen."""

    rule: str
    line: int
    field: str
    related: tuple[str, ...] = ()
    following: int = 0


FIRST = "spec.devices.requests[0]"
DEVICE = "spec.devices[0]"

MISTAKES: dict[str, tuple[str, str, Expected]] = {
    "v1beta1 requests under v1": (
        claim(
            "    - name: a\n      deviceClassName: gpu\n      count: 2\n"
            "    - {name: b, deviceClassName: gpu}\n"
        ),
        NEWEST,
        Expected(
            "shape/request-flat",
            8,
            f"{FIRST}.deviceClassName",
            (f"{FIRST}.count", "spec.devices.requests[1].deviceClassName"),
            2,
        ),
    ),
    "v1beta1 request in lower case under v1": (
        claim("    - name: a\n      deviceclassname: gpu\n"),
        NEWEST,
        Expected("shape/request-flat", 8, f"{FIRST}.deviceclassname", (), 1),
    ),
    "fields beside an empty exactly": (
        claim("    - name: a\n      exactly:\n      deviceClassName: gpu\n"),
        NEWEST,
        Expected("shape/indentation", 9, f"{FIRST}.deviceClassName", (), 1),
    ),
    "exactly under v1beta1 of a minor without v1": (
        claim("    - {name: a, exactly: {deviceClassName: gpu}}\n", "v1beta1"),
        "1.32",
        Expected("shape/request-exactly", 7, f"{FIRST}.exactly", (), 1),
    ),
    "basic under v1": (
        resource_slice("  - {name: a, basic: {}}\n  - {name: b, basic: {}}\n"),
        NEWEST,
        Expected("shape/device-basic", 9, f"{DEVICE}.basic", ("spec.devices[1].basic",)),
    ),
    "devices of v1 under v1alpha3": (
        resource_slice("  - {name: a, attributes: {model: {string: x}}, capacity: {}}\n", "v1alpha3"),
        "1.31",
        Expected("shape/device-flat", 9, f"{DEVICE}.attributes", (f"{DEVICE}.capacity",), 1),
    ),
    "bare capacities": (
        resource_slice(
            "  - {name: a, capacity: {memory: 16Gi, cores: 4}}\n  - {name: b, capacity: {memory: 1}}\n"
        ),
        NEWEST,
        Expected(
            "shape/bare-value",
            9,
            "",
            (f"{DEVICE}.capacity.cores", "spec.devices[1].capacity.memory"),
        ),
    ),
    "capacity with a value under v1alpha3": (
        resource_slice("  - {name: a, basic: {capacity: {memory: {value: 16Gi}}}}\n", "v1alpha3"),
        "1.31",
        Expected("shape/wrapped-value", 9, ""),
    ),
    "bare attributes": (
        resource_slice("  - {name: a, attributes: {model: x1, index: 3, fast: true}}\n"),
        NEWEST,
        Expected("shape/bare-value", 9, "", (f"{DEVICE}.attributes.index", f"{DEVICE}.attributes.fast")),
    ),
    "an attribute that is a quantity": (
        resource_slice("  - {name: a, attributes: {memory: {quantity: 80Gi}}}\n"),
        NEWEST,
        Expected("shape/former-field", 9, f"{DEVICE}.attributes.memory.quantity", (), 1),
    ),
    "a capacity beside capacity": (
        resource_slice("  - {name: a, memory: {value: 80Gi}}\n"),
        NEWEST,
        Expected("shape/level", 9, f"{DEVICE}.memory"),
    ),
    "a template written like a claim": (
        claim("    - {name: a, exactly: {deviceClassName: gpu}}\n").replace("Claim\n", "ClaimTemplate\n"),
        NEWEST,
        Expected("shape/claim-or-template", 5, "spec.devices"),
    ),
    "a claim written like a template": (
        whole(
            "ResourceClaim",
            "spec:\n"
            "  metadata: {labels: {app: train}}\n"
            "  spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}]}}\n",
        ),
        NEWEST,
        Expected("shape/claim-or-template", 5, "spec.metadata", ("spec.spec",)),
    ),
    "requests and constraints without devices": (
        whole(
            "ResourceClaim",
            "spec:\n"
            "  requests: [{name: a, exactly: {deviceClassName: gpu}}]\n"
            "  constraints: [{matchAttribute: gpu.example.com/model}]\n",
        ),
        NEWEST,
        Expected("shape/level", 5, "spec.requests", ("spec.constraints",)),
    ),
    "config within a request": (
        claim(
            "    - name: a\n      exactly: {deviceClassName: gpu}\n      config: [{opaque: {driver: a.b}}]\n"
        ),
        NEWEST,
        Expected("shape/level", 9, f"{FIRST}.config"),
    ),
    "a needless level": (
        claim("    - name: a\n      exactly:\n        request: {deviceClassName: gpu, count: 2}\n"),
        NEWEST,
        Expected("shape/level", 9, f"{FIRST}.exactly.request", (), 1),
    ),
    "apiVersion and kind in another case": (
        "apiversion: resource.k8s.io/v1\nKind: DeviceClass\nmetadata: {name: a}\nspec: {}\n",
        NEWEST,
        Expected("shape/case", 1, "apiversion", ("Kind",)),
    ),
    "keys in another case below a key in another case": (
        whole(
            "ResourceClaim",
            "spec:\n  devices:\n    Requests:\n    - name: a\n      Exactly:\n        deviceclassname: b\n"
            "        Count: 2\n        allocationMode: All\n",
        ),
        NEWEST,
        Expected(
            "shape/case",
            6,
            "spec.devices.Requests",
        ),
    ),
    "entries beside an empty map": (
        whole("DeviceClass", "").replace(" {name: gpu}", "\n  name: a\n  labels:\n  app: x\n  tier: a"),
        NEWEST,
        Expected("shape/indentation", 6, "metadata.app", ("metadata.tier",)),
    ),
    "attributes beside their key": (
        resource_slice(
            "  - name: a\n    attributes:\n    model: {string: x}\n    capacity: {memory: {value: 1}}\n"
        ),
        NEWEST,
        Expected("shape/indentation", 11, f"{DEVICE}.model", ()),
    ),
    "exactly beside its request": (
        claim("    - name: a\n    exactly:\n      deviceClassName: gpu\n"),
        NEWEST,
        Expected("shape/level", 8, "spec.devices.exactly", (), 1),
    ),
    "spec within metadata": (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\n  spec: {selectors: []}\n",
        NEWEST,
        Expected("shape/level", 5, "metadata.spec"),
    ),
    "a node selector as in a pod": (
        resource_slice("  - {name: a}\n").replace(
            "nodeName: node-a", "nodeSelector: {kubernetes.io/hostname: a, zone: b}"
        ),
        NEWEST,
        Expected(
            "shape/level", 6, "spec.nodeSelector.kubernetes.io/hostname", ("spec.nodeSelector.zone",), 2
        ),
    ),
    "devices by their names": (
        resource_slice("    gpu-0: {attributes: {model: {string: x}}}\n    gpu-1: {}\n"),
        NEWEST,
        Expected("shape/list", 8, ""),
    ),
    "keys in snake and lower case": (
        claim("    - {name: a, exactly: {device_class_name: gpu, allocationmode: All}}\n"),
        NEWEST,
        Expected(
            "shape/case", 7, f"{FIRST}.exactly.device_class_name", (f"{FIRST}.exactly.allocationmode",), 1
        ),
    ),
    "a selector that is a text": (
        claim("    - {name: a, exactly: {deviceClassName: gpu, selectors: ['true']}}\n"),
        NEWEST,
        Expected("shape/bare-value", 7, ""),
    ),
    "a cel that is a text": (
        claim("    - {name: a, exactly: {deviceClassName: gpu, selectors: [{cel: 'true'}]}}\n"),
        NEWEST,
        Expected("shape/bare-value", 7, ""),
    ),
    "a selector outside of the list": (
        claim("    - {name: a, exactly: {deviceClassName: gpu, selectors: {cel: {expression: 'true'}}}}\n"),
        NEWEST,
        Expected("shape/list", 7, ""),
    ),
    "a list where an object is meant": (
        claim("    - {name: a, exactly: [{deviceClassName: gpu}]}\n"),
        NEWEST,
        Expected("shape/list", 7, ""),
    ),
    "an amount of a request with a value": (
        claim(
            "    - {name: a, exactly: {deviceClassName: gpu, capacity: {requests: {memory: {value: 1Gi}}}}}\n"
        ),
        NEWEST,
        Expected("shape/wrapped-value", 7, ""),
    ),
    "an amount of a request without requests": (
        claim("    - {name: a, exactly: {deviceClassName: gpu, capacity: {memory: 1Gi}}}\n"),
        NEWEST,
        Expected("shape/level", 7, f"{FIRST}.exactly.capacity.memory"),
    ),
    "fields of a later minor": (
        resource_slice("  - {name: a, attributes: {x: {ints: [1]}, z: {bools: [true]}}}\n"),
        "1.35",
        Expected("shape/newer-field", 9, f"{DEVICE}.attributes.x.ints", (f"{DEVICE}.attributes.z.bools",), 2),
    ),
    "a claim of 1.30": (
        whole(
            "ResourceClaim",
            "spec: {resourceClassName: a, allocationMode: Immediate, parametersRef: {kind: A, name: a}}\n",
        ),
        NEWEST,
        Expected(
            "shape/former-field", 4, "spec.resourceClassName", ("spec.allocationMode", "spec.parametersRef")
        ),
    ),
    "immediate allocation": (
        whole("ResourceClaim", "spec: {allocationMode: Immediate, devices: {}}\n"),
        NEWEST,
        Expected("shape/former-field", 4, "spec.allocationMode"),
    ),
    "a slice of 1.30": (
        whole(
            "ResourceSlice",
            "nodeName: node-a\ndriverName: gpu.example.com\nnamedResources: {instances: []}\n",
        ),
        NEWEST,
        Expected("shape/former-field", 4, "nodeName", ("driverName", "namedResources"), 4),
    ),
    "a field of 1.34 in a taint rule": (
        whole(
            "DeviceTaintRule",
            "spec: {deviceSelector: {deviceClassName: gpu}, taint: {key: a.b/c, effect: NoSchedule}}\n",
        ),
        NEWEST,
        Expected("shape/former-field", 4, "spec.deviceSelector.deviceClassName"),
    ),
    "source in a pod": (
        pod("  - name: gpu\n    source: {resourceClaimName: gpu}\n"),
        NEWEST,
        Expected("shape/pod-source", 8, "spec.resourceClaims[0].source", (), 1),
    ),
    "a pod of 1.31 under 1.30": (
        pod("  - {name: gpu, resourceClaimName: gpu}\n"),
        "1.30",
        Expected("shape/pod-source", 7, "spec.resourceClaims[0].resourceClaimName"),
    ),
    "claims of a container outside of its resources": (
        pod(
            "  - {name: gpu, resourceClaimName: gpu}\n",
            container="name: main, image: main, claims: [{name: gpu}]",
        ),
        NEWEST,
        Expected("shape/level", 5, "spec.containers[0].claims"),
    ),
    "claimName in a pod": (
        pod("  - {name: gpu, claimName: gpu}\n"),
        NEWEST,
        Expected("decode/unknown", 7, "spec.resourceClaims[0].claimName", (), 1),
    ),
    "a misspelled template name in a pod": (
        pod("  - {name: gpu, resourceClaimTemplatName: gpu}\n"),
        NEWEST,
        Expected("decode/unknown", 7, "spec.resourceClaims[0].resourceClaimTemplatName", (), 1),
    ),
    "deviceClaims in a pod": (
        pod("  - {name: gpu, resourceClaimName: gpu}\n") + "  deviceClaims: {claims: []}\n",
        NEWEST,
        Expected("shape/former-field", 8, "spec.deviceClaims"),
    ),
}


def _findings(text: str, kube: str) -> list[Finding]:
    found = dractl.validate(text, kube_version=kube).findings
    return [finding for finding in found if finding.severity.value == "error"]


@each_row(("text", "kube", "expected"), MISTAKES.values())
def test_one_finding_names_the_mistake(text: str, kube: str, expected: Expected) -> None:
    first, *others = _findings(text, kube)
    assert first.location is not None
    found = Expected(first.rule, first.location.line, first.field, first.related, len(others))
    assert found == expected
    assert first.type == "Decode"
    assert first.message
    assert {(other.cause, other.after_decode) for other in others} <= {(expected.rule, True)}


HINTS: dict[str, tuple[str, str]] = {
    "v1beta1 requests under v1": ("v1beta1", "move it under `exactly:`"),
    "fields beside an empty exactly": ("`exactly` is empty", "indent `deviceClassName` by two more spaces"),
    "exactly under v1beta1 of a minor without v1": (
        "later minors",
        "move the fields under `exactly` one level up",
    ),
    "bare capacities": ("capacity.memory", "write `memory: {value: 16Gi}`; write `cores: {value: 4}`"),
    "bare attributes": (
        "`string`",
        "write `model: {string: x1}`; write `index: {int: 3}`; write `fast: {bool: true}`",
    ),
    "a selector that is a text": ("`cel.expression`", "write `- {cel: {expression: 'true'}}`"),
    "entries beside an empty map": (
        "`labels` is empty",
        "indent `app` by two more spaces, so it becomes part of `labels`",
    ),
    "exactly beside its request": (
        "under `requests[*]`",
        "indent `exactly` by two more spaces, so it becomes part of an item of `requests`",
    ),
    "spec within metadata": (
        "at the top of the object",
        "indent `spec` by two fewer spaces, so it is next to `metadata`",
    ),
    "a node selector as in a pod": (
        "terms here, not labels",
        "[{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: ['a']}]}]",
    ),
    "devices by their names": ("not a mapping of names", "`- name: gpu-0`"),
    "keys in another case below a key in another case": (
        "unknown field `Requests`; the API spells it `requests`",
        "rename `Exactly` to `exactly`; rename `deviceclassname` to `deviceClassName`; rename",
    ),
    "a list where an object is meant": ("not a list", "remove the hyphen"),
    "fields of a later minor": ("added in Kubernetes 1.36; validating for 1.35", "--kube-version 1.36"),
    "claimName in a pod": ("unknown field", "did you mean resourceClaimName?"),
    "config within a request": ("at a higher level, in `spec.devices`", "move it to `spec.devices.config`"),
    "a needless level": ("unknown field `request`", "move `deviceClassName`, `count` one level up"),
    "source in a pod": ("Kubernetes 1.31", "remove `source:`"),
}


@each_row("name", HINTS)
def test_what_is_wrong_and_what_to_write(name: str) -> None:
    text, kube, _ = MISTAKES[name]
    message, hint = HINTS[name]
    (found, *_) = _findings(text, kube)
    assert message in found.message
    assert hint in found.hint


@each_row(
    "expression",
    [
        'device.attributes["gpu.example.com"].model == "x: y"',
        "device.driver == 'a'",
        "[1, 2].exists(x, x == 1)",
        "true",
        "False",
        "null",
        "1",
        "0x1f",
        "1e3",
        "1.5",
        ".inf",
        "off",
        "~",
        "# a",
        "a #b",
        "a, b}",
        "!x",
        "*x",
        "-",
        "",
        "plain",
    ],
)
def test_what_a_hint_writes_means_what_was_meant(expression: str) -> None:
    text = whole("DeviceClass", f"spec: {{selectors: {json.dumps([{'cel': expression}])}}}\n")
    (found, *_) = _findings(text, NEWEST)
    assert found.rule == "shape/bare-value"
    assert found.hint.startswith("write `")
    written = found.hint.removeprefix("write `").removesuffix("`")
    assert read_yaml(written) == {"cel": {"expression": expression}}
    (document,) = load_text(written)
    assert isinstance(document, Document)
    assert document.value == {"cel": {"expression": expression}}


@pytest.mark.parametrize("expression", ["true &&\nfalse", "x" * 121])
def test_a_hint_does_not_repeat_long_texts(expression: str) -> None:
    text = whole("DeviceClass", f"spec: {{selectors: {json.dumps([{'cel': expression}])}}}\n")
    assert _findings(text, NEWEST)[0].hint == "write `cel: {expression: ...}`"


def test_no_hint_empties_the_selector_of_a_taint_rule() -> None:
    spec = "spec: {deviceSelector: {deviceClassName: gpu}, taint: {key: a.b/c, effect: NoSchedule}}\n"
    (finding, *_) = dractl.validate(whole("DeviceTaintRule", spec)).findings
    assert finding.rule == "shape/former-field"
    assert finding.hint.startswith("select by driver, pool and device")


def test_a_field_misspelled_is_no_entry_of_an_empty_map() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\n  labels:\n  namespce: x\n"
    )
    (found,) = _findings(text, NEWEST)
    assert (found.rule, found.hint) == ("decode/unknown", "did you mean namespace?")


def test_nobody_is_reported_to_write_a_star() -> None:
    text = whole("ResourceClaim", "spec: {deviceClassName: gpu}\n")
    (found, *_) = _findings(text, NEWEST)
    assert found.hint == "move it into an item of `devices.requests`, under `exactly:`"


def test_another_version_is_proposed_if_servers_have_it() -> None:
    text, _, _ = MISTAKES["basic under v1"]
    assert "apiVersion" not in _findings(text, NEWEST)[0].hint
    old = claim("    - {name: a, exactly: {deviceClassName: gpu}}\n", "v1beta1")
    assert "or use apiVersion: resource.k8s.io/v1" in _findings(old, NEWEST)[0].hint


def test_what_does_not_follow_from_the_mistake_stays() -> None:
    text = claim("    - {name: a, deviceClassName: gpu}\n    - {name: B, exactly: {deviceClassName: gpu}}\n")
    found = [(finding.rule, finding.cause) for finding in _findings(text, NEWEST)]
    assert found == [
        ("shape/request-flat", ""),
        ("request/union-none", "shape/request-flat"),
        ("request/name", ""),
    ]


def test_two_mistakes_are_two_findings() -> None:
    text = claim("    - {name: a, deviceClassName: gpu}\n    - {name: b, exactly: {deviceclassname: gpu}}\n")
    shown = [finding.rule for finding in _findings(text, NEWEST) if not finding.cause]
    assert shown == ["shape/request-flat", "shape/case"]


def test_a_value_that_cannot_be_read_hides_nothing_else() -> None:
    text = claim("    - {name: a, exactly: {deviceClassName: Gpu, count: two}}\n    - {name: B}\n")
    rules = [finding.rule for finding in _findings(text, NEWEST)]
    assert rules == ["decode/fatal", "request/class-format", "request/name", "request/union-none"]


@each_row(
    ("text", "rules"),
    [
        # The name is given, if without quotes, so that what names the request is right.
        (
            claim(
                "    - {name: 1, exactly: {deviceClassName: gpu}}\n"
                "    constraints: [{requests: ['1'], matchAttribute: a.b/c}]\n"
            ),
            ["decode/fatal"],
        ),
        (claim("    - {name: a, exactly: {deviceClassName: gpu, adminAccess: 'false'}}\n"), ["decode/fatal"]),
        (
            claim("    - {name: a, exactly: {deviceClassName: gpu, count: '-1'}}\n"),
            ["decode/fatal", "request/count-exact"],
        ),
        # Too much is missing to say anything of the rest.
        (claim("      gpu: {name: A}\n"), ["decode/fatal"]),
    ],
)
def test_what_is_reported_next_to_an_unreadable_value(text: str, rules: list[str]) -> None:
    assert [finding.rule for finding in _findings(text, NEWEST)] == rules


def test_plain_unknown_fields_stay_what_they_are() -> None:
    (found,) = _findings(claim("    - {name: a, exactly: {deviceClassName: gpu, zzz: 1}}\n"), NEWEST)
    assert (found.rule, found.related, found.cause) == ("decode/unknown", (), "")
    assert found.hint.startswith("valid fields: adminAccess")


def test_an_update_is_explained_like_a_creation() -> None:
    text = claim("    - {name: a, deviceClassName: gpu}\n")
    right = claim("    - {name: a, exactly: {deviceClassName: gpu}}\n")
    report = dractl.validate(text, old=right)
    assert next(finding.rule for finding in report.findings) == "shape/request-flat"


def _texts() -> list[Any]:
    cases = [(name, text, kube) for name, (text, kube, _) in MISTAKES.items()]
    for file in sorted(CONFORMANCE.glob("*/*.yaml")):
        case = read_yaml(file.read_text(encoding="utf-8"))
        if isinstance(case.get("manifest"), str):
            cases.append((f"{file.parent.name}/{file.stem}", case["manifest"], NEWEST))
            cases.append((f"{file.parent.name}/{file.stem}", case["manifest"], "1.31"))
    return cases


@pytest.mark.slow
def test_every_field_is_named_once() -> None:
    """Whatever is grouped, the fields that strict decoding refuses are all there, each once."""
    for name, text, kube in _texts():
        value = read_yaml(text)
        lookup = look_up(release.parse(kube), value)
        if lookup.kind is None:
            continue
        problems = decode(release.parse(kube), lookup.kind, value, now="2026-01-31T12:00:00Z").problems
        refused = sorted(problem.path for problem in problems if problem.kind == "unknown")
        found = dractl.validate(value, kube_version=kube).findings
        named = [
            field
            for finding in found
            if finding.type == "Decode" and finding.field
            for field in (finding.field, *finding.related)
        ]
        assert sorted(named) == refused, name
        assert any(problem.kind == "fatal" for problem in problems) == any(
            finding.type == "Decode" and not finding.field for finding in found
        ), name


@each_row("count", ["1" * 4301, '"' + "1" * 4301 + '"', '"--5"', '"-"', '"99999999999999999999"'])
def test_numbers_that_are_none_or_too_long(count: str) -> None:
    text = claim(f"    - {{name: gpu, exactly: {{deviceClassName: gpu, count: {count}}}}}\n")
    (finding,) = [finding for finding in dractl.validate(text).findings if finding.rule == "decode/fatal"]
    assert "spec.devices.requests[0].exactly.count" in finding.message


def test_of_a_merged_key_the_other_place_is_reported() -> None:
    head = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\n"
    body = "spec: {}\nmetadata:\n  labels: &l {a: b}\n  annotations:\n    <<: *l\n    a: c\n  name: a\n"
    merged = head + body
    (found,) = _findings(merged, NEWEST)
    assert (found.rule, found.location and found.location.line) == ("decode/duplicate", 8)
    assert found.hint == "the other `a` is merged by `<<`; remove one of them"
    (plain,) = _findings(f"{head}metadata: {{name: a, name: b}}\nspec: {{}}\n", NEWEST)
    assert (plain.rule, plain.hint) == ("decode/duplicate", "")


def test_a_pod_of_a_prototype_by_itself_is_reported_how_it_is_read_as_one() -> None:
    (found,) = _findings(*MISTAKES["deviceClaims in a pod"][:2])
    assert found.hint.endswith("--dialect reads it as a pod of a prototype")
