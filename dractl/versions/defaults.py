"""Values that the API server fills in while it decodes, as a table per versioned type and minor.

Source: the ``SetDefaults_*`` functions of ``pkg/apis/resource/<version>`` (patch releases as in the field
tables).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from dractl.api import release
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.records import NamedTuple

Fill = Callable[[JsonDict, str], None]
"""Fills one decoded struct in place; the second argument is the current time as a timestamp."""


def _exact_count(request: JsonDict, _now: str) -> None:
    mode = request.setdefault("allocationMode", "ExactCount")
    if mode == "ExactCount" and not request.get("count"):
        request["count"] = 1


def _exact_count_with_class(request: JsonDict, now: str) -> None:
    if request.get("deviceClassName"):
        _exact_count(request, now)


def _operator_equal(toleration: JsonDict, _now: str) -> None:
    toleration.setdefault("operator", "Equal")


def _time_added(taint: JsonDict, now: str) -> None:
    taint.setdefault("timeAdded", now)


def _limit_100(spec: JsonDict, _now: str) -> None:
    spec.setdefault("limit", 100)


def _multiplier_1(mapping: JsonDict, _now: str) -> None:
    mapping.setdefault("allocationMultiplier", "1")


def _wait_for_consumer(spec: JsonDict, _now: str) -> None:
    spec.setdefault("allocationMode", "WaitForFirstConsumer")


class _Row(NamedTuple):
    type: str
    versions: tuple[str, ...]
    fill: Fill
    since: str
    until: str | None = None


_FLAT = ("v1alpha3", "v1beta1")
_NESTED = ("v1beta2", "v1")
_ALL = (*_FLAT, *_NESTED)

_ROWS = (
    _Row("ResourceClaimSpec", ("v1alpha2",), _wait_for_consumer, "1.30", "1.30"),
    _Row("DeviceRequest", _FLAT, _exact_count, "1.31", "1.32"),
    _Row("DeviceRequest", _FLAT, _exact_count_with_class, "1.33"),
    _Row("ExactDeviceRequest", _NESTED, _exact_count, "1.33"),
    _Row("DeviceSubRequest", _ALL, _exact_count, "1.33"),
    _Row("DeviceToleration", _ALL, _operator_equal, "1.33"),
    _Row("DeviceTaint", _ALL, _time_added, "1.33"),
    _Row("NodeAllocatableResourceMapping", _ALL, _multiplier_1, "1.36", "1.36"),
    _Row("ResourcePoolStatusRequestSpec", ("v1alpha3",), _limit_100, "1.36"),
)


@cache
def fills_of(minor: Minor, type_key: str) -> tuple[Fill, ...]:
    """What is filled into a struct of the type ``type_key`` (such as ``resource/v1.DeviceTaint``)."""
    package, _, name = type_key.partition(".")
    group, _, version = package.partition("/")
    if group != "resource":
        return ()
    return tuple(
        row.fill
        for row in _ROWS
        if row.type == name
        and version in row.versions
        and minor.within(release.at(row.since), release.at(row.until) if row.until else None)
    )
