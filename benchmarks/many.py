"""What many files and big files cost: CPU, wall time and memory of whole ``dractl validate`` processes.

    python -m benchmarks.many [SITUATION …] [--runs N] [--dractl COMMAND …] [--peer KUBECONFORM]

The situations are listed in ``SITUATIONS``; without a name all of them run. Each command runs in turn, so
that a busy machine slows all of them; the best of the runs is printed. ``--dractl`` takes further commands to
compare, such as that of another checkout. ``--peer`` is the command of kubeconform, which validates the same
files with the schemas of this repository. Peak memory is that of the largest process. The exit code is 1 if a
target is missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

SCHEMAS = Path(__file__).parent.parent / "schemas"
PEER_OPTIONS = (
    "-strict", "-ignore-missing-schemas",
    "-schema-location",
    f"{SCHEMAS}/v1.37.0-standalone-strict/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json",
)  # fmt: skip

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: {name}
  namespace: team-{team}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        count: {count}
"""
SELECTING = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: {name}
  namespace: team-{team}
  labels:
    app: train-{team}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: {device_class}
        count: {count}
        selectors:
        - cel:
            expression: device.attributes["gpu.example.com"].model == "x{team}"
"""
TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: {name}
  namespace: team-{team}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: {device_class}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: {name}
  namespace: team-{team}
spec:
  containers:
  - name: train
    image: registry.example.com/train:{count}
    resources:
      claims:
      - name: gpu
  resourceClaims:
  - name: gpu
    resourceClaimName: {name}
"""
CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: team-{team}
data:
  count: "{count}"
"""
BROKEN = """\
- apiVersion: resource.k8s.io/v1
  kind: ResourceClaim
  metadata:
    name: claim-{number}
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassNam: gpu.example.com
"""


def one(number: int, text: str = CLAIM) -> str:
    """An object; one in 50 has a mistake, if its text has a place for it."""
    return text.format(
        name=f"object-{number}",
        team=number % 20,
        device_class="gpu.example.com" if number % 50 else "GPU!",
        count=1 + number % 8,
    )


def mixed(number: int) -> str:
    """An object of one of the kinds that repositories have."""
    return one(number, (SELECTING, TEMPLATE, POD, CONFIG_MAP)[number % 4])


def in_folder(folder: Path, number: int, make: Callable[[int], str] = one) -> list[str]:
    """``number`` files with an object each, 100 in a folder; the paths to validate."""
    for at in range(number):
        place = folder / f"{at // 100:04}"
        if at % 100 == 0:
            place.mkdir(parents=True)
        (place / f"object-{at}.yaml").write_text(make(at), encoding="utf-8")
    return [str(folder)]


def repository(folder: Path, number: int) -> list[str]:
    """A repository of files of which one in ten has changed since its only commit."""
    in_folder(folder / "manifests", number)

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", folder, *arguments], check=True, stdout=subprocess.DEVNULL)

    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-qm", "Add manifests")
    for at in range(0, number, 10):
        file = folder / "manifests" / f"{at // 100:04}" / f"object-{at}.yaml"
        file.write_text(file.read_text(encoding="utf-8").replace("count: ", "count: 1"), encoding="utf-8")
    return ["manifests"]


def in_one_file(folder: Path, number: int, make: Callable[[int], str] = one) -> list[str]:
    """``number`` objects in one file."""
    file = folder / "objects.yaml"
    with file.open("w", encoding="utf-8") as target:
        for at in range(number):
            target.write(f"---\n{make(at)}")
    return [str(file)]


def broken_list(folder: Path, number: int) -> list[str]:
    """One ``List`` with ``number`` items that all have a typo."""
    file = folder / "list.yaml"
    items = "".join(BROKEN.format(number=at) for at in range(number))
    file.write_text(f"apiVersion: v1\nkind: List\nitems:\n{items}", encoding="utf-8")
    return [str(file)]


class Situation(NamedTuple):
    """Files to make, options of dractl, and what it may cost.

    ``seconds`` bounds the CPU time and ``mebibytes`` the memory; ``ratio`` bounds the CPU time beside that of
    the peer or, if there are ``options``, beside that of a run without them.
    """

    make: Callable[[Path], list[str]]
    options: Sequence[str] = ()
    seconds: float = 0
    mebibytes: int = 0
    ratio: float = 0
    is_fixing: bool = False


SITUATIONS = {
    "one": Situation(lambda folder: in_one_file(folder, 1), seconds=0.1),
    "claims-1000": Situation(lambda folder: in_folder(folder / "claims", 1_000), ratio=2),
    "files-20000": Situation(lambda folder: in_folder(folder / "files", 20_000, mixed)),
    "since-3000": Situation(lambda folder: repository(folder, 3_000), ("--since", "HEAD"), ratio=2),
    "objects-100000": Situation(
        lambda folder: in_one_file(folder, 100_000, mixed), seconds=20, mebibytes=1_000
    ),
    "fix-200": Situation(lambda folder: broken_list(folder, 200), ("--fix",), is_fixing=True),
    "fix-2000": Situation(lambda folder: broken_list(folder, 2_000), ("--fix",), is_fixing=True),
}


class Cost(NamedTuple):
    """What one process cost."""

    cpu: float
    wall: float
    mebibytes: int


def cost(command: Sequence[str], folder: Path) -> Cost:
    """Run a command to its end; raises RuntimeError if it ends with another exit code than 0 or 1."""
    # Compiled modules and unbuffered output are what a user has.
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    start = time.monotonic()
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss // 1024)


def commands(situation: Situation, paths: list[str], ours: Sequence[str], peer: str) -> Iterator[list[str]]:
    """The commands to compare; the one with a target comes first."""
    for program in ours:
        yield [*program.split(), "validate", *paths, *situation.options]
    if situation.options and situation.ratio:
        yield [*ours[0].split(), "validate", *paths]
    if peer and not situation.options:
        yield [peer, *PEER_OPTIONS, *paths]


def run(name: str, situation: Situation, ours: Sequence[str], peer: str, runs: int) -> bool:
    """Measure and print a situation; whether its targets are met."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        paths = situation.make(folder)
        texts = {path: Path(path).read_bytes() for path in paths if situation.is_fixing}
        rows = list(commands(situation, paths, ours, peer))
        best: list[Cost] = []
        for _ in range(runs):
            measured = []
            for row in rows:
                for path, data in texts.items():
                    Path(path).write_bytes(data)
                measured.append(cost(row, folder))
            best = [min(pair) for pair in zip(best or measured, measured, strict=True)]
    for row, found in zip(rows, best, strict=True):
        shown = [part for part in row if part not in PEER_OPTIONS]
        print(
            f"{name:15} {found.cpu * 1000:8.0f} ms CPU {found.wall * 1000:8.0f} ms {found.mebibytes:6} MiB"
            f"  {' '.join(shown).replace(str(folder), '.')}"
        )
    first, last = best[0], best[-1]
    has_pair = bool(situation.ratio) and len(best) > len(ours)
    if has_pair:
        print(f"{name:15} ratio {first.cpu / last.cpu:.2f} (target: at most {situation.ratio})")
    return (
        (not situation.seconds or first.cpu <= situation.seconds)
        and (not situation.mebibytes or first.mebibytes <= situation.mebibytes)
        and (not has_pair or first.cpu <= last.cpu * situation.ratio)
    )


def main() -> int:
    """Run the situations and print what they cost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("situations", nargs="*", metavar="SITUATION", help=f"{', '.join(SITUATIONS)}")
    parser.add_argument("--runs", type=int, default=3, help="runs of each command (default: 3)")
    parser.add_argument(
        "--dractl", action="append", default=[], metavar="COMMAND", help="compare this one, too"
    )
    parser.add_argument("--peer", default=shutil.which("kubeconform") or "", help="the kubeconform command")
    options = parser.parse_args()
    ours = [str(Path(sys.executable).parent / "dractl"), *options.dractl]
    names = options.situations or list(SITUATIONS)
    met = [run(name, SITUATIONS[name], ours, options.peer, options.runs) for name in names]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
