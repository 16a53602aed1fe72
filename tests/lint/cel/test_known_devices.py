from __future__ import annotations

from typing import Any

import pytest

from dractl.admission.admit import admit
from dractl.admission.framework.server import Server
from dractl.api import gates, release
from dractl.cel.compile import CelError, Environment, Selector, compile_selector
from dractl.cel.interpreter.references import Reference, references_in
from dractl.lint.base.input_pools import pools_of
from dractl.lint.base.input_set import InputSet
from dractl.lint.cel.known_devices import KnownDevices
from dractl.source.document import Document
from dractl.versions.table import tables

GATES = gates.resolve(release.NEWEST)
ENVIRONMENT = Environment(release.NEWEST, GATES, stored=True)
DRIVER = "a.io"
A = f'device.attributes["{DRIVER}"]'


def _slice(
    name: str, *devices: dict[str, Any], driver: str = DRIVER, count: int = 1, generation: int = 1
) -> Any:
    listed = [{"name": f"d{number}", **device} for number, device in enumerate(devices)]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": driver,
            "nodeName": name,
            "pool": {"name": name, "generation": generation, "resourceSliceCount": count},
            "devices": listed,
        },
    }


def _fleet(*slices: Any, budget: int = 1000) -> KnownDevices:
    kind = tables(release.NEWEST).kinds["resource.k8s.io/v1", "ResourceSlice"]
    server = Server(release.NEWEST, GATES, {}, "2026-01-01T00:00:00Z")
    entries = [(Document(value, file="<object>"), admit(server, kind, value)) for value in slices]
    return KnownDevices(pools_of(InputSet(entries)), budget)


def _selector(expression: str) -> Selector:
    found = compile_selector(expression, ENVIRONMENT)
    assert isinstance(found, Selector), found
    return found


def _reference(expression: str) -> Reference:
    (found,) = references_in(_selector(expression).tree)
    return found


def _device(**attributes: Any) -> dict[str, Any]:
    types = {str: "string", int: "int", bool: "bool"}
    return {"attributes": {name: {types[type(value)]: value} for name, value in attributes.items()}}


def test_devices_with_the_same_names_are_one_group() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1), _device(x=2), _device(y=1)), _slice("n2", _device(x=3)))
    assert [len(group.devices) for group in known_devices.groups] == [3, 1]
    first = known_devices.groups[0]
    assert first.names("attributes", DRIVER) == {"x"}
    assert first.names("attributes", "other") == frozenset()
    assert first.has(_reference(f"{A}.x == 1"))
    assert not first.has(_reference(f"{A}.y == 1"))


def test_drivers_are_groups_of_their_own() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1)), _slice("n2", _device(x=1), driver="b.io"))
    assert [(group.driver, len(group.devices)) for group in known_devices.groups] == [
        ("a.io", 1),
        ("b.io", 1),
    ]


def test_an_incomplete_pool_makes_its_driver_incomplete() -> None:
    known_devices = _fleet(
        _slice("n1", _device(x=1)),
        _slice("n2", _device(y=1), count=2),
        _slice("n3", _device(x=1), driver="b.io"),
    )
    assert [group.is_complete for group in known_devices.groups] == [False, False, True]


def test_a_slice_that_is_refused_has_no_devices() -> None:
    known_devices = _fleet(_slice("n1", _device(**{"bad name": 1})), _slice("n2", _device(x=1)))
    assert [len(group.devices) for group in known_devices.groups] == [1]
    assert not known_devices.groups[0].is_complete


def test_a_name_given_twice_leaves_open_what_selectors_see() -> None:
    known_devices = _fleet(_slice("n1", _device(**{"x": 1, f"{DRIVER}/x": 2})))
    assert [group.is_complete for group in known_devices.groups] == [False]


def test_devices_that_differ_in_what_is_looked_at() -> None:
    known_devices = _fleet(_slice("n1", *(_device(x=number % 3, y=number) for number in range(9))))
    (group,) = known_devices.groups
    x, y = _reference(f"{A}.x == 1"), _reference(f"{A}.y == 1")
    assert [sample.device["name"] for sample in group.differing_in((x,))] == ["d0", "d1", "d2"]
    assert len(group.differing_in((x, y))) == 9
    assert len(group.differing_in(())) == 1
    assert len(group.differing_in(None)) == 9
    assert sorted(group.values(x)) == [("int", 0), ("int", 1), ("int", 2)]
    assert list(group.values(_reference(f"{A}.z == 1"))) == []


def test_values_of_lists_and_with_their_domain() -> None:
    device = {"attributes": {f"{DRIVER}/x": {"string": "one"}}, "capacity": {"m": {"value": "1Gi"}}}
    known_devices = _fleet(_slice("n1", device))
    assert list(known_devices.groups[0].values(_reference(f'{A}.x == "y"'))) == [("string", "one")]
    capacity = _reference(f'device.capacity["{DRIVER}"].m.isInteger()')
    assert len(known_devices.groups[0].differing_in((capacity,))) == 1


def test_sharing_is_looked_at_too() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1), {**_device(x=1), "allowMultipleAllocations": True}))
    trial = known_devices.tried((), [_selector("device.allowMultipleAllocations")])
    assert trial.is_matched is True


def test_a_trial_tells_whether_anything_matches() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1), _device(x=2)))
    assert known_devices.tried((), [_selector(f"{A}.x == 2")]).is_matched is True
    trial = known_devices.tried((), [_selector(f"{A}.x == 3")])
    assert (trial.is_matched, trial.failures, trial.reached) == (False, {}, known_devices.groups)


def test_guards_keep_devices_away() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1)), _slice("n2", _device(y=1), driver="b.io"))
    guard = _selector(f'device.driver == "{DRIVER}"')
    trial = known_devices.tried([guard], [_selector(f"{A}.x == 1")])
    assert (trial.reached, trial.failures, trial.is_matched) == ([known_devices.groups[0]], {}, True)
    without = known_devices.tried((), [_selector(f"{A}.x == 1")])
    assert list(without.failures) == [0]
    assert without.failures[0][0] == "b.io/n2/d0"


def test_failures_of_guards_are_not_those_of_the_selectors() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1)))
    trial = known_devices.tried([_selector(f"{A}.y == 1")], [_selector(f"{A}.x == 1")])
    assert (trial.reached, trial.failures, trial.is_matched) == ([], {}, False)


def test_each_selector_has_its_own_first_failure() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1), _device(y=1), _device(x=1, y=2)))
    trial = known_devices.tried(
        (), [_selector(f"has({A}.x) && {A}.y > 0 || has({A}.y)"), _selector(f"{A}.x == 1")]
    )
    assert {number: name for number, (name, _) in trial.failures.items()} == {
        0: "a.io/n1/d0",
        1: "a.io/n1/d1",
    }
    error = trial.failures[1][1]
    assert isinstance(error, CelError)
    assert error.offset == len(A) + 1


def test_what_cannot_be_told_from_values_alone_is_run_for_every_device() -> None:
    known_devices = _fleet(_slice("n1", _device(x=1), _device(x=2)))
    assert known_devices.tried((), [_selector(f"{A}.exists(k, {A}[k] == 2)")]).is_matched is True


def test_without_budget_nothing_is_claimed() -> None:
    known_devices = _fleet(_slice("n1", *(_device(x=number) for number in range(20))), budget=5)
    assert known_devices.tried((), [_selector(f"{A}.x == 100")]).is_matched is None
    assert known_devices.tried((), [_selector(f"{A}.x == 0")]).is_matched is None


def test_dear_selectors_use_up_the_budget_sooner() -> None:
    known_devices = _fleet(_slice("n1", *(_device(x=number) for number in range(20))), budget=5000)
    dear = _selector(f"lists.range(100000).exists(n, n < 0) || {A}.size() > 1")
    assert (dear.max_cost or 0) > 500_000
    assert known_devices.tried((), [dear]).is_matched is None
    assert known_devices.tried((), [_selector(f"{A}.x == 0")]).is_matched is None


def test_only_the_first_that_is_cut_says_so() -> None:
    known_devices = _fleet(_slice("n1", *(_device(x=number) for number in range(20))), budget=5)
    cut = [known_devices.tried((), [_selector(f"{A}.x == {number}")]).is_first_cut for number in (100, 101)]
    assert cut == [True, False]


@pytest.mark.slow
def test_what_is_not_evaluated_is_neither_selected_nor_not() -> None:
    dear = _selector(f'{A}.x == 1 && "{"a" * 8000}".matches("^{"a{0,900}" * 27}b$")')
    known_devices = _fleet(_slice("n1", _device(x=1), _device(x=2)))
    trial = known_devices.tried((), [dear])
    assert trial.is_matched is None
    assert trial.failures[0][1].kind == "budget"
    assert known_devices.tried([dear], [_selector(f"{A}.x == 3")]).is_matched is None
