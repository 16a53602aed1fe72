from dractl.admission.framework.declarative import Declared
from dractl.admission.framework.merge import merged
from dractl.api import release
from dractl.api.errors import ErrorType, FieldError
from dractl.api.path import FieldPath
from dractl.versions.table import Kind, tables

MINOR = release.parse("1.37")
REQUEST = FieldPath("spec").at("devices", "requests").index(0)
INTERNAL = REQUEST.at("exactly", "allocationMode")


def kind(version: str = "v1beta1") -> Kind:
    return tables(MINOR).kinds[(f"resource.k8s.io/{version}", "ResourceClaim")]


def hand(path: FieldPath, *, covered: bool, type_: ErrorType = ErrorType.NOT_SUPPORTED) -> FieldError:
    return FieldError("request/mode", type_, path, "x", "ours", covered=covered)


def declared(path: FieldPath, *, is_beta: bool = True) -> Declared:
    return Declared(ErrorType.NOT_SUPPORTED, path, "item", "theirs", is_beta)


def test_a_beta_error_takes_the_place_of_its_covered_twin_and_keeps_its_words() -> None:
    found = merged(kind(), [hand(INTERNAL, covered=True)], [declared(REQUEST.child("allocationMode"))])
    assert [(str(error.path), error.message, error.bad_value) for error in found] == [
        ("spec.devices.requests[0].allocationMode", "ours", "item")
    ]


def test_an_error_that_is_not_covered_stays_next_to_it() -> None:
    found = merged(kind(), [hand(INTERNAL, covered=False)], [declared(REQUEST.child("allocationMode"))])
    assert len(found) == 2


def test_a_covered_error_without_a_twin_stays() -> None:
    assert merged(kind(), [hand(INTERNAL, covered=True)], []) == [hand(INTERNAL, covered=True)]


def test_a_standard_error_replaces_nothing() -> None:
    found = merged(kind("v1"), [hand(INTERNAL, covered=True)], [declared(INTERNAL, is_beta=False)])
    assert len(found) == 2


def test_the_type_must_agree() -> None:
    other = hand(INTERNAL, covered=True, type_=ErrorType.REQUIRED)
    assert len(merged(kind("v1"), [other], [declared(INTERNAL)])) == 2


def test_an_error_of_its_own_finds_its_rule_by_place() -> None:
    found = merged(kind(), [], [declared(REQUEST.child("allocationMode"))])
    assert found[0].rule == "request/mode"


def test_equal_errors_are_reported_once() -> None:
    assert len(merged(kind(), [hand(INTERNAL, covered=False)] * 3, [])) == 1


def test_in_1_35_the_declarative_rules_may_take_over() -> None:
    lost, kept = hand(INTERNAL, covered=True), hand(INTERNAL, covered=False)
    assert merged(kind("v1"), [lost, kept], [], takes_over=True) == [kept]
    found = merged(kind("v1"), [lost], [declared(INTERNAL, is_beta=False)], takes_over=True)
    assert [error.message for error in found] == ["ours"]


def test_an_error_without_a_twin_in_1_35_stays() -> None:
    name = hand(INTERNAL, covered=True)._replace(rule="counterset/counter-name")
    long = hand(INTERNAL, covered=True, type_=ErrorType.TOO_LONG)._replace(rule="config/driver")
    assert merged(kind("v1"), [name, long], [], takes_over=True) == [name, long]
    missing = long._replace(type=ErrorType.REQUIRED)
    assert merged(kind("v1"), [missing], [], takes_over=True) == []
