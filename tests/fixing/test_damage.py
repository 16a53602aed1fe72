"""Random damage to valid objects, in random layouts: the fixes give back what was there."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import dractl
from dractl.api.edits import Box, Delist, Edit, Enclose, Rename, Replace, Unfold, apply
from dractl.api.path import Steps
from dractl.source.dump import printed
from dractl.source.editing.layout import flow
from dractl.source.load import load_text

DRIVER = "gpu.example.com"
CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "gpu", "labels": {"team": "a", "tier": "1.10"}},
    "spec": {
        "devices": {
            "requests": [
                {
                    "name": "big",
                    "exactly": {
                        "deviceClassName": "gpu",
                        "allocationMode": "ExactCount",
                        "count": 2,
                        "selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}],
                    },
                },
                {
                    "name": "small",
                    "exactly": {"deviceClassName": "gpu", "capacity": {"requests": {"m": "8Gi"}}},
                },
            ],
            "constraints": [{"requests": ["big"], "matchAttribute": f"{DRIVER}/model"}],
        }
    },
}
TEMPLATE: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "gpu"},
    "spec": {"spec": CLAIM["spec"]},
}
SLICE: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "node-a"},
    "spec": {
        "driver": DRIVER,
        "nodeName": "node-a",
        "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
        "devices": [
            {
                "name": f"gpu-{number}",
                "attributes": {
                    "model": {"string": "1.10"},
                    "index": {"int": number},
                    "ready": {"bool": True},
                },
                "capacity": {"memory": {"value": "80Gi"}},
            }
            for number in range(2)
        ],
    },
}
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "train"},
    "spec": {
        "containers": [{"name": "main", "image": "i", "resources": {"claims": [{"name": "gpu"}]}}],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
    },
}
OBJECTS = (CLAIM, TEMPLATE, SLICE, POD)

_NAMED = frozenset({"attributes", "capacity", "labels", "requests"})
"""What holds names of users, at least in places."""


def _places(value: object, steps: Steps = (), *, is_named: bool = False) -> Iterator[tuple[Steps, bool]]:
    """The steps of every entry and item, and whether the last one is a field of the API."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*steps, key), not is_named and len(steps) > 0
            yield from _places(item, (*steps, key), is_named=key in _NAMED)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield (*steps, number), False
            yield from _places(item, (*steps, number))


def _at(value: Any, steps: Steps) -> Any:
    for step in steps:
        value = value[step]
    return value


def _where(value: object, *ends: str) -> list[Steps]:
    return [steps for steps, _ in _places(value) if steps[-1] in ends]


def _flat(value: Any) -> list[Edit]:
    return [Unfold(steps[:-1], "exactly") for steps in _where(value, "exactly")]


def _cases(value: Any) -> list[Edit]:
    spellings: tuple[Callable[[str], str], ...] = (
        lambda name: name[0].upper() + name[1:],
        str.upper,
        lambda name: "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name),
        lambda name: "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name),
    )
    return [
        Rename(steps, spelling(str(steps[-1])))
        for steps, is_field in _places(value)
        if is_field
        for spelling in spellings
        if spelling(str(steps[-1])) != steps[-1]
    ]


def _typos(value: Any) -> list[Edit]:
    names = [steps for steps, is_field in _places(value) if is_field and len(str(steps[-1])) > 7]
    return [
        Rename(steps, typo)
        for steps in names
        for name in [str(steps[-1])]
        for typo in (name[:3] + name[4:], name[:4] + name[3:], name[:3] + name[4] + name[3] + name[5:])
        if typo != name
    ]


def _sources(value: Any) -> list[Edit]:
    names = _where(value, "resourceClaimTemplateName")
    return [Enclose(steps[:-1], "source", ("resourceClaimTemplateName",)) for steps in names]


def _bare_values(value: Any) -> list[Edit]:
    """Without the text that YAML reads as a number, of which nobody knows what it is."""
    return [
        Replace(steps[:-1], _at(value, steps)) for steps in _where(value, "int", "bool") if len(steps) > 4
    ]


def _small_units(value: Any) -> list[Edit]:
    texts = [steps for steps, _ in _places(value) if str(_at(value, steps)).endswith("Gi")]
    return [Replace(steps, str(_at(value, steps)).lower()) for steps in texts]


def _lists(value: Any) -> list[Edit]:
    lists = [steps for steps, _ in _places(value) if isinstance(_at(value, steps), list)]
    return [
        Delist(steps)
        for steps in lists
        if len(_at(value, steps)) == 1 and isinstance(_at(value, steps)[0], dict)
    ]


def _counts(value: Any) -> list[Edit]:
    return [Replace(steps, str(_at(value, steps))) for steps in _where(value, "count", "generation")]


def _boxes(value: Any) -> list[Edit]:
    return [Box(steps, "string") for steps in _where(value, "deviceClassName", "nodeName")]


DAMAGES = (_flat, _cases, _typos, _sources, _bare_values, _small_units, _lists, _counts, _boxes)
LAYOUTS: tuple[Callable[[Any], str], ...] = (
    printed,
    lambda value: printed(value).replace('"1.10"', "1.10"),
    lambda value: printed(value).replace("\n", "  # note\n").replace("  # note\n", "\n", 1),
    lambda value: printed(value).replace("\n", "\r\n"),
    lambda value: flow(value) + "\n",
    lambda value: json.dumps(value, indent=2),
    lambda value: json.dumps(value, indent="\t") + "\n",
    json.dumps,
)


def _is_near(one: Edit, other: Edit) -> bool:
    """Whether two edits are so near that what is meant is no longer clear, or within each other."""
    depth = min(len(one.steps), len(other.steps)) - 1
    return one.steps[:depth] == other.steps[:depth]


@settings(max_examples=20, deadline=None, derandomize=True, phases=(Phase.generate,))
@given(st.data())
def test_fixes_give_back_what_was_there(data: st.DataObject) -> None:
    _check(data)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, phases=(Phase.generate,))
@given(st.data())
def test_fixes_give_back_what_was_there_after_much_damage(data: st.DataObject) -> None:
    _check(data)


def _check(data: st.DataObject) -> None:
    original = data.draw(st.sampled_from(OBJECTS))
    edits: list[Edit] = []
    for kind in data.draw(st.lists(st.sampled_from(DAMAGES), min_size=1, max_size=3, unique=True)):
        possible = [edit for edit in kind(original) if not any(_is_near(edit, other) for other in edits)]
        edits += [data.draw(st.sampled_from(possible))] if possible else []
    value = copy.deepcopy(original)
    apply(value, edits)
    text = data.draw(st.sampled_from(LAYOUTS))(value)
    fixing = dractl.fix(text)
    (document,) = load_text(fixing.text)
    assert document.value == original, (edits, text, fixing.text, fixing.unfixed)  # type: ignore[union-attr]
    assert dractl.validate(fixing.text).ok
    assert not dractl.fix(fixing.text).changed
