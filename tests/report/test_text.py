from __future__ import annotations

from typing import Any

import dractl
from dractl.finding import Finding, Location, ObjectRef, Severity
from dractl.lint.base.newer_apis import CANNOT_KNOW
from dractl.report import text
from dractl.report.style import PLAIN, Style

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: gpu
"""
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n"


def _finding(**changes: Any) -> Finding:
    base = Finding(
        rule="request/name",
        severity=Severity.ERROR,
        type="FieldValueInvalid",
        field="spec.x",
        bad_value="",
        message="is wrong",
        hint="",
        related=(),
        object=ObjectRef("resource.k8s.io/v1", "ResourceClaim", "", "gpu"),
        location=Location("a.yaml", 3, 5, "    x: 1"),
    )
    return base._replace(**changes)


def _shown(*findings: Finding, style: Style = PLAIN) -> list[str]:
    report = dractl.validate(CLAIM).with_findings(findings)
    return text.render(report, style, summary=False).splitlines()


def test_a_finding_is_a_line_with_its_place_then_the_text_with_a_mark() -> None:
    message = "exactly one of `exactly`, `firstAvailable` is required"
    assert text.render(dractl.validate(CLAIM), PLAIN).splitlines() == [
        f"<text>:7:7: error: spec.devices.requests[0]: {message} [request/union-none]",
        "    |     - name: gpu",
        "    |       ^",
        f"    hint: a member of a newer version may have been dropped here: {CANNOT_KNOW}",
        "1 error, no warnings in 1 object of 1 file (Kubernetes 1.37)",
    ]


def test_the_hint_follows_the_excerpt() -> None:
    assert _shown(_finding(hint="write y")) == [
        "a.yaml:3:5: error: spec.x: is wrong [request/name]",
        "    |     x: 1",
        "    |     ^",
        "    hint: write y",
    ]


def test_without_a_field_the_message_stands_alone() -> None:
    assert _shown(_finding(field=""))[0] == "a.yaml:3:5: error: is wrong [request/name]"


def test_an_object_without_text_has_no_excerpt() -> None:
    location = Location("<object>", 0, 0, "")
    assert _shown(_finding(location=location)) == ["<object>: error: spec.x: is wrong [request/name]"]


def test_related_fields_are_listed_up_to_five() -> None:
    related = tuple(f"spec.f{number}" for number in range(7))
    assert _shown(_finding(related=related))[1:7] == [
        *(f"    also: spec.f{number}" for number in range(5)),
        "    also: 2 more",
    ]


def test_a_message_stays_on_its_line_and_within_bounds() -> None:
    first = _shown(_finding(message="two\nlines" + "x" * 5000))[0]
    assert "two␊lines" in first
    assert len(first) < 2100


def test_what_follows_a_decode_error_is_reported_apart_once() -> None:
    decode = _finding(rule="decode/unknown", type="Decode")
    after = _finding(after_decode=True)
    lines = _shown(decode, after, after._replace(field="spec.y"), style=PLAIN)
    note = "  the API server stops here; after fixing the above it would also report:"
    assert lines.count(note) == 1
    assert lines.index(note) == 3


def test_the_note_comes_again_for_another_object() -> None:
    decode = _finding(rule="decode/unknown", type="Decode")
    after = _finding(after_decode=True)
    assert sum("API server stops" in line for line in _shown(decode, after, decode, after)) == 2


def test_the_findings_of_an_object_are_in_the_order_of_its_text() -> None:
    def at(line: int, *, after_decode: bool = False) -> Finding:
        return _finding(location=Location("a.yaml", line, 1, ""), after_decode=after_decode)

    lines = _shown(at(9), at(3, after_decode=True), at(5))
    assert [line.split(":")[1] for line in lines if line.startswith("a.yaml")] == ["5", "9", "3"]


def test_without_the_decode_error_there_is_no_note() -> None:
    assert not any("API server stops" in line for line in _shown(_finding(after_decode=True)))


def test_skipped_documents_are_counted_not_listed() -> None:
    shown = text.render(dractl.validate([CONFIG_MAP, CONFIG_MAP]), PLAIN).splitlines()
    assert shown == [
        "info: skipped 2 documents of unsupported kinds: ConfigMap (2)",
        "info: nothing was validated: dractl validates objects of resource.k8s.io, pods and workloads",
        "no errors, no warnings in no objects of 1 file (Kubernetes 1.37)",
    ]


def test_a_verdict_on_a_pod_says_that_it_covers_a_part() -> None:
    shown = text.render(dractl.validate(POD), PLAIN).splitlines()
    assert shown[0] == "info: objects outside resource.k8s.io are checked for structure and DRA fields only"


def test_what_a_prototype_has_is_no_verdict_of_an_api_server() -> None:
    claim = "apiVersion: devmgmtproto.k8s.io/v1alpha1\nkind: DeviceClaim\nmetadata: {name: c}\n"
    claim += "spec: {devices: [{name: d, allOf: [{class: gpu}]}]}\n"
    alone = dractl.validate(claim, dialect="proto-oneof")
    assert text.render(alone, PLAIN).splitlines()[-2:] == [
        "info: 1 object is validated by the rules of a prototype API, which no API server serves",
        "no errors, no warnings in 1 object of 1 file",
    ]
    both = text.render(dractl.validate([claim, CLAIM], dialect="proto-oneof"), PLAIN)
    assert both.endswith(" in 2 objects of 1 file (Kubernetes 1.37)\n")
    assert alone.to_dict()["summary"]["prototypes"] == 1
    assert "prototypes" not in dractl.validate(CLAIM).to_dict()["summary"]


def test_colour_is_in_the_severity_and_the_mark() -> None:
    lines = _shown(_finding(), style=Style(width=80, color=True))
    assert "\x1b[1;31merror:\x1b[0m" in lines[0]
    assert lines[2].endswith("\x1b[1;32m^\x1b[0m")


def test_excerpts_are_cut_to_the_terminal() -> None:
    long = _finding(location=Location("a.yaml", 1, 500, "x" * 1000))
    for width in (80, 120):
        assert len(_shown(long, style=Style(width=width))[1]) == width


def test_what_follows_from_other_errors_is_counted_apart() -> None:
    assert text.errors_counted(9, 1) == "8 errors (1 more caused by these)"
    assert text.errors_counted(4, 3) == "1 error (3 more caused by this)"
    assert text.errors_counted(0, 0) == "no errors"


def test_no_part_of_a_finding_is_longer_than_anybody_reads() -> None:
    long = "x" * 10_000_000
    place = Location(long, 3, 5, long)
    finding = _finding(field=long, message=long, hint=long, related=(long,) * 9, location=place)
    lines = _shown(finding)
    assert max(map(len, lines)) < 5_000
    assert sum(map(len, lines)) < 12_000


def test_long_lines_are_wrapped_on_a_terminal_only() -> None:
    finding = _finding(message="a long message " * 10, hint="a long hint " * 12, location=None)
    terminal = _shown(finding, style=Style(width=60, wraps=True))
    assert max(map(len, terminal)) <= 60
    piped = _shown(finding)
    assert " ".join(" ".join(terminal).split()) == " ".join(" ".join(piped).split())
    assert max(map(len, piped)) > 120


def test_a_word_that_is_too_long_is_never_broken() -> None:
    finding = _finding(message="x" * 100, location=None)
    assert any("x" * 100 in line for line in _shown(finding, style=Style(width=40, wraps=True)))


def test_the_rule_is_a_link_on_terminals_that_show_it() -> None:
    found = "\n".join(_shown(_finding(), style=Style(width=80, color=True, links=True)))
    assert "\x1b]8;;https://" in found
    assert "request.html#rule-request-name\x1b\\[request/name]\x1b]8;;\x1b\\" in found
    assert "\x1b]8" not in "\n".join(_shown(_finding(), style=Style(width=80, color=True)))


def test_many_documents_that_are_no_objects_are_counted() -> None:
    few, many = ("---\n".join(f"a: {number}\n" for number in range(most)) for most in (3, 4))
    assert text.render(dractl.validate(few), PLAIN).count("[document/unnamed]") == 3
    shown = text.render(dractl.validate(many), PLAIN)
    assert "[document/unnamed]" not in shown
    assert "info: skipped 4 documents without apiVersion and kind\n" in shown
    over_range = dractl.validate_range(many, kube_versions="1.36..1.37")
    assert over_range.listed == ()
    assert len(over_range.findings) == 4
