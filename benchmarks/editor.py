"""The language server's answers: how long a keystroke takes in a large file, and that no prefix ends it.

``python -m benchmarks.editor FOLDER`` completes at the end of every prefix of every file there.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import OURS, Figure, Row, row_of
from benchmarks.settings import Settings
from dractl.editor.buffer import Position, Range
from dractl.editor.colors import colors_in
from dractl.editor.session import Session

SUFFIXES = (".yaml", ".yml", ".json")
SLICE = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: slice-{number}
spec:
  driver: gpu.example.com
  nodeName: node-{number}
  pool: {{name: node-{number}, generation: 1, resourceSliceCount: 1}}
  devices:
{devices}---
"""
DEVICE = """  - name: gpu-{number}
    attributes:
      model: {{string: a{number}}}
      index: {{int: {number}}}
"""
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: claim
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors:
        - cel:
            expression: """
TYPED = 'device.attributes["gpu.example.com"].model == "a1" && device.driver == "gpu.example.com"'


def large_text(size: int = 1_000_000) -> str:
    """Slices with a claim in the middle, as large as wanted."""
    devices = "".join(DEVICE.format(number=number) for number in range(16))
    count = size // (len(devices) + 250) + 1
    parts = [SLICE.format(number=number, devices=devices) for number in range(count)]
    parts.insert(len(parts) // 2, f"{CLAIM}\n---\n")
    return "".join(parts)


def keystrokes(session: Session, path: str, pause: float = 0.02) -> Iterator[float]:
    """The seconds of each keystroke of an expression: the change, completion, hover and signatures."""
    buffer = session.buffers[path]
    line = next(number for number, text in enumerate(buffer.lines) if "expression:" in text)
    column = len(buffer.lines[line])
    for number, character in enumerate(TYPED):
        start = time.perf_counter()
        at = Position(line, column + number)
        session.change(path, number + 2, [(Range(at, at), character)])
        after = Position(line, column + number + 1)
        session.complete(path, after)
        session.hover(path, after)
        session.signatures(path, after)
        yield time.perf_counter() - start
        time.sleep(pause)


def ask_everywhere(text: str, path: str) -> int:
    """Ask at the end of each prefix of a text; the number of prefixes. Whatever fails is raised."""
    session = Session(lambda *_: None)
    session.take(path, "")
    asked = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for column in range(len(line) + 1):
            session.buffers[path].lines = [*lines[:number], line[:column]]
            at = Position(number, column)
            session.complete(path, at)
            if not line[column - 1 : column].isalpha():
                session.hover(path, at)
                session.signatures(path, at)
                colors_in(session.buffers[path].lines, max(0, number - 3))
            asked += 1
    return asked


def rows(settings: Settings) -> Iterator[Row]:
    """The median of the keystrokes while the file is validated, and again."""
    session = Session(lambda *_: None)
    session.open("large.yaml", large_text(settings.scaled(1_000_000)), 1)
    size = len(session.buffers["large.yaml"].text)
    for name in ("while it is validated", "afterwards"):
        times = sorted(keystrokes(session, "large.yaml"))
        remark = f"worst: {times[-1] * 1000:.0f} ms; wall time"
        median = Figure(statistics.median(times))
        yield row_of(f"keystroke in {size:,} characters, {name}", [{OURS: median}], remark)
        deadline = time.monotonic() + 60
        while "large.yaml" not in session.analyses and time.monotonic() < deadline:
            time.sleep(0.1)


def main() -> None:
    """Complete everywhere in the files of a folder."""
    files = [path for path in sorted(Path(sys.argv[1]).rglob("*")) if path.suffix in SUFFIXES]
    asked = sum(
        ask_everywhere(path.read_text(encoding="utf-8", errors="replace"), str(path)) for path in files
    )
    print(f"{len(files)} files, {asked} prefixes, no fault")


if __name__ == "__main__":
    main()
