from __future__ import annotations

import dractl
from dractl.api.release import Minor
from dractl.report.matrix import render, spans
from dractl.report.style import Style
from tests.rows import each_row

SORT = '[device.driver].sort() == ["a"]'
CLAIM = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: gpu, namespace: team}}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors:
        - cel: {{expression: '{SORT}'}}
"""
PLAIN = Style(width=None)


def test_a_finding_has_its_minors_and_a_changed_verdict_a_row() -> None:
    text = render(dractl.validate_range(CLAIM, kube_versions="1.34..1.36"), PLAIN)
    first, *rest = text.splitlines()
    assert first.startswith("<text>:11:")
    assert first.endswith("[cel/compile]")
    assert rest[2:] == [
        "    minors: 1.34",
        "",
        "1.34      1.35  1.36  OBJECT",
        "rejected  ok    ok    ResourceClaim team/gpu, <text>:1",
        "",
        "1.34: 1 error, no warnings, 1 object rejected",
        "1.35: no errors, no warnings, no objects rejected",
        "1.36: no errors, no warnings, no objects rejected",
        "from 1.34 to 1.36 the verdict changes for 1 of 1 object in 1 file",
    ]


def test_without_a_change_there_is_no_table() -> None:
    lines = render(dractl.validate_range(CLAIM, kube_versions="1.36..1.37"), PLAIN).splitlines()
    assert lines == [
        "1.36: no errors, no warnings, no objects rejected",
        "1.37: no errors, no warnings, no objects rejected",
        "from 1.36 to 1.37 no verdict changes (1 object in 1 file)",
    ]


def test_without_a_summary_only_findings_are_shown() -> None:
    matrix = dractl.validate_range(CLAIM, kube_versions="1.34..1.35")
    lines = render(matrix, PLAIN, summary=False).splitlines()
    assert lines[-1] == "    minors: 1.34"
    same = dractl.validate_range(CLAIM, kube_versions="1.36..1.37")
    assert render(same, PLAIN, summary=False) == ""


def test_what_is_skipped_is_counted_once() -> None:
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    text = render(dractl.validate_range([CLAIM, other], kube_versions="1.36..1.37"), PLAIN)
    assert text.count("ConfigMap (1)") == 1


def test_colour_is_used_for_verdicts() -> None:
    text = render(dractl.validate_range(CLAIM, kube_versions="1.34..1.35"), Style(width=100, color=True))
    assert "\x1b[1;31mrejected\x1b[0m  \x1b[1;32mok\x1b[0m" in text


ALL = tuple(Minor(1, minor) for minor in range(30, 38))


@each_row(
    ("minors", "words"),
    [
        ([33], "1.33"),
        ([33, 34, 35], "1.33 to 1.35"),
        ([33, 34, 36], "1.33 to 1.34 and 1.36"),
        ([30, 37], "1.30 and 1.37"),
        (list(range(30, 38)), "all"),
    ],
)
def test_minors_in_words(minors: list[int], words: str) -> None:
    assert spans([Minor(1, minor) for minor in minors], ALL) == words
