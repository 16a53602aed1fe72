"""DeviceClasses, ResourceClaims and their templates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dractl.api.json_types import JsonDict
from dractl.testing.strategies.features import Features
from dractl.testing.strategies.names import gibibytes, labels
from dractl.testing.strategies.slices import FLAVOURS, PCIE_ROOT, TAINT_KEYS

__all__ = ["claim", "device_class", "template"]

_AMOUNTS: SearchStrategy[JsonDict] = st.sampled_from(
    [{}, {"allocationMode": "ExactCount", "count": 2}, {"allocationMode": "All"}]
)


def device_class(features: Features, driver: str) -> SearchStrategy[JsonDict]:
    """The class of all devices of a driver, which has the driver's name."""
    selector = {"cel": {"expression": f"device.driver == {json.dumps(driver)}"}}
    return st.just(features.written("DeviceClass", driver, {"selectors": [selector]}))


def claim(
    features: Features, name: str, namespace: str, drivers: Sequence[str], max_requests: int
) -> SearchStrategy[JsonDict]:
    """A claim for devices of classes that have the names of ``drivers``."""
    spec = _claim_spec(features, drivers, max_requests)
    return spec.map(lambda found: features.written("ResourceClaim", name, found, namespace))


def template(
    features: Features, name: str, namespace: str, drivers: Sequence[str], max_requests: int
) -> SearchStrategy[JsonDict]:
    """A template of such claims."""
    spec = _claim_spec(features, drivers, max_requests)
    return spec.map(lambda found: features.written("ResourceClaimTemplate", name, {"spec": found}, namespace))


@st.composite
def _claim_spec(draw: DrawFn, features: Features, drivers: Sequence[str], max_requests: int) -> JsonDict:
    """The ``spec`` of a claim for devices of classes that have the names of ``drivers``."""
    names = draw(st.lists(labels(), min_size=1, max_size=max_requests, unique=True))
    requests = [draw(_request(features, name, drivers)) for name in names]
    devices: JsonDict = {"requests": requests}
    constraints = draw(st.lists(_constraint(features, names, drivers), max_size=1))
    if constraints:
        devices["constraints"] = constraints
    config = draw(st.lists(_config(names, drivers), max_size=1))
    if config:
        devices["config"] = config
    return {"devices": devices}


@st.composite
def _request(draw: DrawFn, features: Features, name: str, drivers: Sequence[str]) -> JsonDict:
    wanted = _wanted(features, tuple(drivers))
    if features.alternatives and draw(st.booleans()):
        names = draw(st.lists(labels(), min_size=1, max_size=3, unique=True))
        return {"name": name, "firstAvailable": [{"name": sub, **draw(wanted)} for sub in names]}
    return {"name": name, "exactly": draw(wanted)}


@cache
def _wanted(features: Features, drivers: tuple[str, ...]) -> SearchStrategy[JsonDict]:
    """What a request or an alternative of it needs."""
    return _drawn_wanted(features, drivers)


@st.composite
def _drawn_wanted(draw: DrawFn, features: Features, drivers: tuple[str, ...]) -> JsonDict:
    driver = draw(st.sampled_from(drivers))
    wanted: JsonDict = {"deviceClassName": driver}
    expressions = draw(st.lists(_expression(driver), max_size=1))
    if expressions:
        wanted["selectors"] = [{"cel": {"expression": expression}} for expression in expressions]
    wanted |= draw(_AMOUNTS)
    if features.taints:
        tolerations = draw(st.lists(_toleration(), max_size=1))
        wanted |= {"tolerations": tolerations} if tolerations else {}
    if features.shares and draw(st.booleans()):
        wanted["capacity"] = {"requests": {"memory": draw(gibibytes(1, 40))}}
    return wanted


@cache
def _expression(driver: str) -> SearchStrategy[str]:
    """A selector that evaluates without an error, also if a device lacks the attribute."""
    domain = json.dumps(driver)
    attributes, capacity = f"device.attributes[{domain}]", f"device.capacity[{domain}]"
    return st.one_of(
        st.sampled_from(FLAVOURS).map(
            lambda model: f"'model' in {attributes} && {attributes}.model == {json.dumps(model)}"
        ),
        st.integers(0, 7).map(lambda index: f"'index' in {attributes} && {attributes}.index <= {index}"),
        gibibytes(1, 80).map(
            lambda least: (
                f"'memory' in {capacity} && {capacity}.memory.compareTo(quantity({json.dumps(least)})) >= 0"
            )
        ),
    )


@cache
def _toleration() -> SearchStrategy[JsonDict]:
    return st.one_of(
        st.just({"operator": "Exists"}),
        st.fixed_dictionaries(
            {"key": st.sampled_from(TAINT_KEYS), "operator": st.just("Exists")},
            optional={"effect": st.sampled_from(["NoSchedule", "NoExecute"])},
        ),
    )


@st.composite
def _constraint(
    draw: DrawFn, features: Features, requests: Sequence[str], drivers: Sequence[str]
) -> JsonDict:
    field = draw(st.sampled_from(["matchAttribute", *(["distinctAttribute"] if features.shares else [])]))
    attribute = draw(st.sampled_from([PCIE_ROOT, f"{drivers[0]}/model", f"{drivers[0]}/index"]))
    return {field: attribute, **draw(_some_of(requests))}


@st.composite
def _config(draw: DrawFn, requests: Sequence[str], drivers: Sequence[str]) -> JsonDict:
    driver = draw(st.sampled_from(drivers))
    parameters = {"apiVersion": f"{driver}/v1", "kind": "Config", "level": draw(st.integers(0, 9))}
    return {"opaque": {"driver": driver, "parameters": parameters}, **draw(_some_of(requests))}


def _some_of(requests: Sequence[str]) -> SearchStrategy[JsonDict]:
    """All requests (no list), or some."""
    some = st.lists(st.sampled_from(requests), min_size=1, unique=True)
    return st.one_of(st.just({}), some.map(lambda names: {"requests": names}))
