import json
from pathlib import Path

import dractl
import pytest
from dractl.assertions import assert_legal
from dractl.testing import strategies
from driver import DRIVER, Gpu, slices_of
from hypothesis import given
from hypothesis import strategies as st

MINORS = ["1.34", "1.35", "1.36", "1.37"]
GPUS = [Gpu(f"u-{index}", "a100", 80, index // 2) for index in range(4)]
gpus = st.builds(
    Gpu, st.uuids().map(str), st.sampled_from(["a100", "h100"]), st.integers(1, 192), st.integers(0, 7)
)


@pytest.mark.parametrize("dractl_kube_version", MINORS)
def test_each_server_accepts_the_slices(dractl_world):
    dractl_world(slices_of("node-a", GPUS)).assert_valid()


def test_pods_get_gpus_of_one_numa_node(dractl_world):
    world = dractl_world(slices_of("node-a", GPUS), Path("manifests.yaml"))
    world.assert_allocates("pair", devices={"gpus/gpu": {"count": 2, "same": "numa", "distinct": "uuid"}})
    world.assert_allocates("any", node="node-a", devices={"gpus/gpu": "gpu.example.com/node-a/gpu-*"})
    world.assert_pending("four", when="busy", reason="needs 4 devices", ways_out=["free"])
    world.assert_legal()


def test_a_change_is_a_new_generation():
    old, new = slices_of("node-a", GPUS), slices_of("node-a", GPUS[1:], generation=2)
    assert dractl.validate(new, old=old).findings == ()


@given(st.lists(gpus, max_size=8))
def test_any_hardware_can_be_published(found):
    assert dractl.validate(slices_of("node-a", found)).ok


@given(st.lists(gpus, min_size=1, max_size=4), strategies.resource_claims(drivers=[DRIVER]))
def test_what_is_allocated_is_legal(found, claim):
    device_class = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": DRIVER},
        "spec": {"selectors": [{"cel": {"expression": f"device.driver == {json.dumps(DRIVER)}"}}]},
    }
    docs = [*slices_of("node-a", found), device_class, claim]
    assert_legal(dractl.simulate(docs, allocate_unreferenced=True))
