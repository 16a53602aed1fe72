from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import dractl
from dractl.api import budgets, gates, release
from dractl.api.budgets import Budget
from dractl.source.load import load
from dractl.workflows.possible import Possible, UnknownPoolError, possible
from tests.forking import run_dractl
from tests.paths import ROOT

MIG = ROOT / "testdata" / "examples" / "mig"
NV = ROOT / "testdata" / "prototypes" / "nv"


def found(
    *docs: Any, minor: str = "1.37", gate_overrides: dict[str, bool] | None = None, **more: Any
) -> Possible:
    return possible(load(docs), gates.resolve(release.parse(minor), gate_overrides or {}), **more)


def slices(
    counters: dict[str, dict[str, Any]], devices: list[dict[str, Any]], driver: str = "gpu.example.com"
) -> list[dict[str, Any]]:
    def one(name: str, **spec: Any) -> dict[str, Any]:
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{driver}-{name}"},
            "spec": {
                "driver": driver,
                "nodeName": "node-a",
                "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 2},
                **spec,
            },
        }

    shared = [
        {"name": name, "counters": {key: {"value": str(value)} for key, value in values.items()}}
        for name, values in counters.items()
    ]
    return [one("counters", sharedCounters=shared), one("devices", devices=devices)]


def device(name: str, takes: dict[str, dict[str, Any]] | None = None, **attributes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name}
    if attributes:
        made["attributes"] = {key: {"string": value} for key, value in attributes.items()}
    if takes:
        made["consumesCounters"] = [
            {"counterSet": owner, "counters": {key: {"value": str(value)} for key, value in values.items()}}
            for owner, values in takes.items()
        ]
    return made


def shown(entries: Any) -> list[str]:
    return [" + ".join(f"{number} {kind}" for kind, number in entry.kinds) for entry in entries]


def test_partitions_of_a_gpu_are_named_by_their_profile() -> None:
    (pool,) = found(MIG).pools
    (sets,) = pool.sets
    assert (sets.counter_sets, sets.alike) == (("gpu-0",), (("gpu-1",),))
    assert [kind.name for kind in sets.kinds] == ["7g.40gb", "4g.20gb", "3g.20gb", "2g.10gb", "1g.5gb"]
    assert shown(sets.combinations)[0] == "7 1g.5gb"
    assert shown(sets.combinations)[-1] == "1 7g.40gb"
    assert shown(sets.fragmented) == ["1 1g.5gb + 1 2g.10gb + 1 3g.20gb", "3 1g.5gb + 1 3g.20gb"]
    assert (sets.all, sets.maximal) == (297, 19)


@pytest.mark.parametrize("model", ["named", "mixins"])
def test_models_of_prototypes_have_the_sets_that_were_printed(model: str) -> None:
    (pool,) = found(NV / f"{model}.yaml").pools
    (sets,) = pool.sets
    assert (sets.all, sets.maximal) == (2319, 240)
    assert len(sets.combinations) == 45
    assert pool.name.endswith(f"{model}.yaml")


def test_pools_of_prototypes_are_pools_too() -> None:
    pools = {pool.name: pool for pool in found(ROOT / "testdata" / "prototypes" / "k8srm").pools}
    (sets,) = pools["example.com-sriov/node-00-nic0"].sets
    assert shown(sets.combinations) == [
        "2 pf-0-vf + 2 pf-1-vf",
        "1 pf + 2 pf-0-vf",
        "1 pf + 2 pf-1-vf",
        "2 pf",
    ]
    assert sets.all == 24
    (free,) = pools["example.com-foozer/node-00-foozer"].free
    assert len(free.devices) == 2


def by_force(made: list[dict[str, Any]]) -> tuple[int, int]:
    """How many sets of devices fit, and how many of them are maximal, of integer counters."""
    limits = {
        (entry["name"], key): int(value["value"])
        for entry in made[0]["spec"]["sharedCounters"]
        for key, value in entry["counters"].items()
    }
    takes = {
        entry["name"]: Counter(
            {
                (owner["counterSet"], key): int(value["value"])
                for owner in entry["consumesCounters"]
                for key, value in owner["counters"].items()
            }
        )
        for entry in made[1]["spec"]["devices"]
    }
    fitting = set()
    for size in range(len(takes) + 1):
        for names in combinations(takes, size):
            used: Counter[tuple[str, str]] = Counter()
            for name in names:
                used.update(takes[name])
            if all(used[key] <= limits[key] for key in used):
                fitting.add(frozenset(names))
    maximal = [
        names for names in fitting if not any(names | {name} in fitting for name in set(takes) - names)
    ]
    return len(fitting) - 1, len(maximal)


def test_random_pools_have_the_sets_that_brute_force_finds() -> None:
    rng = random.Random(5)  # noqa: S311 - test data
    for _ in range(60):
        counters = {f"set-{number}": {"m": rng.randint(2, 6), "n": rng.randint(2, 6)} for number in range(2)}
        devices = []
        for number in range(rng.randint(2, 7)):
            owners = rng.sample(sorted(counters), rng.randint(1, 2))
            takes = {owner: {rng.choice("mn"): rng.randint(1, 4)} for owner in owners}
            devices.append(device(f"d-{number}", takes, profile=rng.choice("xyz")))
        made = slices(counters, devices)
        (pool,) = found(*made).pools
        every, maximal = by_force(made)
        # Sets of devices that share no counters multiply.
        product_all = product_maximal = 1
        for sets in pool.sets:
            for _ in (sets.counter_sets, *sets.alike):
                assert sets.all is not None
                product_all *= sets.all + 1
                product_maximal *= sets.maximal
        assert (product_all - 1, product_maximal) == (every, maximal)


def test_the_allocator_fills_a_pool_with_one_of_the_maximal_sets() -> None:
    rng = random.Random(7)  # noqa: S311 - test data
    for _ in range(25):
        devices = [
            device(
                f"d-{number}",
                {"gpu": {key: rng.randint(1, 3) for key in rng.sample("mno", 2)}},
                profile=kind,
                id=f"d-{number}",
            )
            for number, kind in enumerate(rng.choices("xyz", k=6))
        ]
        made = slices({"gpu": dict.fromkeys("mno", 5)}, devices)
        (sets,) = found(*made).pools[0].sets
        kinds = {name: kind.name for kind in sets.kinds for name in kind.devices}
        order = rng.sample(sorted(kinds), len(kinds))
        claims = [item for number, name in enumerate(order) for item in _claim_for(number, name)]
        simulation = dractl.simulate([*made, *claims], allocate_unreferenced=True)
        allocated = Counter(kinds[row.device] for row in simulation.placements)
        every = {entry.kinds for entry in (*sets.combinations, *sets.fragmented)}
        assert tuple(sorted(allocated.items())) in every


def _some(rng: random.Random) -> dict[str, int]:
    return {key: rng.randint(1, 3) for key in rng.sample("mno", 2)}


def _claim_for(number: int, name: str) -> list[dict[str, Any]]:
    """A claim for one device, through a class that selects only that."""
    device_class = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {
            "selectors": [{"cel": {"expression": f'device.attributes["gpu.example.com"].id == "{name}"'}}]
        },
    }
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": f"claim-{number}"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": name}}]}},
    }
    return [device_class, claim]


def test_amounts_are_quantities_and_devices_without_counters_are_free() -> None:
    made = slices(
        {"gpu": {"memory": "40Gi"}},
        [
            device("a", {"gpu": {"memory": "20Gi"}}),
            device("b", {"gpu": {"memory": "20480Mi"}}),
            device("c", {"gpu": {"memory": "40.5Gi"}}),
            device("nic-0"),
            device("nic-1"),
        ],
    )
    (pool,) = found(*made).pools
    (sets,) = pool.sets
    assert [(kind.name, kind.devices) for kind in pool.free] == [("nic", ("nic-0", "nic-1"))]
    assert {kind.name: kind.never for kind in sets.kinds} == {"c": ("c",), "a and 1 like it": ()}
    assert shown(sets.combinations) == ["2 a and 1 like it"]


def test_attributes_that_no_other_device_has_do_not_make_a_kind() -> None:
    takes = {"gpu": {"memory": 1}}
    made = slices({"gpu": {"memory": 2}}, [device(f"p-{n}", takes, uuid=f"u{n}", size="s") for n in range(4)])
    (pool,) = found(*made).pools
    assert [(kind.name, len(kind.devices)) for kind in pool.sets[0].kinds] == [("p", 4)]
    assert pool.sets[0].combinations[0].sets == 6


def test_compatibility_groups_keep_devices_apart() -> None:
    def grouped(name: str, *groups: str) -> dict[str, Any]:
        made = device(name, {"gpu": {"memory": 1}}, profile=name)
        made["consumesCounters"][0]["compatibilityGroups"] = list(groups)
        return made

    made = slices(
        {"gpu": {"memory": 4}}, [grouped("mig", "a"), grouped("mps", "b"), grouped("any", "a", "b")]
    )
    on = {"DRADeviceCompatibilityGroups": True}
    (pool,) = found(*made, minor="1.38", gate_overrides=on).pools
    assert sorted(shown(pool.sets[0].combinations)) == ["1 any + 1 mig", "1 any + 1 mps"]
    assert pool.sets[0].all == 5


def test_unusable_pools_are_named_with_the_reason() -> None:
    counters, devices = slices({"gpu": {"memory": 1}}, [device("a", {"gpu": {"memory": 1}})])
    result = found(devices)
    (pool,) = result.pools
    assert pool.problem == "the scheduler does not use the pool: 1 of 2 slices of generation 1 exist"
    assert not result.ok
    lost = slices({"gpu": {"memory": 1}}, [device("a", {"other": {"memory": 1}})])
    assert "device a consumes from unknown counter set other" in found(*lost).pools[0].problem
    assert found(counters, devices).ok


def test_only_the_newest_generation_counts() -> None:
    old = slices({"gpu": {"memory": 9}}, [device("a", {"gpu": {"memory": 1}})])
    new = [
        {**item, "metadata": {"name": f"{item['metadata']['name']}-2"}, "spec": {**item["spec"]}}
        for item in slices({"gpu": {"memory": 1}}, [device("b", {"gpu": {"memory": 1}})])
    ]
    for item in new:
        item["spec"]["pool"] = {**item["spec"]["pool"], "generation": 2}
    (pool,) = found(*old, *new).pools
    assert [kind.devices for kind in pool.sets[0].kinds] == [("b",)]


def test_filters_choose_drivers_and_pools() -> None:
    two = [*slices({}, [device("a")]), *slices({}, [device("b")], driver="nic.example.com")]
    for item in two:
        item["spec"]["pool"]["resourceSliceCount"] = 1
    two = [item for item in two if item["spec"].get("devices")]
    assert [pool.name for pool in found(*two).pools] == ["gpu.example.com/node-a", "nic.example.com/node-a"]
    assert [pool.driver for pool in found(*two, driver="nic.example.com").pools] == ["nic.example.com"]
    with pytest.raises(UnknownPoolError, match=r"no pool node-b; did you mean node-a\?"):
        found(*two, pool="node-b")


def test_searches_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def limit(name: str, value: int) -> None:
        budget: Budget = getattr(budgets, name)
        monkeypatch.setattr(budgets, name, budget._replace(value=value))

    limit("POSSIBLE_COMBINATIONS", 3)
    result = found(MIG)
    (sets,) = result.pools[0].sets
    assert sets.problem == "more than 3 combinations of kinds are possible; the others are not listed"
    assert sets.all == 297
    assert not result.ok
    limit("POSSIBLE_STEPS", 30)
    (sets,) = found(MIG).pools[0].sets
    assert sets.problem == "the search for possible sets stopped after 30 steps; the list is incomplete"
    assert sets.all is None


def test_the_command_prints_text_and_a_document(tmp_path: Path) -> None:
    text = run_dractl(["possible", str(MIG)], tmp_path)
    assert text.returncode == 0
    assert "    2 × 2g.10gb + 3 × 1g.5gb\n" in text.stdout.decode()
    done = run_dractl(["possible", str(MIG), "--format", "json"], tmp_path)
    document = json.loads(done.stdout)
    schema = json.loads((ROOT / "schemas" / "documents" / "dractl.possible.1.json").read_text())
    jsonschema.validate(document, schema)
    (component,) = document["pools"][0]["components"]
    assert {"devices": {"2g.10gb": 2, "1g.5gb": 3}, "sets": 3} in component["combinations"]


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "half.json").write_text(json.dumps(slices({}, [device("a")])[1]))

    def code(*options: str) -> int:
        return run_dractl(["possible", *options], tmp_path).returncode

    assert code(str(MIG)) == 0
    assert code("half.json") == 1
    assert run_dractl(["possible", "half.json", "--quiet"], tmp_path).stdout.startswith(b"gpu.example.com")
    assert code(str(MIG), "--pool", "other") == 2
    assert code("missing.yaml") == 2
    assert code(str(MIG), "--kube-version", "1.2") == 2
    assert code(str(MIG), "--kube-version", "1.30") == 2


def test_only_what_publishes_devices_is_missed() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": []}}
    pool = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourcePool", "metadata": {"name": "b"}}
    broken = {**slices({}, [device("a")])[1], "spec": {"driver": "GPU_1"}}
    result = found(pod, pool, broken)
    assert [out.object["kind"] for out in result.left_out] == ["ResourcePool", "ResourceSlice"]
    assert not result.ok
