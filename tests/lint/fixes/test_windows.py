"""Fixes of the items of lists, found in the lines of the item."""

from __future__ import annotations

import pytest

import dractl
from dractl.api import budgets
from dractl.lint.fixes import text_edits, windows

ITEM = """\
- apiVersion: resource.k8s.io/v1
  kind: ResourceClaim
  metadata:
    name: gpu
  Spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.example.com
"""
HEAD = "apiVersion: v1\nkind: List\nitems:\n"

LAYOUTS = {
    "plain": HEAD + ITEM + ITEM,
    "deeper": HEAD + "".join(f"   {line}\n" for line in (ITEM + ITEM).splitlines()),
    "wide": HEAD + ITEM.replace("- api", "-   api").replace("\n  ", "\n    ") + ITEM,
    "CRLF": (HEAD + ITEM + ITEM).replace("\n", "\r\n"),
    "no end": (HEAD + ITEM + ITEM).rstrip(),
    "comments": HEAD + ITEM.replace("  Spec", "# one\n\n  Spec") + "# two\n" + ITEM,
    "more after it": HEAD + ITEM + ITEM + "metadata: {}\n",
    "several documents": "---\n" + HEAD + ITEM + "---\n" + HEAD + ITEM + "...\n",
    "list in a list": HEAD
    + "- kind: List\n  items:\n"
    + "".join(f"  {line}\n" for line in ITEM.splitlines()),
    "tagged": HEAD + ITEM.replace("- api", "- !!map\n  api") + ITEM,
    "typed": HEAD.replace("v1\nkind: List", "resource.k8s.io/v1\nkind: ResourceClaimList")
    + ITEM.replace("- apiVersion: resource.k8s.io/v1\n  kind: ResourceClaim\n  metadata", "- metadata"),
}
ELSEWHERE = {
    "anchor": HEAD
    + ITEM.replace("name: gpu\n  S", "name: &n gpu\n  S")
    + ITEM.replace("name: gpu\n  S", "name: *n\n  S"),
    "dash alone": HEAD + ITEM.replace("- api", "-\n  api") + ITEM,
    "flow": HEAD.replace("items:\n", "items: ")
    + "[{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, Spec: {}}]\n",
}


@pytest.mark.parametrize("name", [*LAYOUTS, *ELSEWHERE])
def test_the_fix_is_that_of_the_whole_document(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (LAYOUTS | ELSEWHERE)[name]
    wholes: list[str] = []
    meaning = text_edits._meaning

    def recorded(new: str) -> tuple[str, int] | None:
        wholes.append(new)
        return meaning(new)

    monkeypatch.setattr(text_edits, "_meaning", recorded)
    found = dractl.validate(text).to_dict()
    is_in_window = not any("items:" in new and "List" in new for new in wholes)
    monkeypatch.setattr(text_edits, "window_of", lambda *_: None)
    assert dractl.validate(text).to_dict() == found
    assert wholes
    assert is_in_window == (name in LAYOUTS)


def test_the_lines_must_stay_one_item() -> None:
    window = windows.Window(0, "- a: 1\n  b: 2\n", 0)
    assert window.alone == "  a: 1\n  b: 2\n"
    assert window.with_dash("  a: 1\n") == "- a: 1\n"
    for alone in ("  a: 1\nb: 2\n", "  a: 1", "a: 1\n", "  a: &x 1\n", "  a: 1\n---\n"):
        assert window.with_dash(alone) is None


def test_long_lists_are_read_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + ITEM * 50
    monkeypatch.setattr(budgets, "FIX_TEXT", budgets.FIX_TEXT._replace(value=2 * len(text)))
    assert all(finding.fix for finding in dractl.validate(text).findings)
    assert len(dractl.fix(text).fixed) == 50
