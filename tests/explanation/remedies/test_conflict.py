"""Parts of a pod that fit alone and not together."""

from __future__ import annotations

from dractl.explanation.model import BUSY, NEVER, Member
from dractl.explanation.remedies.conflict import conflict_of
from dractl.explanation.trials.situation import Situation
from tests.explanation.small_worlds import Object, cel, device_class, node, pod, slice_of, template, world_of

CLUSTER = [node(), slice_of(count=4), device_class()]
OF = 'device.attributes["gpu.example.com"]'


def conflict(*objects: Object, when: str = NEVER) -> tuple[Member, ...]:
    return tuple(part._replace(value=None) for part in conflict_of(Situation(world_of(*objects)), when))


def member(field: str) -> Member:
    return Member("default/late", field, "ResourceClaimTemplate")


def test_too_many_devices_with_one_value_are_a_request_and_a_constraint() -> None:
    constraints = [{"matchAttribute": "gpu.example.com/root"}, {"matchAttribute": "gpu.example.com/model"}]
    late = template("late", {"count": 4}, constraints=constraints)
    assert conflict(*CLUSTER, late, pod()) == (
        member("spec.spec.devices.requests[0]"),
        member("spec.spec.devices.constraints[0]"),
    )


def test_a_selector_that_nothing_meets_is_named_with_its_request() -> None:
    late = template("late", {}, cel("false"))
    assert conflict(*CLUSTER, late, pod()) == (
        member("spec.spec.devices.requests[1]"),
        member("spec.spec.devices.requests[1].exactly.selectors[0]"),
    )


def test_the_selector_of_a_class_may_exclude_what_a_request_selects() -> None:
    of_class = device_class(f'{OF}.model == "h100"', name="h100")
    late = template("late", {"deviceClassName": "h100"})
    assert conflict(*CLUSTER, of_class, late, pod()) == (
        member("spec.spec.devices.requests[0]"),
        Member("h100", "spec.selectors[0]", "DeviceClass"),
    )


def test_a_node_selector_takes_part() -> None:
    late = pod(nodeSelector={"rack": "r0", "zone": "z"})
    assert conflict(*CLUSTER, template("late"), late) == (
        Member("default/late", "spec.nodeSelector[zone]", "Pod"),
    )


def test_two_requests_that_need_the_same_devices_conflict_where_nodes_are_busy() -> None:
    early = [template("early", {"count": 2}), pod("early")]
    late = template("late", {"count": 2}, {"count": 1})
    assert conflict(*CLUSTER, *early, late, pod(), when=BUSY) == (
        member("spec.spec.devices.requests[0]"),
        member("spec.spec.devices.requests[1]"),
    )


def test_a_single_part_says_nothing_where_nodes_are_busy() -> None:
    early = [template("early", {"count": 4}), pod("early")]
    assert conflict(*CLUSTER, *early, template("late"), pod(), when=BUSY) == ()


def test_there_is_no_conflict_where_no_part_matters() -> None:
    cluster = [node(unschedulable=True), slice_of(count=4), device_class()]
    assert conflict(*cluster, template("late"), pod()) == ()
