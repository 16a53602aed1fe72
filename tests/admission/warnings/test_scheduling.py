from __future__ import annotations

from typing import Any

import pytest

from tests.admission.warnings.objects import pod, texts_about
from tests.rows import each_row

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_ARCH = "beta.kubernetes.io/arch"
_ARCH_TEXT = 'deprecated since v1.14; use "kubernetes.io/arch" instead'
_NODES = "spec.affinity.nodeAffinity"
_NO_SELECTOR = "labelSelector: a null labelSelector results in matching no pod"


def _term(key: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}


def _preferred(*terms: dict[str, Any]) -> dict[str, Any]:
    weighted = [{"weight": 1, "preference": term} for term in terms]
    return pod(affinity={"nodeAffinity": {_PREFERRED: weighted}})


def test_deprecated_labels_in_a_node_selector() -> None:
    selector = {_ARCH: "arm64", "kubernetes.io/os": "linux"}
    assert texts_about(pod(nodeSelector=selector)) == [f"spec.nodeSelector[{_ARCH}]: {_ARCH_TEXT}"]


@each_row(
    ("minor", "key", "text"),
    [
        ("1.30", "app.kubernetes.io/created-by", None),
        ("1.31", "app.kubernetes.io/created-by", "deprecated since v1.9"),
        ("1.30", "node-role.kubernetes.io/master", None),
        ("1.31", "node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'),
        ("1.37", "node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'),
        (
            "1.38",
            "node-role.kubernetes.io/master",
            'deprecated since v1.20; use "node-role.kubernetes.io/control-plane" instead',
        ),
    ],
)
def test_a_label_is_deprecated_in_its_minors(minor: str, key: str, text: str | None) -> None:
    expected = [] if text is None else [f"spec.nodeSelector[{key}]: {text}"]
    assert texts_about(pod(nodeSelector={key: "a"}), minor) == expected


def test_deprecated_labels_in_node_affinity() -> None:
    required = {"nodeSelectorTerms": [_term("a", "b"), _term(_ARCH, "arm64")]}
    affinity = {"nodeAffinity": {_REQUIRED: required}}
    at = f"{_NODES}.{_REQUIRED}.nodeSelectorTerms[1].matchExpressions[0].key"
    assert texts_about(pod(affinity=affinity)) == [f"{at}: {_ARCH} is {_ARCH_TEXT}"]
    at = f"{_NODES}.{_PREFERRED}[1].preference.matchExpressions[0].key"
    assert texts_about(_preferred(_term("a", "b"), _term(_ARCH, "arm64"))) == [
        f"{at}: {_ARCH} is {_ARCH_TEXT}"
    ]


def test_preferred_values_are_looked_at_since_1_33() -> None:
    at = f"{_NODES}.{_PREFERRED}[0].preference.matchExpressions[0].values[1]"
    manifest = _preferred(_term("rack", "ok", "a/b"))
    (text,) = texts_about(manifest, "1.33")
    assert text.startswith(f"{at}: a/b is invalid, a valid label must be an empty string or consist of")
    assert texts_about(manifest, "1.32") == []
    assert texts_about(_preferred(_term("rack", "")), "1.33") == []


@pytest.mark.parametrize(("minor", "unit"), [("1.34", "characters"), ("1.35", "bytes")])
def test_a_long_preferred_value(minor: str, unit: str) -> None:
    at = f"{_NODES}.{_PREFERRED}[0].preference.matchExpressions[0].values[0]"
    long = "a" * 64
    expected = [f"{at}: {long} is invalid, must be no more than 63 {unit}"]
    assert texts_about(_preferred(_term("rack", long)), minor) == expected
    assert len(texts_about(_preferred(_term("rack", "é" * 64)), minor)) == 2


def test_spread_constraints() -> None:
    key = "failure-domain.beta.kubernetes.io/zone"
    constraint = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "ScheduleAnyway"}
    at = "spec.topologySpreadConstraints[0]"
    text = f'{at}.topologyKey: {key} is deprecated since v1.17; use "topology.kubernetes.io/zone" instead'
    assert texts_about(pod(topologySpreadConstraints=[constraint])) == [text, f"{at}.{_NO_SELECTOR}"]
    constraint["topologyKey"], constraint["labelSelector"] = "topology.kubernetes.io/zone", {}
    assert texts_about(pod(topologySpreadConstraints=[constraint])) == []


@pytest.mark.parametrize("name", ["podAffinity", "podAntiAffinity"])
def test_terms_of_pod_affinity(name: str) -> None:
    bare, whole = {"topologyKey": "zone"}, {"topologyKey": "zone", "labelSelector": {}}
    weighted = [{"weight": 1, "podAffinityTerm": term} for term in (whole, bare)]
    found = texts_about(pod(affinity={name: {_REQUIRED: [bare, whole], _PREFERRED: weighted}}))
    at = f"spec.affinity.{name}"
    assert found == [
        f"{at}.{_REQUIRED}[0].{_NO_SELECTOR}",
        f"{at}.{_PREFERRED}[1].podAffinityTerm.{_NO_SELECTOR}",
    ]
