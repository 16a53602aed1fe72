"""Binding conditions."""

from __future__ import annotations

from typing import Any

from dractl.simulation.scheduler.binding import has_failed, missing_conditions, under_way
from tests.simulation.build import DRIVER, allocated, claim, result

CONDITIONS: dict[str, Any] = {
    "bindingConditions": ["attached", "ready"],
    "bindingFailureConditions": ["failed"],
}


def reporting(**conditions: str) -> dict[str, Any]:
    entries = [{"type": name, "status": status} for name, status in conditions.items()]
    device = {"driver": DRIVER, "pool": "node-a", "device": "d", "conditions": entries}
    return allocated(claim("c"), result("d", **CONDITIONS), result("e"), devices=[device])


def test_conditions_that_are_not_true_are_missing() -> None:
    assert missing_conditions(allocated(claim("c"), result("d", **CONDITIONS))) == (
        f"{DRIVER}/node-a/d: attached",
        f"{DRIVER}/node-a/d: ready",
    )
    assert missing_conditions(reporting(attached="True", ready="Unknown")) == (f"{DRIVER}/node-a/d: ready",)
    assert missing_conditions(reporting(attached="True", ready="True")) == ()


def test_a_claim_without_conditions_waits_for_nothing() -> None:
    assert missing_conditions(allocated(claim("c"), result("d"))) == ()
    assert missing_conditions(claim("c")) == ()
    assert not has_failed(claim("c"))


def test_a_failure_condition_counts_when_it_is_true() -> None:
    assert has_failed(reporting(failed="True"))
    assert not has_failed(reporting(failed="False"))
    assert not has_failed(reporting(attached="True"))


def test_a_report_about_another_device_does_not_count() -> None:
    item = reporting(attached="True", ready="True", failed="True")
    item["status"]["devices"][0]["device"] = "other"
    assert len(missing_conditions(item)) == 2
    assert not has_failed(item)


def test_a_binding_under_way_is_known_by_its_claim() -> None:
    conditional = result("d", bindingConditions=["Ready"])
    users = [{"resource": "pods", "name": "p", "uid": "u"}, {"resource": "pods", "name": "q", "uid": "v"}]
    waiting = allocated(claim("c"), conditional, reservedFor=users)
    free = allocated(claim("free"), conditional)
    plain = allocated(claim("plain"), result("e"), reservedFor=users)
    assert under_way([waiting, free, plain], {"u"}) == {"default/c": "u"}
    assert under_way([waiting], {"other"}) == {}
