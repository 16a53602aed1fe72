from __future__ import annotations

from dractl.api import gates, release
from dractl.report.reference.gates import document, render
from dractl.report.style import Style

V136 = release.parse("1.36")


def _lines(overrides: dict[str, bool]) -> dict[str, str]:
    text = render(gates.resolve(V136, overrides), Style(width=None))
    return {line.split()[0]: line for line in text.splitlines() if line}


def test_a_row_says_stage_default_needs_and_purpose() -> None:
    lines = _lines({})
    assert lines["GATE"].split() == ["GATE", "STAGE", "DEFAULT", "FOR"]
    assert lines["DRAAdminAccess"].split()[1:4] == ["ga", "on,", "locked"]
    assert lines["DRADeviceTaintRules"].endswith("; requires DRADeviceTaints")
    assert "DRADerivedAttributes" not in lines


def test_set_gates_show_what_is_on_now() -> None:
    lines = _lines({"DRAListTypeAttributes": True})
    assert lines["GATE"].split() == ["GATE", "STAGE", "DEFAULT", "NOW", "FOR"]
    assert lines["DRAListTypeAttributes"].split()[1:4] == ["alpha", "off", "on"]
    assert lines["DRADeviceTaints"].split()[1:4] == ["beta", "on", "on"]


def test_all_alpha_counts_as_set() -> None:
    assert _lines({"AllBeta": False, "DRADeviceTaintRules": False})["DRADeviceTaints"].split()[2:4] == [
        "on",
        "off",
    ]


def test_the_document() -> None:
    found = document(gates.resolve(V136, {"DRAListTypeAttributes": True}))
    assert (found["schema"], found["kubeVersion"]) == ("dractl.gates/1", "1.36")
    assert found["featureGates"] == {"DRAListTypeAttributes": True}
    row = next(row for row in found["gates"] if row["name"] == "DRAListTypeAttributes")
    assert row == {
        "name": "DRAListTypeAttributes",
        "purpose": row["purpose"],
        "stage": "alpha",
        "default": False,
        "locked": False,
        "dependsOn": ["DynamicResourceAllocation"],
        "on": True,
    }
