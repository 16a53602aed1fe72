"""``python -m tests.record_native FILE``: keeps what a real scheduler writes about the pods of some clusters.

Needs the control plane that ``tests.simulation.live_cluster`` tells of. FILE gets, for the minor of the
server, the message of the condition ``PodScheduled`` of each pod in ``tests.simulation.native_worlds``.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.simulation import live_cluster
from tests.simulation.native_worlds import WORLDS
from tests.simulation.older_minors import adapted_story

QUIET = 2.5
LONGEST = 20.0
_PAUSE = 0.3


def message_of(server: live_cluster.Server, namespace: str) -> str:
    """The last message about pod p, once it has stopped changing; empty if there is none."""
    start = since = time.monotonic()
    last = ""
    while time.monotonic() - start < LONGEST and (not last or time.monotonic() - since < QUIET):
        answer: dict[str, Any] = server.ask("GET", server.path("Pod", namespace, "p"))[1]
        conditions = (answer.get("status") or {}).get("conditions") or ()
        found = next(
            (entry.get("message", "") for entry in conditions if entry["type"] == "PodScheduled"), ""
        )
        if found != last:
            last, since = found, time.monotonic()
        time.sleep(_PAUSE)
    return last.replace(namespace, "default")


def main(arguments: list[str]) -> int:
    """Record and write; 2 if there is no server to ask."""
    if len(arguments) != 1 or not live_cluster.SERVER:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    path = Path(arguments[0])
    kept: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    with closing(live_cluster.connect()) as server:
        live_cluster.clear(server)
        lines = {}
        for number, (name, (objects, waiting)) in enumerate(WORLDS.items(), 1):
            namespace = f"w{number:03}"
            replay = adapted_story({"objects": objects, "steps": [{"create": waiting}]}, server.kube)
            stage = live_cluster.Stage(server, replay, namespace)
            stage.open()
            time.sleep(QUIET)
            stage.tell(0)
            lines[name] = message_of(server, namespace)
            sys.stderr.write(f"{server.kube} {name}: {lines[name]}\n")
            live_cluster.clear(server)
        kept[server.kube] = lines
    path.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
