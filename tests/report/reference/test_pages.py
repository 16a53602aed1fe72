from __future__ import annotations

import pytest

from dractl.admission.framework.rule import Rule
from dractl.api import release
from dractl.api.errors import ErrorType
from dractl.finding import Severity
from dractl.lint.pages import Page, page_of, pages
from dractl.report.reference.pages import minors_of, render, render_list
from dractl.report.style import Style
from tests.rows import each_row

DOC = """A thing is as it should be.

    This is why: otherwise it would
    be something else.

    And a second paragraph.

    Good:
        spec: {thing: right}
    Bad:
        spec:
          thing: wrong
    """


def _row(**columns: object) -> Rule:
    given: dict[str, object] = {
        "kinds": ("DeviceClass",),
        "at": ("spec.thing", "spec.other"),
        "types": (ErrorType.INVALID, ErrorType.REQUIRED),
        "since": release.at("1.34"),
        "until": None,
        "gate": "",
        "only_with": "",
        "covered": False,
        "upstream": "validateThing",
        "doc": DOC,
    }
    return Rule("part/thing", **(given | columns))  # type: ignore[arg-type]


def _page(*rows: Rule) -> str:
    return render(Page("part/thing", Severity.ERROR, rows), Style(width=100))


def test_a_page_has_all_parts() -> None:
    assert _page(_row()) == (
        "part/thing  error\n"
        "\n"
        "A thing is as it should be.\n"
        "\n"
        "This is why: otherwise it would be something else.\n"
        "\n"
        "And a second paragraph.\n"
        "\n"
        "kinds     DeviceClass\n"
        "places    spec.thing\n"
        "          spec.other\n"
        "types     FieldValueInvalid, FieldValueRequired\n"
        "minors    1.34 and newer\n"
        "upstream  validateThing\n"
        "\n"
        "Good, as part of a DeviceClass:\n"
        "    spec: {thing: right}\n"
        "\n"
        "Bad, as part of a DeviceClass:\n"
        "    spec:\n"
        "      thing: wrong\n"
    )


def test_gates_are_explained() -> None:
    page = _page(_row(gate="DRAAdminAccess", only_with="DRADerivedAttributes"))
    assert "gate      DRAAdminAccess (ga in 1.37, on by default); if it is off, the server drops" in page
    assert "only with DRADerivedAttributes (alpha in 1.37, off by default)\n" in page


def test_a_gate_that_takes_the_rule_away_is_reported() -> None:
    page = _page(_row(only_without="DRAConsumableCapacity"))
    assert "unless    DRAConsumableCapacity (beta in 1.37, on by default)\n" in page


def test_a_change_shows_the_object_before_and_after() -> None:
    row = _row(doc="A thing stays.\n\nBad:\n    spec: {thing: a}\n    ---\n    spec: {thing: b}\n")
    assert "Bad change of a DeviceClass:\n    spec: {thing: a}\n    ---\n    spec: {thing: b}\n" in _page(row)


def test_what_stands_for_many_is_explained() -> None:
    page = _page(_row(doc="Few.\n\nBad:\n    spec: {things: [<3 times x#, >]}\n"))
    assert "    spec: {things: [<3 times x#, >]}\n\n`<3 times x>` means x repeated three times" in page
    assert "stands for" not in _page(_row())


def test_a_generated_rule_of_the_same_meaning_is_reported() -> None:
    assert "generated from the API types" in _page(_row(covered=True))


@each_row(
    ("since", "until", "words"),
    [
        ("1.34", "", "1.34 and newer"),
        ("1.33", "1.35", "1.33 to 1.35"),
        ("1.36", "1.36", "1.36"),
        ("", "1.31", "1.30 to 1.31"),
        ("", "", "all"),
    ],
)
def test_minors_in_words(since: str, until: str, words: str) -> None:
    row = _row(since=release.at(since) if since else None, until=release.at(until) if until else None)
    assert minors_of(row) == words


def test_an_earlier_row_is_history_and_repeats_no_example() -> None:
    old = _row(since=release.at("1.32"), until=release.at("1.33"), at=("spec.former",))
    page = _page(_row(), old)
    assert page.count("Good, as part of") == 1
    assert "\nIn 1.32 to 1.33\n" in page
    assert page.index("spec.thing") < page.index("In 1.32 to 1.33") < page.index("spec.former")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_page_can_be_shown(width: int) -> None:
    """Only what must not be broken may be wider than the terminal: paths, examples, and single words."""
    for page in pages():
        for line in render(page, Style(width=width)).splitlines():
            assert len(line) <= width or line.startswith(("    ", "places"))


def test_a_page_of_dractls_own_shows_whole_documents() -> None:
    page = render(page_of("decode/fatal"), Style(width=80))
    assert "Good:\n    apiVersion: resource.k8s.io/v1\n" in page
    assert "places" not in page
    assert "see also  decode/syntax, decode/template, decode/no-kind, decode/type\n" in page


def test_a_list_names_one_kind_and_counts_the_others() -> None:
    text = render_list(
        [page_of("decode/fatal"), page_of("cel/cost"), page_of("psc/nodes-size")], Style(width=None)
    )
    assert [line.split()[:4] for line in text.splitlines()[1:]] == [
        ["decode/fatal", "error", "all", "A"],
        ["cel/cost", "error", "ResourceClaim", "+3"],
        ["psc/nodes-size", "error", "PodSchedulingContext", "A"],
    ]


def test_an_empty_list_says_so() -> None:
    assert render_list([], Style()) == "no rules\n"
