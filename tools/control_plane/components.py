"""The processes of a control plane: in which order they start, and with which options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

CONTROLLERS = ("resourceclaim-controller", "device-taint-eviction-controller", "garbage-collector-controller")
DISABLED_ADMISSION = ("ServiceAccount", "TaintNodesByCondition")
"""Plugins that need service accounts, or that would keep pods from nodes without a kubelet."""

_DRA_VERSIONS = ("v1beta1", "v1beta2", "v1alpha3")
_SCHEDULING_VERSIONS: Mapping[str, Sequence[str]] = {
    "1.36": ("v1alpha2",),
    "1.37": ("v1beta1", "v1alpha3"),
    "1.38": ("v1beta1", "v1alpha3"),
}


def runtime_config(minor: str) -> str:
    """What is served beside the default versions: all of resource.k8s.io, and those with PodGroups."""
    served = [
        *(f"resource.k8s.io/{version}=true" for version in _DRA_VERSIONS),
        *(f"scheduling.k8s.io/{version}=true" for version in _SCHEDULING_VERSIONS.get(minor, ())),
    ]
    return ",".join(served)


_SCHEDULER = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "leaderElection": {"leaderElect": False},
    "clientConnection": {"kubeconfig": "kubeconfig"},
    # Tests wait until the scheduler rests: its back-off is as short as it can be.
    "podInitialBackoffSeconds": 1,
    "podMaxBackoffSeconds": 1,
}


class Settings(NamedTuple):
    """Where a control plane finds its programs, keeps its files and listens."""

    programs: Path
    state: Path
    minor: str
    port: int
    etcd_port: int
    etcd_peer_port: int
    token: str
    etcd: str = "etcd"
    gates: str = ""

    @property
    def server(self) -> str:
        """The address of the API server."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def kubeconfig(self) -> Path:
        """The file that gives kubectl, the scheduler and the controllers access."""
        return self.state / "kubeconfig"

    def files(self) -> dict[str, str]:
        """The files that the processes read, by name."""
        access = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": self.server, "insecure-skip-tls-verify": True}}],
            "users": [{"name": "a", "user": {"token": self.token}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "a"}}],
            "current-context": "c",
        }
        return {
            "tokens.csv": f'{self.token},admin,1,"system:masters"\n',
            "kubeconfig": json.dumps(access),
            "scheduler.json": json.dumps(_SCHEDULER),
        }


class Component(NamedTuple):
    """One process: its name, its command line, and what becomes of the control plane when it ends."""

    name: str
    command: Callable[[Settings], list[str]]
    restarts: bool = False
    """It is started again when it ends: the scheduler of some minors crashes on some inputs."""


def _etcd(settings: Settings) -> list[str]:
    client = f"http://127.0.0.1:{settings.etcd_port}"
    peer = f"http://127.0.0.1:{settings.etcd_peer_port}"
    return [
        settings.etcd,
        "--data-dir=etcd",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        "--unsafe-no-fsync",
    ]


def _api_server(settings: Settings) -> list[str]:
    return [
        str(settings.programs / "kube-apiserver"),
        f"--etcd-servers=http://127.0.0.1:{settings.etcd_port}",
        "--bind-address=127.0.0.1",
        f"--secure-port={settings.port}",
        "--cert-dir=certs",
        "--service-account-key-file=accounts.key",
        "--service-account-signing-key-file=accounts.key",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--token-auth-file=tokens.csv",
        "--authorization-mode=AlwaysAllow",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--allow-privileged=true",
        f"--disable-admission-plugins={','.join(DISABLED_ADMISSION)}",
        f"--runtime-config={runtime_config(settings.minor)}",
        *_gates(settings),
    ]


def _scheduler(settings: Settings) -> list[str]:
    program = str(settings.programs / "kube-scheduler")
    return [program, "--config=scheduler.json", "--secure-port=0", *_gates(settings)]


def _controllers(settings: Settings) -> list[str]:
    return [
        str(settings.programs / "kube-controller-manager"),
        "--kubeconfig=kubeconfig",
        "--leader-elect=false",
        "--secure-port=0",
        f"--controllers={','.join(CONTROLLERS)}",
        *_gates(settings),
    ]


def _gates(settings: Settings) -> list[str]:
    return [f"--feature-gates={settings.gates}"] if settings.gates else []


STORAGE = (Component("etcd", _etcd), Component("kube-apiserver", _api_server))
"""What has to be ready before the rest starts."""

CLIENTS = (
    Component("kube-scheduler", _scheduler, restarts=True),
    Component("kube-controller-manager", _controllers),
)
