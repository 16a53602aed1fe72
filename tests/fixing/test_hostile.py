"""Texts that are odd in every way that YAML allows, and broken: a fix changes nothing else."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import dractl
from dractl.api.edits import apply
from dractl.finding import Finding
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.load import load_text
from dractl.source.yaml_nodes import comments
from tests.fixing.test_damage import OBJECTS
from tests.rows import each_row

_ODD: tuple[tuple[str, str], ...] = (
    ("name: gpu", "name: &name gpu"),
    ("deviceClassName: gpu", "deviceClassName: *name"),
    ("deviceClassName: gpu", "deviceClassName: !!str gpu"),
    ("deviceClassName: gpu", "deviceClassName:\t'gpu'\t# tab"),
    ("deviceClassName: gpu", "? deviceClassName\n{indent}: gpu"),
    ("deviceClassName: gpu", 'deviceClassName: "g\\x70u"'),
    ("exactly:", "exactly: &body"),
    ("exactly:", "exactly: !!map"),
    ("exactly:", "exactly:  # größe 🎮\u2028"),
    ("requests:", "'requests' :"),
    ("devices:", "devices: # {{ x }}"),
    ("- name: ", "-   name: "),
    ("- name: ", "- # first\n{indent}  name: "),
    ("string: ", '"string": '),
    ("spec:", "spec: # one\n# two\n\n    # three"),
    ("kind: ", "\nkind:   "),
)
_DAMAGE: tuple[tuple[str, str], ...] = (
    ("exactly:", "Exactly:"),
    ("deviceClassName:", "deviceClasName:"),
    ("devices:", "Devices:"),
    ('"80Gi"', "80gi"),
    ('"1.10"', "1.10"),
    ("string: ", "String: "),
    ("count: 2", 'count: "2"'),
    ("resourceClaimTemplateName: gpu", "source: {resourceClaimTemplateName: gpu}"),
    ("resource.k8s.io/v1", "resource.k8s.io/v1beta1"),
    ("nodeName:", "node_name:"),
    ("- cel:\n", "- cel:\n"),
)


def _written(data: st.DataObject) -> str:
    """A few objects as one text with oddities and mistakes."""
    pieces = []
    for value in data.draw(st.lists(st.sampled_from(OBJECTS), min_size=1, max_size=3)):
        text = printed(value)
        for old, new in data.draw(st.lists(st.sampled_from((*_ODD, *_DAMAGE)), max_size=5, unique=True)):
            at = text.find(old)
            if at >= 0:
                indent = " " * (at - text.rfind("\n", 0, at) - 1)
                text = (
                    text[:at] + new.format(indent=indent) + text[at + len(old) :]
                    if "{indent}" in new
                    else (text[:at] + new + text[at + len(old) :])
                )
        pieces.append(text)
    marker = data.draw(
        st.sampled_from(("---\n", "--- # next\n", "...\n---\n", "---\n\n---\n", "--- !!map\n"))
    )
    text = data.draw(st.sampled_from(("", "%YAML 1.1\n---\n", "# start\n", "\ufeff"))) + marker.join(pieces)
    return text.replace("\n", data.draw(st.sampled_from(("\n", "\n", "\r\n"))))


def _values(text: str) -> list[object]:
    return [item.value if isinstance(item, Document) else item.message for item in load_text(text)]


def _errors(text: str) -> int:
    return dractl.validate(text).summary.errors


def _replayed(values: Sequence[object], fixed: Sequence[Finding]) -> list[object] | None:
    """The values after the changes of the fixes, one finding after the other; None if they do not add up."""
    found = copy.deepcopy(list(values))
    for finding in fixed:
        assert finding.fix is not None
        for value in found:
            about = finding.object
            if isinstance(value, dict) and about and value.get("kind") == about.kind:
                try:
                    apply(value, finding.fix.changes)
                except (KeyError, IndexError, TypeError):
                    return None
                break
    return found


@settings(max_examples=20, deadline=None, derandomize=True, phases=(Phase.generate,))
@given(st.data())
def test_nothing_else_changes(data: st.DataObject) -> None:
    _check(data)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, phases=(Phase.generate,))
@given(st.data())
def test_nothing_else_changes_in_many_texts(data: st.DataObject) -> None:
    _check(data)


def _check(data: st.DataObject) -> None:
    text = _written(data)
    is_unsafe = data.draw(st.booleans())
    fixing = dractl.fix(text, unsafe=is_unsafe)
    after = fixing.text if fixing.files else text
    before = text.removeprefix("\ufeff")
    if not fixing.fixed:
        assert after in (text, before)
        return
    old, new = _values(text), _values(after)
    assert len(old) == len(new)
    assert len(after.split("---")) == len(before.split("---"))
    assert after.count("\r") == 0 or after.count("\r\n") == after.count("\n")
    assert _errors(after) <= _errors(text)
    kinds = [value["kind"] for value in old if isinstance(value, dict)]
    replayed = _replayed(old, fixing.fixed) if len(set(kinds)) == len(kinds) else None
    assert replayed is None or replayed == new
    assert is_unsafe or not comments(before) - comments(after)
    assert not dractl.fix(after, unsafe=is_unsafe).fixed


@each_row(
    "text",
    [
        "a: &a [*a]\n",
        "&a a: *a\n",
        "x: " + "[" * 300 + "]" * 300,
        "\t\n",
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\nSpec: !!binary aGk=\n",
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: &m {name: a, Labels: *m}\nspec: {}\n",
        '{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "Spec": {}}{"a": 1}',
        "".join(
            f"apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nSpec: {number}\n---\n"
            for number in range(30)
        ),
    ],
)
def test_what_cannot_be_fixed_is_left(text: str) -> None:
    fixing = dractl.fix(text, unsafe=True)
    assert fixing.changed == ()


def test_line_ends_and_comments_are_counted() -> None:
    assert comments("a: 1  # b\n# c\n") == Counter({"# b": 1, "# c": 1})
