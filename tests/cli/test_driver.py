"""``dractl driver check``: exit codes, and what is wrong usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dractl.cli.cluster.driver import driver_check
from dractl.cli.cluster.driver_options import DriverCheckOptions
from dractl.cli.server import UsageError
from tests.paths import ROOT
from tests.rows import each_row

EXAMPLES = ROOT / "testdata" / "examples"
PARTITIONS = str(EXAMPLES / "partitions")


def test_warnings_fail_only_if_strict(capsys: pytest.CaptureFixture[str]) -> None:
    versions = "1.34..1.37"
    assert driver_check(DriverCheckOptions([PARTITIONS], kube_version=versions)) == 0
    assert driver_check(DriverCheckOptions([PARTITIONS], kube_version=versions, strict=True)) == 1
    assert driver_check(DriverCheckOptions([PARTITIONS], kube_version="1.37", strict=True)) == 0
    assert "1 warning" in capsys.readouterr().out


def test_errors_fail(capsys: pytest.CaptureFixture[str]) -> None:
    broken = ROOT / "testdata" / "cases" / "several-faults-in-one-slice"
    assert driver_check(DriverCheckOptions([str(broken)], quiet=True)) == 1
    assert all("[error]" in line for line in capsys.readouterr().out.splitlines())


def test_without_slices_nothing_can_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert driver_check(DriverCheckOptions([str(EXAMPLES / "pending.yaml")])) == 2
    assert "no ResourceSlice in the input" in capsys.readouterr().err


@each_row(
    ("values", "said"),
    [
        ({"kube_version": "1.30"}, "1.30 has no devices in its slices; use 1.31 or newer"),
        ({"old": [""]}, "--old: expected a path"),
        ({"old": ["no-such-folder"]}, "--old: no-such-folder: No such file or directory"),
        ({"report_format": "sarif"}, "--format: "),
    ],
)
def test_wrong_usage(values: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        driver_check(DriverCheckOptions([PARTITIONS], **values))


def test_an_earlier_state_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.yaml"
    text = (EXAMPLES / "partitions" / "gpus.yaml").read_text(encoding="utf-8")
    old.write_text(text.replace("generation: 1", "generation: 3"), encoding="utf-8")
    given = DriverCheckOptions([PARTITIONS], old=[str(old)], report_format="json", kube_version="1.37")
    assert driver_check(given) == 0
    facts = json.loads(capsys.readouterr().out)["facts"]
    (fact,) = [fact for fact in facts if fact["check"] == "driver/generation"]
    assert fact["message"].endswith("the generation goes back from 3 to 1")
    assert fact["rule"] == "update/generation-back"
