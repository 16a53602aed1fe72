"""The program that reads what Go packages declare."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.api_data.declarations import Package
from tools.api_data.published import PROGRAM
from tools.kubernetes.toolchain import Go

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="no Go toolchain")

SOURCE = """\
package v1

import (
	features "example.com/features"
	"example.com/sizes"
)

// Thing is declared.
// +enum
type Thing string

// Things that follow.

// Box has a comment block above its own.
type Box struct {
	Meta `json:",inline"`
	// Sizes are many.
	// +optional
	Sizes map[string]*sizes.Size `json:"sizes,omitempty" protobuf:"bytes,1"`
}

const (
	ThingA Thing = "A"
	// MaxThings is a limit.
	MaxThings = 2 * sizes.Base << 1
	Unknown   = other.Value
)

var gates = map[string]Spec{
	features.One: {{Version: version.MustParse("1.38"), Default: true, PreRelease: features.Beta}},
}

func plugins() *Set {
	set := &Set{Name: "a"}
	return set
}

func (in *Box) APILifecycleIntroduced() (major, minor int) {
	return 1, 34
}

func (p Provider) v1Storage() {
	if resource := "boxes"; enabled(resource) {
		if gate.Enabled(features.Boxes) {
			storage[resource] = boxes
		}
	}
}
"""


def _read(folder: Path, source: str) -> Package:
    (folder / "v1").mkdir(parents=True)
    (folder / "sizes").mkdir()
    (folder / "v1" / "types.go").write_text(source, encoding="utf-8")
    (folder / "v1" / "types_test.go").write_text("not Go", encoding="utf-8")
    (folder / "sizes" / "sizes.go").write_text("package sizes\n\nconst Base = 4\n", encoding="utf-8")
    arguments = [f"example.com/v1={folder / 'v1'}", f"example.com/sizes={folder / 'sizes'}"]
    answer = json.loads(Go("go", folder).run_program(PROGRAM, arguments))
    return Package("example.com/v1", answer["example.com/v1"])


def test_types_constants_and_literals_are_read(tmp_path: Path) -> None:
    found = _read(tmp_path, SOURCE)
    assert found.types["Thing"].comment == "Thing is declared.\n+enum\n"
    assert found.types["Box"].comment.startswith("Things that follow.\nBox has")
    meta, sizes = found.types["Box"].fields
    assert (meta.is_inlined, meta.shape) == (True, "example.com/v1.Meta")
    assert (sizes.json_name, sizes.is_always_encoded) == ("sizes", False)
    assert sizes.shape == {"key": "string", "map": {"pointer": "example.com/sizes.Size"}}
    assert {name: each.value for name, each in found.constants.items()} == {
        "ThingA": "A",
        "MaxThings": 16,
        "Unknown": None,
    }
    assert found.constants["ThingA"].type == "example.com/v1.Thing"
    assert found.variables["gates"] == [
        {
            "key": {"name": "example.com/features.One"},
            "value": [
                [
                    {"key": "Version", "value": {"call": "version.MustParse", "arguments": ["1.38"]}},
                    {"key": "Default", "value": True},
                    {"key": "PreRelease", "value": {"name": "example.com/features.Beta"}},
                ]
            ],
        }
    ]
    assert found.returned == {"plugins": [{"key": "Name", "value": "a"}]}
    assert found.lifecycle == {"Box": {"Introduced": "1.34"}}
    assert found.guarded == {"v1Storage/boxes": "Boxes"}


def test_only_other_code_has_another_digest(tmp_path: Path) -> None:
    before = _read(tmp_path / "a", SOURCE).functions
    comment = _read(
        tmp_path / "b", SOURCE.replace("	return set", "	// A comment.\n	return set")
    ).functions
    other = _read(tmp_path / "c", SOURCE.replace("	return set", "	return nil")).functions
    assert comment == before
    assert {name for name in before if before[name] != other[name]} == {"plugins"}


def test_gofmt_and_vet_find_nothing() -> None:
    formatted = subprocess.run(["gofmt", "-l", str(PROGRAM)], capture_output=True, text=True, check=True)
    assert formatted.stdout == ""
    subprocess.run(["go", "vet", "."], cwd=PROGRAM, check=True)
