"""Read the cluster for a command, say what was read, and show the result, once or again and again."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from time import sleep
from typing import TYPE_CHECKING, Protocol

from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, style_for, write
from dractl.live.kinds import OWNERS
from dractl.live.kubectl import Access, Kubectl, KubectlError
from dractl.live.reading import ClusterState, read_cluster
from dractl.records import NamedTuple
from dractl.report.progress import Bar
from dractl.report.style import Style
from dractl.report.text import counted
from dractl.source.document import Document
from dractl.workflows.subjects import kind_called

if TYPE_CHECKING:
    from dractl.live.owners import Named

__all__ = ["Live", "ReadsCluster", "Shown", "access_of", "full_name", "read_live", "show", "watch"]

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"


class ReadsCluster(Protocol):
    """The options that every command about a cluster has."""

    @property
    def namespace(self) -> str | None:
        """The namespace to look in."""

    @property
    def context(self) -> str | None:
        """The context of kubectl."""

    @property
    def kubeconfig(self) -> str | None:
        """The configuration of kubectl."""

    @property
    def quiet(self) -> bool:
        """Whether to say only what matters."""


class Live(NamedTuple):
    """A cluster that was read, and the namespace to look in."""

    state: ClusterState
    namespace: str

    @property
    def loaded(self) -> list[Document]:
        """The objects as documents."""
        return [
            Document(item, file="cluster", index=number) for number, item in enumerate(self.state.objects)
        ]


class Shown(NamedTuple):
    """What a command writes, and whether the exit code is 1."""

    text: str
    failed: bool = False


def access_of(options: ReadsCluster) -> Access:
    """Which cluster the options name; raises UsageError for an empty name."""
    for name in ("namespace", "context", "kubeconfig"):
        if getattr(options, name) == "":
            raise UsageError(f"--{name}", "expected a name (unset shell variable?)")
    return Access(options.context, options.kubeconfig, options.namespace)


def read_live(options: ReadsCluster, workload: str = "") -> Live:
    """Read the cluster, and say on standard error what was read.

    Of workloads only the one that ``workload`` names is read, as ``KIND/[NAMESPACE/]NAME``; other names are
    ignored. Raises UsageError if the reading fails.
    """
    access = access_of(options)
    try:
        kubectl = Kubectl(access)
        with Bar(quiet=options.quiet) as bar:
            bar.stage("Reading the cluster")
            namespace = kubectl.namespace()
            state = read_cluster(kubectl, namespace)
            named = _workload(workload, namespace)
            if named is not None:
                from dractl.live.owners import read_owner  # few questions are about workloads

                state = state._replace(objects=(*state.objects, *read_owner(kubectl, named)))
    except KubectlError as error:
        raise UsageError("kubectl", str(error)) from None
    for note in state.notes:
        notice(note)
    if not options.quiet:
        gates = "; feature gates as in /metrics" if state.release.has_real_gates else ""
        notice(f"read {counted(len(state.objects), 'object')} of Kubernetes {state.release.version}{gates}")
    return Live(state, namespace)


def show(options: ReadsCluster, result: Callable[[Live, Style], Shown], workload: str = "") -> int:
    """Read the cluster, write the result, and answer the exit code."""
    live = read_live(options, workload)
    gc.freeze()  # the objects stay as long as the run
    shown = result(live, style_for(None))
    return int(shown.failed) if write(shown.text, None) else 2


def watch(
    options: ReadsCluster, interval: int, result: Callable[[Live, Style], Shown], workload: str = ""
) -> int:
    """Write the result again after each ``interval`` of seconds, on a terminal in the same place.

    Ends with Ctrl-C. A reading that fails is reported, and tried again, unless it is the first one.
    """
    if interval < 1:
        raise UsageError("--interval", "expected 1 or more seconds")
    last = 0
    is_first = True
    try:
        while True:
            try:
                shown = result(read_live(options, workload), style_for(None))
            except UsageError as error:
                if is_first:
                    raise
                notice(str(error))
            else:
                last = int(shown.failed)
                head = _CLEAR if sys.stdout.isatty() else "" if is_first else "\n"
                sys.stdout.write(head)
                if not write(shown.text, None):
                    return 2
            is_first = False
            sleep(interval)
    except KeyboardInterrupt:
        return last


def full_name(name: str, namespace: str) -> str:
    """``[KIND/]NAMESPACE/NAME`` of a name that may lack its namespace; the kind as in manifests."""
    parts: Sequence[str] = name.split("/")
    if len(parts) == 1:
        return f"{namespace}/{name}"
    kind = kind_called(parts[0])
    if kind is None or len(parts) > 3:
        return name
    return "/".join((kind, *(parts[1:] if len(parts) == 3 else (namespace, parts[1]))))


def _workload(name: str, namespace: str) -> Named | None:
    """The workload that a name with a kind means; None for any other name."""
    parts = full_name(name, namespace).split("/")
    if len(parts) == 3 and parts[0] in OWNERS and all(parts):
        from dractl.live.owners import Named  # few questions are about workloads

        return Named(*parts)
    return None
