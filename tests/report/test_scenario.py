"""A scenario for people."""

from __future__ import annotations

from pathlib import Path

from dractl.api import gates, release
from dractl.report import scenario
from dractl.report.style import Style
from dractl.scenario.runner import Played, play
from dractl.scenario.scenario import Scenario, read_scenario
from dractl.source.load import load_paths
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
WIDE = Style(width=None)


def played(tmp_path: Path, steps: str) -> Played:
    file = tmp_path / "s.yaml"
    file.write_text(f"schema: dractl.scenario/1\nsteps:\n{steps}", encoding="utf-8")
    found = read_scenario(str(file))
    assert isinstance(found, Scenario)
    loaded = load_paths([EXAMPLES / "quickstart"])
    return play(loaded, gates.resolve(release.NEWEST), None, found.steps)


def test_each_step_has_a_heading_its_changes_and_a_table(tmp_path: Path) -> None:
    lines = scenario.render(played(tmp_path, "- complete: train\n- cordon: node-a\n"), WIDE).splitlines()
    heading = next(line for line in lines if line.startswith("Step 1"))
    assert heading.startswith("Step 1: complete train (")
    assert heading.endswith("s.yaml:3:3)")
    assert lines[lines.index(heading) + 1].startswith("  - default/train has ended (Succeeded) and frees")
    assert lines[0] == "At the start"
    second = next(number for number, line in enumerate(lines) if line.startswith("Step 2"))
    assert lines[second + 1] == "  no changes"
    assert sum(line.startswith("POD ") for line in lines) == 3
    assert lines[-1] == "after 2 steps 2 pods with devices, 0 pending (Kubernetes 1.37)"


def test_what_cannot_be_done_is_reported_also_where_it_is_quiet(tmp_path: Path) -> None:
    found = played(tmp_path, "- complete: train\n- complete: nobody\n")
    quiet = scenario.render(found, WIDE, summary=False).splitlines()
    assert [line.split(" (")[0] for line in quiet] == [
        "Step 2: complete nobody",
        "  failed: Pod default/nobody does not exist",
    ]
    assert scenario.render(played(tmp_path, "- complete: train\n"), WIDE, summary=False) == ""
    (note,) = scenario.notes(found)
    assert note.endswith("s.yaml:4:3: complete nobody: Pod default/nobody does not exist")
    assert "1 problem" in scenario.render(found, WIDE)


def test_a_state_without_devices_says_so(tmp_path: Path) -> None:
    text = scenario.render(played(tmp_path, "- drain: [node-a, node-b]\n"), WIDE)
    assert "\n  no pod has devices\n" in text
