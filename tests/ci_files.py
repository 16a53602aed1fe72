"""The files for CI systems: ``python -m tests.ci_files STEP`` prints what a CI would run.

``install`` and ``validate`` are steps of the GitHub Action, ``gitlab`` the job of the GitLab component with
the defaults of its inputs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

import yaml

from tests.paths import ROOT

__all__ = ["ACTION", "GITLAB", "action", "gitlab", "step"]

ACTION = ROOT / "action.yml"
GITLAB = ROOT / "templates" / "validate.yml"
_STEPS = {"install": "Install dractl", "validate": "Validate"}
_INPUT = re.compile(r"\$\[\[ inputs\.(\w+) \]\]")


def action() -> dict[str, Any]:
    """The GitHub Action."""
    loaded: dict[str, Any] = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    return loaded


def step(name: str) -> str:
    """The script of a step of the action."""
    (script,) = (each["run"] for each in action()["runs"]["steps"] if each["name"] == _STEPS[name])
    return str(script)


def gitlab(given: Mapping[str, str]) -> str:
    """The job of the component as GitLab makes it from the inputs; raises KeyError for an unknown one."""
    header, body = GITLAB.read_text(encoding="utf-8").split("\n---\n")
    inputs = yaml.safe_load(header)["spec"]["inputs"]
    values = {name: str(row["default"]) for name, row in inputs.items()}
    if unknown := given.keys() - values.keys():
        raise KeyError(*unknown)
    values |= given
    return _INPUT.sub(lambda found: values[found[1]], body)


def main(arguments: list[str]) -> int:
    """Print what ``arguments`` name."""
    (name,) = arguments
    sys.stdout.write(gitlab({}) if name == "gitlab" else step(name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
