"""All benchmarks and all guarded ratios: a new benchmark is a module and a row."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.peers import CELPY, GO_CODE, KUBECTL_VALIDATE, KUBERNETES_VALIDATE

__all__ = ["BENCHMARKS", "GUARDS", "Benchmark", "Guard"]


class Benchmark(NamedTuple):
    """A module of this package.

    It has ``rows(settings)``, which yields a ``measuring.Row`` for each thing that was measured. A module
    without it is run by its ``main``: what it prints is shown, and an exit code other than 0 is a miss.
    """

    name: str
    what: str
    arguments: tuple[str, ...] = ()


BENCHMARKS = (
    Benchmark("start", "start-up: whole processes, compared with a Python that does nothing"),
    Benchmark("validate", "`dractl validate` of one file, 1,000 files and 5 MB, beside other validators"),
    Benchmark("load", "5 MB of ResourceSlices read, compared with the fastest loader of PyYAML"),
    Benchmark("cel", "selectors evaluated for 10,000 devices, and 100 selectors compiled"),
    Benchmark("allocate", "the allocator: long searches and large clusters, compared with the real one"),
    Benchmark("hard", "hard searches in each minor"),
    Benchmark("simulate", "100 pods on 5,000 nodes with eight devices each"),
    Benchmark("schedule", "clusters as large as those of the scheduler's own benchmark"),
    Benchmark("dump", "`dractl simulate` of a dump of 200 nodes with 1,640 pods, 15 MB"),
    Benchmark("many", "many files, 100,000 objects in one file, `--since`, `--fix` of long lists"),
    Benchmark("cluster", "pods scheduled by a real control plane and by a simulation"),
    Benchmark("editor", "a keystroke in a file of 1 MB: change, completion, hover and signatures"),
)
"""In the order of the page, which is the order in which they run."""


class Guard(NamedTuple):
    """The largest ratio of dractl's CPU time to another program's in a row, by the start of its name."""

    benchmark: str
    row: str
    other: str
    most: float


GUARDS = (
    Guard("start", "dractl --version", "python", 4.5),
    Guard("start", "dractl --help", "python", 4.5),
    Guard("start", "dractl validate", "python", 11.0),
    Guard("start", "dractl simulate", "python", 16.0),
    Guard("start", "dractl cel", "python", 16.0),
    Guard("validate", "one claim", KUBERNETES_VALIDATE, 0.75),
    Guard("validate", "1,000 claims", KUBERNETES_VALIDATE, 0.1),
    Guard("validate", "1,000 claims", KUBECTL_VALIDATE, 2.0),
    Guard("validate", "132 slices", KUBERNETES_VALIDATE, 0.25),
    Guard("validate", "132 slices", KUBECTL_VALIDATE, 1.5),
    Guard("load", "YAML", "PyYAML", 0.4),
    Guard("cel", "evaluate", f"{CELPY}, compiled", 1 / 30),
    Guard("cel", "evaluate", GO_CODE, 1 / 3),
    Guard("cel", "compile", GO_CODE, 1.0),
    Guard("allocate", "cluster", GO_CODE, 1.0),
    Guard("simulate", "alike", "half the nodes", 2.6),
)
