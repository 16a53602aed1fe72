"""What fixes leave alone, and when they are not applied."""

from __future__ import annotations

from pathlib import Path

import pytest

import dractl
from dractl.api import budgets
from tests.fixing.test_kinds import CLAIM, POD, SLICE
from tests.paths import ROOT
from tests.rows import each_row

FLAT = "    - name: a\n      deviceClassName: gpu\n"
BOXED = "    - name: a\n      exactly:\n        deviceClassName: gpu\n"


@each_row("path", sorted((ROOT / "testdata" / "examples").rglob("*.yaml")))
def test_an_object_without_a_finding_keeps_its_text(path: Path) -> None:
    fixing = dractl.fix(path, kube_version="1.37")
    faulty = {finding.object for finding in dractl.validate(path, kube_version="1.37").findings}
    before, after = (dractl.validate(text).persisted for text in (path.read_text(), fixing.text))
    assert len(before) == len(after)
    if not faulty:
        assert fixing.text == path.read_text()


def test_other_documents_of_the_file_stay_to_the_byte() -> None:
    others = "a:   [1,2]   # odd\n---\n\n# nothing\n---\nkind:  ConfigMap\napiVersion: v1\ndata: {a:    b}\n"
    fixing = dractl.fix(f"{others}--- # next\n{CLAIM}{FLAT}---\n{others}")
    assert fixing.text == f"{others}--- # next\n{CLAIM}{BOXED}---\n{others}"
    assert [finding.location and finding.location.line for finding in fixing.fixed] == [18]


def test_an_item_of_a_list_is_fixed_in_its_place() -> None:
    items = "".join(
        f"- {line}" if not at else f"  {line}" for at, line in enumerate((CLAIM + FLAT).splitlines(True))
    )
    boxed = "".join(
        f"- {line}" if not at else f"  {line}" for at, line in enumerate((CLAIM + BOXED).splitlines(True))
    )
    head = "apiVersion: v1\nkind: List\nitems:\n"
    assert dractl.fix(head + items + items).text == head + boxed + boxed


def test_a_fix_that_uncovers_another_error_is_not_applied() -> None:
    text = CLAIM.replace("spec:", "Spec:") + "    - name: A\n      exactly: {deviceClassName: gpu}\n"
    fixing = dractl.fix(text)
    assert fixing.changed == ()
    assert [(entry.finding.rule, "request/name" in entry.reason) for entry in fixing.unfixed] == [
        ("shape/case", True)
    ]


def test_one_fix_that_fails_does_not_keep_the_others_from_their_place() -> None:
    text = (
        SLICE
        + "  - name: a\n    capacity:\n      memory: {value: 80gi}\n    attributes: {x: {Version: one}}\n"
    )
    fixing = dractl.fix(text)
    assert fixing.text == text.replace("80gi", "80Gi")
    assert [entry.finding.rule for entry in fixing.unfixed] == ["shape/case"]


def test_items_of_a_list_do_not_keep_each_other_from_their_fixes() -> None:
    good = CLAIM + FLAT
    bad = CLAIM.replace("spec:", "Spec:") + "    - name: A\n      exactly: {deviceClassName: gpu}\n"
    texts = [bad if number in (0, 11, 29) else good for number in range(30)]
    lines = [
        f"- {line}" if not at else f"  {line}"
        for text in texts
        for at, line in enumerate(text.splitlines(True))
    ]
    fixing = dractl.fix("apiVersion: v1\nkind: List\nitems:\n" + "".join(lines))
    assert len(fixing.fixed) == 27
    assert [entry.finding.rule for entry in fixing.unfixed] == ["shape/case"] * 3


def test_a_fix_must_not_harm_another_minor() -> None:
    text = POD + "  - name: gpu\n    source: {resourceClaimName: gpu}\n"
    assert dractl.fix(text, kube_version="1.31..1.37").changed
    fixing = dractl.fix(text, kube_version="1.30..1.37")
    assert fixing.changed == ()
    assert {entry.finding.rule for entry in fixing.unfixed} == {"shape/pod-source"}


def test_what_an_anchor_is_used_for_elsewhere_stays() -> None:
    text = f"""{CLAIM}    - &one
      name: a
      deviceClassName: gpu
    - <<: *one
      name: b
"""
    fixing = dractl.fix(text)
    assert fixing.changed == ()
    assert dractl.validate(text).findings[0].fix is None


def test_fixes_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "FIX_TRIALS", budgets.FIX_TRIALS._replace(value=0))
    fixing = dractl.fix(CLAIM + FLAT)
    assert fixing.changed == ()
    assert "at most 0 characters" in fixing.unfixed[0].reason


def test_only_the_range_is_read_twice() -> None:
    """The version that all minors serve is not there, so none is written."""
    text = CLAIM.replace("/v1", "/v1beta1") + FLAT
    assert dractl.fix(text, kube_version="1.33..1.37").changed == ()
    assert dractl.fix(text, kube_version="1.34..1.37").text == CLAIM + BOXED
