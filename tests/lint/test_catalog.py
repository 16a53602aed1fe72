from __future__ import annotations

import re
from pathlib import Path

import pytest

import dractl.lint
from dractl.admission.framework.rule import GROUPS, declared
from dractl.lint import catalog
from tests.rows import each_row

SOURCES = Path(dractl.lint.__file__).parent


def test_ids_are_unique_and_of_one_form() -> None:
    ids = list(catalog.known_ids())
    assert len(ids) == len(set(ids))
    assert [rule for rule in ids if not re.fullmatch(r"[a-z0-9-]+/[a-z0-9-]+", rule)] == []


def test_every_id_written_in_validation_is_known() -> None:
    """What dractl says of its own is no row of the table of rules; its ids stand where it is said."""
    written = {
        found
        for path in SOURCES.glob("*.py")
        for found in re.findall(r'"([a-z]+/[a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    assert written - set(declared()) <= set(catalog.OWN)
    assert {f"decode/{kind}" for kind in ("unknown", "duplicate", "fatal")} <= set(catalog.OWN)


def test_rules_are_listed_by_group_whatever_is_loaded_first() -> None:
    places = [(GROUPS.index(group), rule) for rule in declared() if (group := rule.split("/")[0]) in GROUPS]
    assert places == sorted(places)
    others = {rule.split("/")[0] for rule in declared()} - set(GROUPS)
    assert others == {"oldclaim", "oldclass", "oldparams", "oldslice"}


def test_a_group_is_no_rule() -> None:
    with pytest.raises(catalog.UnknownRuleError, match=r"an id is GROUP/NAME, such as shape/[a-z-]+$"):
        catalog.matching("shape")


def test_own_ids_are_explained_in_a_sentence() -> None:
    assert all(text and not text.endswith(".") for text in catalog.OWN.values())


def test_a_pattern_means_all_that_it_matches() -> None:
    assert catalog.matching("decode/*") == {
        f"decode/{name}"
        for name in ("fatal", "syntax", "template", "no-kind", "type", "unknown", "duplicate")
    }
    assert catalog.matching("request/name") == {"request/name"}


@each_row("pattern", ["nothing/like-it", "requests/*", "", "DECODE/FATAL"])
def test_a_pattern_that_means_nothing(pattern: str) -> None:
    with pytest.raises(catalog.UnknownRuleError):
        catalog.matching(pattern)


def test_only_names_that_are_near_are_suggested() -> None:
    with pytest.raises(catalog.UnknownRuleError, match=r"^unknown rule nonsense$"):
        catalog.matching("nonsense")
    with pytest.raises(catalog.UnknownRuleError, match=r"did you mean request/name\?$"):
        catalog.matching("request/nam")
