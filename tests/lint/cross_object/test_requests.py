from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from dractl.lint.cross_object import requests
from tests.lint.cross_object.objects import (
    NODE,
    Object,
    claim,
    device_class,
    findings_of,
    places_of,
    resource_slice,
    taint_rule,
    template,
)
from tests.rows import each_row

found = partial(findings_of, requests.CHECKS)
said = partial(places_of, requests.CHECKS)

GPUS = device_class("gpu", 'device.driver == "gpu.example.com"')
REQUEST = "spec.devices.requests[0].exactly"


def bandwidth(value: str, **policy: Any) -> Object:
    """A device whose bandwidth several requests share under a policy."""
    capacity = {"value": value, **({"requestPolicy": policy} if policy else {})}
    return {
        "name": f"gpu-{value.lower()}",
        "capacity": {"bandwidth": capacity},
        "allowMultipleAllocations": True,
    }


def asking(amount: str, name: str = "bandwidth") -> Object:
    exactly = {"deviceClassName": "gpu", "capacity": {"requests": {name: amount}}}
    return claim(requests=[{"name": "gpu", "exactly": exactly}])


@each_row(
    ("name", "hint"),
    [
        ("bandwith", "did you mean bandwidth?"),
        ("gpu.example.com/bandwith", "the only one is bandwidth"),
        ("nic.example.com/bandwidth", "the only one is bandwidth"),
        ("memory", "the only one is bandwidth"),
    ],
)
def test_a_capacity_that_no_device_has(name: str, hint: str) -> None:
    (finding,) = found(GPUS, resource_slice("a", [bandwidth("40G")]), NODE, asking("1G", name))
    assert (finding.rule, finding.field) == (
        "across/capacity-missing",
        f"{REQUEST}.capacity.requests[{name}]",
    )
    assert finding.hint == hint


def test_the_domain_of_the_driver_can_be_left_out() -> None:
    assert (
        said(GPUS, resource_slice("a", [bandwidth("40G")]), NODE, asking("1G", "gpu.example.com/bandwidth"))
        == []
    )


@pytest.mark.parametrize(("name", "count"), [("bandwith", 1), ("memory", 0)])
def test_without_nodes_only_a_misspelled_name_counts(name: str, count: int) -> None:
    assert len(found(GPUS, resource_slice("a", [bandwidth("40G")]), asking("1G", name))) == count


@each_row(
    ("devices", "amount", "most"),
    [
        ([bandwidth("40G")], "41G", "40G"),
        ([bandwidth("40G"), bandwidth("100G")], "101G", "100G"),
        ([bandwidth("40G", default="1G", validRange={"min": "1G", "max": "10G"})], "11G", "10G"),
        ([bandwidth("40G", default="1G", validValues=["1G", "2G"])], "3G", "2G"),
    ],
)
def test_more_capacity_than_any_device_gives(devices: list[Object], amount: str, most: str) -> None:
    (finding,) = found(GPUS, resource_slice("a", devices), NODE, asking(amount))
    assert (finding.rule, finding.hint) == ("across/capacity-excess", f"request at most {most}")
    assert amount in finding.message
    assert found(GPUS, resource_slice("a", devices), asking(amount)) == []
    assert found(GPUS, resource_slice("a", devices), NODE, asking(most)) == []


@each_row(
    ("policy", "amount", "granted"),
    [
        ({"default": "1G", "validRange": {"min": "1G", "step": "1G"}}, "1500M", "2G"),
        ({"default": "1G", "validRange": {"min": "1G", "step": "1G"}}, "2G", ""),
        ({"default": "1G", "validRange": {"min": "1G"}}, "1500M", ""),
        ({"default": "1G", "validRange": {"min": "1G"}}, "1M", "1G"),
        ({"default": "1G", "validValues": ["1G", "8G"]}, "2G", "8G"),
        ({"default": "1G", "validValues": ["1G", "8G"]}, "8G", ""),
        ({}, "1500M", ""),
    ],
)
def test_amounts_that_the_policy_rounds(policy: dict[str, Any], amount: str, granted: str) -> None:
    findings = found(GPUS, resource_slice("a", [bandwidth("40G", **policy)]), NODE, asking(amount))
    assert [finding.message for finding in findings] == [
        f"the request policy of gpu.example.com rounds {amount} up to {granted}" for _ in range(bool(granted))
    ]


def test_what_is_not_wholly_known_is_not_compared() -> None:
    partly = resource_slice("a", [bandwidth("40G")], pool=("node-a", 1, 2))
    assert found(GPUS, partly, NODE, asking("1000G", "bandwith")) == []
    assert found(device_class("gpu"), resource_slice("a", [bandwidth("40G")]), NODE, asking("1000G")) == []


def configured(driver: str, **entry: Any) -> Object:
    config = [{"opaque": {"driver": driver, "parameters": {"mode": "shared"}}, **entry}]
    return template(config=config)


def test_a_configuration_for_another_driver() -> None:
    (finding,) = found(GPUS, configured("gpu.example.org"))
    place = "spec.spec.devices.config[0].opaque.driver"
    assert (finding.rule, finding.field) == ("across/config-nothing", place)
    assert found(GPUS, configured("gpu.example.com")) == []
    assert found(device_class("gpu"), configured("gpu.example.org")) == []


def test_a_configuration_is_for_its_requests() -> None:
    nics = device_class("nic", 'device.driver == "nic.example.com"')
    both = [{"name": name, "exactly": {"deviceClassName": name}} for name in ("gpu", "nic")]
    opaque = {"driver": "nic.example.com", "parameters": {"mtu": 9000}}

    def claimed(*names: str) -> Object:
        return claim(
            requests=both, config=[{"opaque": opaque, **({"requests": list(names)} if names else {})}]
        )

    assert said(GPUS, nics, claimed()) == []
    assert said(GPUS, nics, claimed("nic")) == []
    assert said(GPUS, nics, claimed("gpu")) == [("config-nothing", "spec.devices.config[0].opaque.driver")]


def tolerating(key: str) -> Object:
    exactly = {"deviceClassName": "gpu", "tolerations": [{"key": key, "operator": "Exists"}]}
    return claim(requests=[{"name": "gpu", "exactly": exactly}])


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("example.com/drian", "did you mean example.com/drain?"),
        ("example.com/drain", ""),
        ("example.com/other", ""),
    ],
)
def test_a_toleration_of_a_misspelled_taint(key: str, hint: str) -> None:
    tainted = {"name": "gpu-0", "taints": [{"key": "example.com/drain", "effect": "NoSchedule"}]}
    for given in (resource_slice("a", [tainted]), taint_rule({"driver": "gpu.example.com"})):
        assert [finding.hint for finding in found(given, tolerating(key))] == [hint] * bool(hint)


@pytest.mark.parametrize(("minor", "granted"), [("1.36", ["1"]), ("1.37", ["1"]), ("1.38", ["750m"])])
def test_amounts_are_rounded_as_by_the_allocator_of_the_minor(minor: str, granted: list[str]) -> None:
    policy = {"default": "500m", "validRange": {"min": "500m", "step": "250m"}}
    findings = found(GPUS, resource_slice("a", [bandwidth("2", **policy)]), NODE, asking("600m"), kube=minor)
    assert [finding.message.rpartition(" ")[2] for finding in findings] == granted
