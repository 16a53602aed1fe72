"""Situations in which a pod is Pending, and what dractl prints about it at 80 and 120 columns.

``python -m tests.situations --update`` writes the expected texts of ``testdata/pending``.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

from dractl.cli.server import server
from dractl.report.placements import troubles
from dractl.report.style import Style, text_of
from dractl.source.load import load
from dractl.workflows.simulate import simulate
from tests.paths import ROOT

FOLDER = ROOT / "testdata" / "pending"
WIDTHS = (80, 120)
_COMMAND = "# dractl simulate "


def names() -> list[str]:
    """Each situation by the name of its file."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def printed(name: str) -> dict[int, str]:
    """What is printed about the pending pods of a situation, by width."""
    path = FOLDER / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    arguments = shlex.split(first.removeprefix(_COMMAND))[1:]
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    against = server(
        options.get("--kube-version", "1.37"),
        [text for text in (options.get("--feature-gates"),) if text],
        (),
    )
    simulation = simulate(load(text), against.gates, against.labels)
    return {
        width: "\n".join(text_of(part) for part in troubles(simulation, Style(width))) for width in WIDTHS
    }


def expected(name: str) -> dict[int, str]:
    """What the file of a situation has for each width."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    parts = text.split("==== ")[1:]
    return {int(part.partition(" ")[0]): part.partition("\n")[2].removesuffix("\n") for part in parts}


def _written(texts: dict[int, str]) -> Iterator[str]:
    for width, text in texts.items():
        yield f"==== {width} columns\n{text}\n"


def update() -> None:
    """Write what dractl prints now."""
    for name in names():
        (FOLDER / f"{name}.txt").write_text("".join(_written(printed(name))), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: python -m tests.situations --update")
    update()
