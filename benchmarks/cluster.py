"""Pods scheduled by a real control plane and by a simulation of the same objects.

The figure of the real one is the CPU time of kube-scheduler from the first pod until all have a node; those
of the API server, etcd and the controllers, which also work for it, are in the remark. It is measured once.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.measuring import OURS, Figure, MeasureError, Row, command, row_of
from benchmarks.peers import CONTROL_PLANE
from benchmarks.schedule import Object, Workload, from_template
from benchmarks.settings import Settings
from dractl.api import release
from tests.simulation import live_cluster

NODES, PODS = 100, 500
PATIENCE = 300
"""Seconds that the control plane has."""


def rows(settings: Settings) -> Iterator[Row]:
    """One cluster with a template and pods that are alike."""
    nodes, pods = settings.scaled(NODES), settings.scaled(PODS)
    file = settings.folder / "cluster.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(_objects(nodes, pods))}))
    simulate = [Path(sys.executable).parent / "dractl", "simulate", "--quiet", file]
    name = f"{pods} pods with one device, {nodes} nodes with ten"
    rounds = [{OURS: command(simulate)} for _ in range(settings.runs)]
    remark = ""
    if programs := settings.peers.control_plane():
        used = _on_control_plane(programs, settings.peers.etcd, file)
        scheduler = Figure(used.pop(CONTROL_PLANE))
        rounds = [{**one, CONTROL_PLANE: scheduler} for one in rounds]
        remark = "; ".join(f"{program}: {seconds:.1f} s" for program, seconds in sorted(used.items()))
    yield row_of(name, rounds, remark)


def _objects(nodes: int, pods: int) -> Iterator[Object]:
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "test"}}
    yield from from_template(Workload("cluster", nodes, 0, 0, pods, from_template))


def _on_control_plane(programs: Path, etcd: str, file: Path) -> dict[str, float]:
    """The CPU seconds of each process of a control plane that schedules the pods of a file."""
    line = [
        *(sys.executable, "-m", "tools.control_plane", "run", "--from", programs, "--etcd", etcd),
        *(str(release.NEWEST), "--", sys.executable, "-m", "benchmarks.cluster", file),
    ]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MeasureError(f"control plane: {done.stderr.strip()[-300:]}")
    used: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return used


def main(file: Path) -> None:
    """Create the objects on the server that the environment names, and print what scheduling cost."""
    items: list[Object] = json.loads(file.read_text(encoding="utf-8"))["items"]
    with closing(live_cluster.connect()) as server:
        create = partial(_create, server)
        pods = [item for item in items if item["kind"] == "Pod"]
        for item in items:
            if item["kind"] != "Pod":
                create(item)
        before = _cpu_times()
        for pod in pods:
            create(pod)
        deadline = time.monotonic() + PATIENCE
        while waiting := sum(not pod["spec"].get("nodeName") for pod in server.list("Pod")):
            if time.monotonic() > deadline:
                sys.exit(f"{waiting} pods still wait")
            time.sleep(1)
        after = _cpu_times()
    print(json.dumps({name: round(after[name] - before[name], 3) for name in after}))


def _create(server: live_cluster.Server, item: Object) -> None:
    metadata, kind = item["metadata"], item["kind"]
    path = "/api/v1/namespaces"
    if kind != "Namespace":
        path = server.path(kind, metadata.get("namespace", ""))
    status, answer = server.ask("POST", path, item)
    if status not in (200, 201):
        sys.exit(f"{kind} {metadata['name']}: {answer.get('message', status)}")
    if kind == "Node":
        patch = {"status": item["status"]}
        server.ask("PATCH", f"{path}/{metadata['name']}/status", patch)


def _cpu_times() -> dict[str, float]:
    """The CPU seconds of the processes that run beside this one, by program."""
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parts = re.fullmatch(r"\d+ \((.*)\) (.*)", (folder / "stat").read_text().strip(), re.DOTALL)
        except OSError:
            continue
        words = parts[2].split() if parts else []
        if parts and int(words[1]) == os.getppid() and int(folder.name) != os.getpid():
            found[_full_name(folder, parts[1])] = (int(words[11]) + int(words[12])) / tick
    return found


def _full_name(folder: Path, short: str) -> str:
    """The name of a program, of which the kernel keeps fifteen characters only."""
    try:
        return Path(os.readlink(folder / "exe")).name  # noqa: PTH115
    except OSError:
        return short


if __name__ == "__main__":
    main(Path(sys.argv[1]))
