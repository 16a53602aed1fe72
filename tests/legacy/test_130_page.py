"""The sentences of docs/kubernetes-1.30.md that no other test shows."""

from __future__ import annotations

from typing import Any

import dractl
from tests.released_worlds import GATES

VERSION = "resource.k8s.io/v1alpha2"


def _object(kind: str, name: str, **body: Any) -> dict[str, Any]:
    metadata = {"name": name, **({} if "Class" in kind or "Slice" in kind else {"namespace": "default"})}
    return {"apiVersion": VERSION, "kind": kind, "metadata": metadata, **body}


SLICE = _object(
    "ResourceSlice",
    "s",
    nodeName="n1",
    driverName="d.example",
    namedResources={"instances": [{"name": f"i{number}"} for number in range(40)]},
)
CLASS = _object("ResourceClass", "k", driverName="d.example", structuredParameters=True)
CLAIM = _object("ResourceClaim", "c", spec={"resourceClassName": "k"})


def _simulated(*docs: Any) -> Any:
    return dractl.simulate(list(docs), kube_version="1.30", feature_gates=GATES["1.30"])


def _pod(name: str, **more: Any) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"claims": [{"name": "e"}]}}
    entry = {"name": "e", "source": {"resourceClaimName": "c"}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [container], "resourceClaims": [entry], **more},
    }


def test_the_api_needs_its_gate() -> None:
    off = dractl.simulate([SLICE, CLASS, CLAIM, _pod("p")], kube_version="1.30")
    assert off.placements == ()
    assert _simulated(SLICE, CLASS, CLAIM, _pod("p")).placements != ()


def test_at_most_32_pods_use_a_claim() -> None:
    found = _simulated(SLICE, CLASS, CLAIM, *(_pod(f"p{number:02}") for number in range(33)))
    assert len({row.pod for row in found.placements}) == 32
    (waiting,) = found.pending
    assert waiting.pod == "default/p32"


def test_a_selector_has_no_cost_limit() -> None:
    ints = list(range(100))
    loops = "attributes.intslice['n'].all(a, attributes.intslice['n'].all(b, a + b >= 0))"
    loops = f"{loops} && {loops} && {loops} && attributes.intslice['n'].all(z, {loops})"
    slices = {
        **SLICE,
        "namedResources": {
            "instances": [{"name": "i0", "attributes": [{"name": "n", "intSlice": {"ints": ints}}]}]
        },
    }
    asked = {"driverName": "d.example", "requests": [{"namedResources": {"selector": loops}}]}
    parameters = _object("ResourceClaimParameters", "p", driverRequests=[asked])
    report = dractl.validate([slices, parameters], kube_version="1.30", feature_gates=GATES["1.30"])
    assert report.ok


def test_a_failing_selector_ends_the_attempt_in_later_minors() -> None:
    failing = {"cel": {"expression": 'device.attributes["d.example"].size > 1'}}
    later = "resource.k8s.io/v1"
    docs = [
        {
            "apiVersion": later,
            "kind": "ResourceSlice",
            "metadata": {"name": node},
            "spec": {
                "driver": "d.example",
                "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                "devices": [{"name": "d", **attributes}],
            },
        }
        for node, attributes in (("n1", {}), ("n2", {"attributes": {"size": {"int": 2}}}))
    ]
    docs.append(
        {
            "apiVersion": later,
            "kind": "DeviceClass",
            "metadata": {"name": "k"},
            "spec": {"selectors": [failing]},
        }
    )
    exactly = {"name": "r", "exactly": {"deviceClassName": "k"}}
    claim = {"devices": {"requests": [exactly]}}
    docs.append(
        {
            "apiVersion": later,
            "kind": "ResourceClaim",
            "metadata": {"name": "c", "namespace": "default"},
            "spec": claim,
        }
    )
    pod = _pod("p")
    pod["spec"]["resourceClaims"] = [{"name": "e", "resourceClaimName": "c"}]
    (waiting,) = dractl.simulate([*docs, pod], kube_version="1.34").pending
    assert waiting.category == "error"


def test_what_v1_cannot_represent_is_reported_with_its_place() -> None:
    lists = {"name": "i0", "attributes": [{"name": "n", "intSlice": {"ints": [1]}}]}
    slices = {**SLICE, "namedResources": {"instances": [lists]}}
    nodes = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}
    limited = {**CLASS, "suitableNodes": nodes}
    reference = {"apiGroup": "resource.k8s.io", "kind": "ResourceClaimParameters", "name": "gone"}
    claim = _object("ResourceClaim", "c", spec={"resourceClassName": "k", "parametersRef": reference})
    lost = dractl.convert([slices, limited, claim], to="resource.k8s.io/v1").lost
    fields = " ".join(loss.field for loss in lost)
    for part in ("attributes", "suitableNodes", "parametersRef"):
        assert part in fields, fields
    assert all(loss.location for loss in lost)
