from __future__ import annotations

import pytest

from dractl.api import release
from dractl.finding import Severity
from dractl.lint.catalog import UnknownRuleError, known_ids
from dractl.lint.pages import UnknownKindError, document, page_of, pages, paragraphs
from tests.rows import each_row


def _ids(**wanted: str) -> list[str]:
    minor = release.parse(wanted["minor"]) if "minor" in wanted else None
    return [page.id for page in pages(kind=wanted.get("kind"), minor=minor)]


def test_every_known_id_has_a_page() -> None:
    assert _ids() == list(known_ids())
    assert "status/reserved-size" in _ids()


def test_every_page_shows_a_good_and_a_bad_way() -> None:
    """Other tests try them; the one rule without is one that no manifest can break, as its page says.

    This is about the rules of servers and of dractl's own, not about those of prototype APIs.
    """
    without = {
        page.id
        for page in pages()
        if not page.id.startswith("prototype/")
        and {example.good for row in page.rows for example in row.examples()} != {True, False}
    }
    assert without == {"request/tol-operator-required"}


def test_a_page_has_severity_kinds_and_summary() -> None:
    page = page_of("request/count-all")
    assert page.severity is Severity.ERROR
    assert page.kinds == ("ResourceClaim", "ResourceClaimTemplate")
    assert page_of("gate/dropped").severity is Severity.WARNING
    assert page_of("update/new").severity is Severity.INFO
    assert page_of("update/new").kinds == ()


def test_rules_about_a_status_are_not_about_templates() -> None:
    assert page_of("status/reserved-size").kinds == ("ResourceClaim",)


def test_an_id_with_a_history_has_the_newest_row_first() -> None:
    rows = page_of("policy/default-min").rows
    assert [(str(row.since), row.until and str(row.until)) for row in rows] == [
        ("1.37", None),
        ("1.34", "1.36"),
    ]


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownRuleError, match=r"unknown rule request/nam; did you mean request/name\?"):
        page_of("request/nam")


def test_a_minor_has_its_rules_and_their_rows_only() -> None:
    assert "psc/nodes-size" in _ids(minor="1.31")
    assert "psc/nodes-size" not in _ids(minor="1.37")
    (page,) = (page for page in pages(minor=release.parse("1.35")) if page.id == "policy/default-min")
    assert [str(row.until) for row in page.rows] == ["1.36"]


def test_a_kind_has_its_rules() -> None:
    found = _ids(kind="ResourceClaimTemplate")
    assert {"request/name", "decode/fatal", "meta/name-format"} <= set(found)
    assert "slice/driver" not in found
    assert "status/reserved-size" not in found


def test_kinds_are_found_in_any_case_and_workloads_have_the_rules_of_pods() -> None:
    assert _ids(kind="resourceclaim") == _ids(kind="ResourceClaim")
    assert _ids(kind="resourceslices") == _ids(kind="ResourceSlice")
    assert _ids(kind="deviceclasses") == _ids(kind="DeviceClass")
    assert _ids(kind="StatefulSet") == _ids(kind="Pod")
    assert "pod/claim-both" in _ids(kind="CronJob")


@each_row(
    ("kind", "advice"),
    [
        ("ResourceClam", r"did you mean ResourceClaim\?"),
        ("claim", r"did you mean ResourceClaim\?"),
        ("class", r"did you mean DeviceClass\?"),
        ("x", "choose from .*DeviceClass, "),
    ],
)
def test_an_unknown_kind_is_refused(kind: str, advice: str) -> None:
    with pytest.raises(UnknownKindError, match=advice):
        pages(kind=kind)


def test_related_are_rules_of_the_same_place() -> None:
    assert page_of("cel/cost").related == ("cel/compile", "cel/length", "cel/output")
    assert page_of("claim/constraints-size").related == ()


def test_related_are_what_the_text_names_and_a_small_family() -> None:
    assert page_of("version/unserved").related == ("version/not-served-by-default", "version/other-group")
    assert page_of("decode/fatal").related == (
        *("decode/syntax", "decode/template", "decode/no-kind", "decode/type"),
    )
    assert page_of("across/class-missing").related == ()


def test_related_rules_exist_and_are_others() -> None:
    known = set(known_ids())
    for page in pages():
        assert page.id not in page.related
        assert set(page.related) <= known


def test_paragraphs_have_no_line_breaks() -> None:
    (found,) = paragraphs(page_of("document/unnamed").rows[0])
    assert found.startswith(
        "A document with neither is not a manifest, such as a values file, and is skipped. A"
    )
    assert paragraphs(page_of("claim/constraints-size").rows[0]) == []


def test_the_document_holds_the_history() -> None:
    found = document([page_of("policy/default-min")])
    assert found["schema"] == "dractl.rules/1"
    (entry,) = found["rules"]
    newest, older = entry["history"]
    assert (newest["since"], newest["until"], older["since"], older["until"]) == (
        "1.37",
        None,
        "1.34",
        "1.36",
    )
    assert newest["upstream"] == "validateRequestPolicyRange"
    assert [example["good"] for example in newest["examples"]] == [True, False]
