"""A program in the place of Go: it records how it is called, and writes the wanted file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

_SCRIPT = """\
#!{python}
import json, os, pathlib, sys
folder = pathlib.Path(__file__).parent
with (folder / "calls").open("a") as calls:
    calls.write(json.dumps([sys.argv[1:], os.getcwd(), os.environ["GOFLAGS"]]) + "\\n")
if sys.argv[1:3] == ["mod", "download"]:
    print(json.dumps({{"Dir": str(folder / "release")}}))
if sys.argv[1:3] == ["list", "-m"]:
    print(json.dumps({{"Path": sys.argv[-1]}}))
for argument in sys.argv:
    if argument.startswith("-o=") and not os.path.isdir(argument[3:]):
        pathlib.Path(argument.removeprefix("-o=")).write_text("built")
sys.exit({code} if sys.argv[1] == "build" else 0)
"""


class FakeGo(NamedTuple):
    """The fake program, in a folder of its own with the release that it "downloads"."""

    program: Path

    def calls(self) -> list[list[Any]]:
        """Arguments, working folder and $GOFLAGS of each call."""
        path = self.program.with_name("calls")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def fake_go(folder: Path, *, code: int = 0, module: str = "module k8s.io/kubernetes\n") -> FakeGo:
    """A fake Go whose builds exit with ``code``; ``module`` is the go.mod of what it downloads."""
    release = folder / "release"
    release.mkdir(parents=True)
    (release / "go.mod").write_text(module, encoding="utf-8")
    (release / "go.sum").write_text("a sum\n", encoding="utf-8")
    program = folder / "go"
    program.write_text(_SCRIPT.format(python=sys.executable, code=code), encoding="utf-8")
    program.chmod(0o755)
    return FakeGo(program)
