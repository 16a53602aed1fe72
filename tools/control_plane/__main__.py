"""Build and run control planes without nodes: ``python -m tools.control_plane COMMAND``; see README.md."""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.paths import ROOT
from tools.control_plane.build import build
from tools.control_plane.components import Settings
from tools.control_plane.running import ControlPlane, StartError
from tools.kubernetes.releases import RELEASES, UnknownReleaseError, find
from tools.kubernetes.toolchain import BuildError

FOLDER = ROOT / "build" / "control-plane"


def main(arguments: Sequence[str]) -> int:
    """Build programs, or run a command beside a control plane and return its exit code; 1 if either fails."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        release = find(options.minor)
        if options.command == "build":
            print(build(release, options.into, go=options.go))
            return 0
        return _run(options, release.minor)
    except UnknownReleaseError as error:
        parser.error(str(error))
    except (BuildError, StartError) as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.control_plane", description="Build and run control planes without nodes."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    building = commands.add_parser("build", help="build kube-apiserver, kube-scheduler and controllers")
    building.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER")
    building.add_argument("--go", default="go", metavar="PROGRAM", help="another Go toolchain")
    running = commands.add_parser("run", help="start a control plane, run a command, stop the control plane")
    running.add_argument("--from", dest="folder", type=Path, default=FOLDER, metavar="FOLDER")
    running.add_argument("--etcd", default="etcd", metavar="PROGRAM")
    running.add_argument(
        "--gates", default="", metavar="A=true,B=false", help="feature gates of all processes"
    )
    running.add_argument("--state", type=Path, metavar="FOLDER", help="keep logs and data here")
    for command in (building, running):
        newest = list(RELEASES)[-1]
        command.add_argument("minor", metavar="MINOR", help=f"such as {newest}")
    running.add_argument("run", nargs="+", metavar="COMMAND", help="what to run, after --")
    return parser


def _run(options: argparse.Namespace, minor: str) -> int:
    with tempfile.TemporaryDirectory(prefix="control-plane-") as scratch:
        port, etcd_port, etcd_peer_port = _free_ports(3)
        settings = Settings(
            programs=options.folder.resolve() / minor,
            state=(options.state or Path(scratch)).resolve(),
            minor=minor,
            port=port,
            etcd_port=etcd_port,
            etcd_peer_port=etcd_peer_port,
            token=secrets.token_hex(),
            etcd=options.etcd,
            gates=options.gates,
        )
        environment = os.environ | {
            "DRACTL_API_SERVER": settings.server,
            "DRACTL_API_TOKEN": settings.token,
            "KUBECONFIG": str(settings.kubeconfig),
        }
        with ControlPlane(settings) as started:
            code = subprocess.run(options.run, env=environment, check=False).returncode
        if started.restarts:
            times = f"{started.restarts} time{'s' if started.restarts > 1 else ''}"
            print(f"the scheduler crashed {times}: outcomes at these times are not verdicts", file=sys.stderr)
        return code


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
