"""The name that somebody probably meant."""

from __future__ import annotations

import pytest

from dractl.api.wording import did_you_mean, nearest


@pytest.mark.parametrize(
    ("name", "meant"),
    [("deviceclas", "DeviceClass"), ("DEVICECLASS", "DeviceClass"), ("pod", "Pod"), ("Zebra", ""), ("", "")],
)
def test_the_nearest_name_in_whatever_case(name: str, meant: str) -> None:
    assert nearest(name, ["Pod", "DeviceClass"]) == meant


def test_the_advice() -> None:
    assert did_you_mean("Pood", ["Pod"]) == "did you mean Pod?"
    assert did_you_mean("Zebra", ["Pod"], otherwise="there is Pod") == "there is Pod"
    assert did_you_mean("Poood", ["Pod"], least=0.9) == ""
