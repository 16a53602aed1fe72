"""One door for documents: the reason why one is left out is what a validation finds."""

from __future__ import annotations

from dractl.api import gates, release
from dractl.source.load import load_text
from dractl.source.text import SourceError
from dractl.workflows.refusals import kind_of, reason, refusal, unreadable
from dractl.workflows.validate import Admitted, admit_all
from tests.rows import each_row

GATES = gates.resolve(release.NEWEST, {})


def _admitted(text: str) -> Admitted:
    (entry,) = admit_all(load_text(text, "::error::a.yaml"), GATES, None)
    return entry


@each_row(
    ("text", "expected"),
    [
        (
            "{apiVersion: v1, kind: Pod, metadata: x}",
            "1:29: metadata: expected an object, got the string 'x'",
        ),
        ("{apiVersion: v1, kind: [Pod]}", "1:18: kind must be a string"),
        ("{kind: Pod}", "1:1: apiVersion is required"),
        (
            "{apiVersion: resource.k8s.io/v9, kind: ResourceSlice}",
            "1:2: Kubernetes 1.37 does not have ResourceSlice",
        ),
    ],
)
def test_a_reason_has_its_place(text: str, expected: str) -> None:
    found = refusal(_admitted(text))
    assert found is not None
    assert reason(found).startswith(f"./::error::a.yaml:{expected}")
    place = "./::error::a.yaml:" + expected.partition(" ")[0]
    assert reason(found, "left out: ").startswith(f"{place} left out: {expected.partition(' ')[2]}")


def test_a_reason_ends_with_the_hint_of_its_finding() -> None:
    flat = "spec: {devices: {requests: [{name: gpu, deviceClassName: gpu}]}}"
    found = refusal(_admitted(f"apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n{flat}\n"))
    assert found is not None
    assert reason(found).endswith("directly in the request only in v1beta1; move it under `exactly:`")


@each_row("text", ["hello", "[1]", "{a: 1}", "{apiVersion: v1, kind: ConfigMap}", "3"])
def test_what_nobody_reads_is_not_refused(text: str) -> None:
    assert refusal(_admitted(text)) is None


def test_the_kind_is_what_the_document_says() -> None:
    assert kind_of(_admitted("{apiVersion: v1, kind: Pod, metadata: x}")) == "Pod"
    for text in ("hello", "{kind: [Pod], apiVersion: v1}", "[{kind: Pod}]"):
        assert kind_of(_admitted(text)) is None


def test_a_text_that_cannot_be_read_has_its_place_too() -> None:
    assert unreadable(SourceError("##vso[x]y", 2, 3, "wrong")) == "./##vso[x]y:2:3: wrong"
