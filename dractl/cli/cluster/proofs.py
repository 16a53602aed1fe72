"""``dractl why --prove``: each way out as a file that ``dractl simulate`` can run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from dractl.cli.server import UsageError
from dractl.cli.terminal import notice
from dractl.explanation.remedies.prove import heading, proof
from dractl.explanation.ways_out.wording import sentence
from dractl.report.objects import render
from dractl.report.text import counted
from dractl.workflows.questions import Why

__all__ = ["write_proofs"]


def write_proofs(
    answers: Sequence[Why], folder: str, labels: Mapping[str, Mapping[str, str]], *, quiet: bool
) -> bool:
    """Write a file for each way out, and return whether that succeeded; equal pods have those of the first.

    ``labels`` are those of the namespaces. Raises UsageError where a file exists: none is overwritten.
    """
    if not folder:
        raise UsageError("--prove", "expected a folder (unset shell variable?)")
    files = {os.path.join(folder, name): text for name, text in _files(answers, labels)}  # noqa: PTH118
    for path in files:
        if os.path.lexists(path):
            raise UsageError("--prove", f"{path} exists; name another folder")
    try:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - pathlib costs time
        for path, text in files.items():
            with open(path, "x", encoding="utf-8") as file:  # noqa: PTH123
                file.write(text)
    except OSError as error:
        notice(f"{error.filename or folder}: {error.strerror or error}")
        return False
    if not quiet:
        notice(f"wrote {counted(len(files), 'file')} to {folder}" if files else "no way out to prove")
    return True


def _files(answers: Sequence[Why], labels: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Names such as ``ml-train-1-count.yaml``, in the order of the ways out, with the text."""
    for entry in answers:
        world = entry.world
        if entry.explanation is None or world is None:
            continue
        pod = world.pod_key
        for number, way in enumerate(entry.explanation.ways_out, 1):
            text = heading(world, way, sentence(way)) + render(proof(world, way, labels))
            yield f"{pod.namespace}-{pod.name}-{number}-{way.way}.yaml", text
