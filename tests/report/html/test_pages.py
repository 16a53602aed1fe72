"""The page of each command: well-formed, usable without seeing it, and with what the text has."""

from __future__ import annotations

import re
import sys
from itertools import pairwise

import pytest

from dractl.cli.server import UsageError
from dractl.cli.terminal import format_named
from dractl.report.formats import SIMULATE
from tests.report.html.samples import CASES, page_of
from tests.report.html.structure import Structure, structure_of

pytest.importorskip("jinja2")

TEXTS = {
    "simulate": ("default/evaluate", "end pod default/train: fits on node-a", "Which device goes to which"),
    "scenario": ("Steps", "at the start"),
    "partitions": ("counter set gpu-0", "40Gi of 40Gi in use, 0 free", "blocked", "short of memory"),
    "shared": ("60G of 100G in use, 40G free", "shared"),
    "why": ("default/evaluate is Pending", "Who holds what"),
    "why-all": ("1 Pending",),
    "why-placed": ("default/train is not Pending",),
    "size": ("Copies by node", "Stranded", "Nodes to add", "ml/serve-gpu holds card-0-half-0"),
    "upgrade": ("Upgrade from 1.33 to 1.37: 2 objects; to do: 1 object to convert", "-apiVersion:"),
    "audit": ("no violations",),
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[str, Structure]:
    name: str = request.param
    return name, structure_of(page_of(*CASES[name]))


def test_a_page_is_well_formed_and_has_its_parts(case: tuple[str, Structure]) -> None:
    name, found = case
    assert found.problems == []
    ids = [element.attributes["id"] for element in found.elements if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    # Landmarks, and what refers to something by its id.
    assert [len(found.all(tag)) for tag in ("main", "header", "footer", "h1", "title")] == [1] * 5
    assert all(element.attributes["href"].removeprefix("#") in ids for element in found.all("a"))
    assert all(element.attributes["for"] in ids for element in found.all("label"))
    for element in found.elements:
        assert element.attributes.get("aria-labelledby", "main") in ids
    # Headings skip no level, tables have captions and heads, drawings are silent.
    levels = [int(e.tag[1]) for e in found.elements if re.fullmatch(r"h[1-6]", e.tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(found.all("caption")) == len(found.all("table"))
    assert all(element.attributes.get("scope") in ("col", "row") for element in found.all("th"))
    assert all(element.attributes["aria-hidden"] == "true" for element in found.all("svg"))
    assert all(text in found.text for text in TEXTS[name]), name


def test_each_device_has_its_state_as_a_word(case: tuple[str, Structure]) -> None:
    _, found = case
    devices = [e for e in found.all("li") if "device" in e.attributes.get("class", "").split()]
    states = [e for e in found.all("span") if e.attributes.get("class") == "state"]
    assert len(states) == len(devices)


def test_without_jinja_the_message_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(UsageError, match=r"html requires jinja2; run: pip install 'dractl\[html\]'"):
        format_named("html", SIMULATE)
    assert format_named("json", SIMULATE).name == "json"
