"""``kubectl dra record``: what happens in a cluster, as JSON lines."""

from __future__ import annotations

import os
import signal
from types import FrameType

from dractl.cli.live.cluster import access_of
from dractl.cli.live.options import RecordOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice
from dractl.live.kubectl import Kubectl, KubectlError
from dractl.live.reading import ClusterState, read_cluster
from dractl.live.recording import RECORDING, Recorder
from dractl.report.text import counted

__all__ = ["record"]

_MOST_OF_HEAD = 1000


def record(options: RecordOptions) -> int:
    """Append to a recording until Ctrl-C, and answer the exit code. Raises UsageError."""
    if not options.file:
        raise UsageError("FILE", "expected a file name (unset shell variable?)")
    if options.seconds is not None and options.seconds < 1:
        raise UsageError("--for", "expected 1 or more seconds")
    _check(options.file)
    access = access_of(options)
    said = False

    def read() -> ClusterState:
        nonlocal said
        kubectl = Kubectl(access)  # each reading has a limit of its own
        state = read_cluster(kubectl, kubectl.namespace())
        for note in () if said else state.notes:
            notice(note)
        if not options.quiet and not said:
            notice(f"recording Kubernetes {state.release.version} to {options.file}; Ctrl-C ends it")
        said = True
        return state

    signal.signal(signal.SIGTERM, _interrupt)
    recorder: Recorder | None = None
    try:
        # the text of each batch is complete, whenever the recording ends
        with open(options.file, "a", encoding="utf-8") as file:  # noqa: PTH123 - pathlib is slow to load

            def sink(text: str) -> None:
                file.write(text)
                file.flush()

            recorder = Recorder(Kubectl(access), read, sink)
            recorder.run(options.seconds)
    except KeyboardInterrupt:
        pass
    except KubectlError as error:
        raise UsageError("kubectl", str(error)) from None
    except OSError as error:
        notice(f"{options.file}: {error.strerror or error}")
        return 2
    if not options.quiet and recorder is not None:
        notice(f"recorded {counted(recorder.events, 'line')} to {options.file}")
    return 0


def _check(path: str) -> None:
    """Raise UsageError for an existing file that is not a recording, which appending would damage."""
    try:
        if not os.path.getsize(path):  # noqa: PTH202
            return
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(_MOST_OF_HEAD)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError("FILE", f"{path}: {error.strerror or error}") from None
    if RECORDING.encode() not in head:
        raise UsageError("FILE", f"{path} exists and is not a recording; name another file")


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
