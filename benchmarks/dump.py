"""What a dump costs: CPU time and memory of ``dractl simulate`` on 200 nodes as kubectl prints them.

    python benchmarks/dump.py [--nodes N] [--keep FILE]

The dump is one ``List`` with everything that a real one has and a simulation has no use for: uids, statuses,
conditions, images, managedFields. Each node has a pool of GPUs and one of NICs, and pods with and without
claims that run there; some more pods wait. The exit code is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

SECONDS = 3.0
MEBIBYTES = 250
RUNNING = 8
"""Pods on each node; half of them have a claim."""
WAITING = 40
IMAGES = 20

NODE_CONDITIONS = ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")
POD_CONDITIONS = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")

Object = dict[str, Any]
CREATED = "2026-03-01T08:00:00Z"


class Dump:
    """Makes the objects of a cluster; equal sizes make equal ones."""

    def __init__(self, nodes: int) -> None:
        """Get ready for ``nodes`` nodes."""
        self._random = random.Random(nodes)  # noqa: S311 - no secrets
        self._nodes = [f"node-{number:04}" for number in range(nodes)]
        self._version = 1000

    def items(self) -> Iterator[Object]:
        """The objects, kind by kind as kubectl lists them."""
        yield from map(self._node, self._nodes)
        for node in self._nodes:
            for number in range(RUNNING):
                yield self._pod(f"train-{node}-{number}", node, has_claim=number < RUNNING // 2)
        for number in range(WAITING):
            yield self._pod(f"waiting-{number}", None, has_claim=True)
        for node in self._nodes:
            yield self._slice(node, "gpu", 8)
            yield self._slice(node, "nic", 4)
        yield self._class("gpu")
        yield self._class("nic")
        for node in self._nodes:
            for number in range(RUNNING // 2):
                yield self._claim(f"train-{node}-{number}", node, number)
        template = {"metadata": {"name": "gpu", "namespace": "ml"}, "spec": {"spec": self._request()}}
        yield self._made("resource.k8s.io/v1", "ResourceClaimTemplate", template)

    def _made(self, api_version: str, kind: str, item: Object) -> Object:
        """The object with what a server adds."""
        metadata = {
            "creationTimestamp": CREATED,
            "managedFields": [
                {
                    "apiVersion": api_version,
                    "fieldsType": "FieldsV1",
                    "fieldsV1": _fields({key: value for key, value in item.items() if key in parts}),
                    "manager": manager,
                    "operation": "Update",
                    "time": CREATED,
                }
                for manager, parts in (("kube-controller", ("metadata", "spec")), ("kubelet", ("status",)))
            ],
            **item["metadata"],
            "resourceVersion": str(self._version),
            "uid": self._uid(f"{kind}/{item['metadata']['name']}"),
        }
        self._version += 1
        return {"apiVersion": api_version, "kind": kind, **item, "metadata": metadata}

    @staticmethod
    def _uid(name: str) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, name))

    def _node(self, name: str) -> Object:
        labels = {
            "beta.kubernetes.io/arch": "amd64",
            "kubernetes.io/hostname": name,
            "kubernetes.io/os": "linux",
            "node.kubernetes.io/instance-type": "gpu-8x",
            "topology.kubernetes.io/zone": f"zone-{self._random.randint(1, 3)}",
        }
        room = {"cpu": "192", "memory": "2113461520Ki", "pods": "110", "ephemeral-storage": "917431160Ki"}
        images = [
            {
                "names": [f"registry.example.com/team/app-{number}@sha256:{number:064x}", f"app-{number}:v1"],
                "sizeBytes": 1_000_000 + number,
            }
            for number in range(IMAGES)
        ]
        status = {
            "addresses": [{"address": name, "type": "Hostname"}],
            "allocatable": room,
            "capacity": dict(room),
            "conditions": [_condition(kind, "lastHeartbeatTime") for kind in NODE_CONDITIONS],
            "images": images,
            "nodeInfo": {
                "architecture": "amd64",
                "kubeletVersion": "v1.37.2",
                "machineID": f"{hash(name):x}",
            },
        }
        return self._made(
            "v1", "Node", {"metadata": {"labels": labels, "name": name}, "spec": {}, "status": status}
        )

    def _pod(self, name: str, node: str | None, *, has_claim: bool) -> Object:
        container: Object = {
            "env": [{"name": f"SETTING_{number}", "value": str(number)} for number in range(6)],
            "image": "registry.example.com/team/train:v1",
            "imagePullPolicy": "IfNotPresent",
            "name": "main",
            "resources": {"requests": {"cpu": "4", "memory": "16Gi"}},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
            "volumeMounts": [{"mountPath": "/var/run/secrets", "name": "token", "readOnly": True}],
        }
        spec: Object = {
            "containers": [container],
            "dnsPolicy": "ClusterFirst",
            "restartPolicy": "Always",
            "schedulerName": "default-scheduler",
            "serviceAccountName": "default",
            "tolerations": [
                {"effect": "NoExecute", "key": f"node.kubernetes.io/{key}", "operator": "Exists"}
                for key in ("not-ready", "unreachable")
            ],
            "volumes": [{"name": "token", "emptyDir": {}}],
        }
        status: Object = {"phase": "Pending", "qosClass": "Burstable"}
        if has_claim:
            container["resources"]["claims"] = [{"name": "gpu"}]
            spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]
        if node is not None:
            spec["nodeName"] = node
            status = {
                "conditions": [_condition(kind, "lastProbeTime") for kind in POD_CONDITIONS],
                "containerStatuses": [self._container_status(container)],
                "hostIP": "10.0.0.1",
                "phase": "Running",
                "startTime": CREATED,
            }
            if has_claim:
                entry = {"name": "gpu", "resourceClaimName": f"{name}-gpu-x"}
                status["resourceClaimStatuses"] = [entry]
        metadata = {"labels": {"app": "train"}, "name": name, "namespace": "ml"}
        return self._made("v1", "Pod", {"metadata": metadata, "spec": spec, "status": status})

    @staticmethod
    def _container_status(container: Object) -> Object:
        return {
            "containerID": "containerd://0123456789abcdef",
            "image": container["image"],
            "imageID": container["image"],
            "lastState": {},
            "name": container["name"],
            "ready": True,
            "restartCount": 0,
            "started": True,
            "state": {"running": {"startedAt": CREATED}},
        }

    def _slice(self, node: str, kind: str, size: int) -> Object:
        spec = {
            "devices": [self._device(node, kind, number) for number in range(size)],
            "driver": f"{kind}.example.com",
            "nodeName": node,
            "pool": {"generation": 1, "name": node, "resourceSliceCount": 1},
        }
        return self._made(
            "resource.k8s.io/v1", "ResourceSlice", {"metadata": {"name": f"{node}-{kind}"}, "spec": spec}
        )

    def _device(self, node: str, kind: str, number: int) -> Object:
        return {
            "attributes": {
                "driverVersion": {"version": "570.86.15"},
                "index": {"int": number},
                "model": {"string": "Example Accelerator X1"},
                "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{number // 2:02}"},
                "uuid": {"string": self._uid(f"{node}/{kind}/{number}")},
            },
            "capacity": {"memory": {"value": "81559Mi"}},
            "name": f"{kind}-{number}",
        }

    def _class(self, kind: str) -> Object:
        expression = f'device.driver == "{kind}.example.com"'
        spec = {"selectors": [{"cel": {"expression": expression}}]}
        return self._made("resource.k8s.io/v1", "DeviceClass", {"metadata": {"name": kind}, "spec": spec})

    @staticmethod
    def _request() -> Object:
        exactly = {"allocationMode": "ExactCount", "count": 1, "deviceClassName": "gpu"}
        return {"devices": {"requests": [{"exactly": exactly, "name": "gpu"}]}}

    def _claim(self, pod: str, node: str, number: int) -> Object:
        owner = {
            "apiVersion": "v1",
            "blockOwnerDeletion": True,
            "controller": True,
            "kind": "Pod",
            "name": pod,
            "uid": self._uid(f"Pod/{pod}"),
        }
        metadata = {
            "annotations": {"resource.kubernetes.io/pod-claim-name": "gpu"},
            "finalizers": ["resource.kubernetes.io/delete-protection"],
            "generateName": f"{pod}-gpu-",
            "name": f"{pod}-gpu-x",
            "namespace": "ml",
            "ownerReferences": [owner],
        }
        field = {"key": "metadata.name", "operator": "In", "values": [node]}
        result = {"device": f"gpu-{number}", "driver": "gpu.example.com", "pool": node, "request": "gpu"}
        status = {
            "allocation": {
                "allocationTimestamp": CREATED,
                "devices": {"results": [result]},
                "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [field]}]},
            },
            "reservedFor": [{"name": pod, "resource": "pods", "uid": owner["uid"]}],
        }
        return self._made(
            "resource.k8s.io/v1",
            "ResourceClaim",
            {"metadata": metadata, "spec": self._request(), "status": status},
        )


def _condition(kind: str, seen: str) -> Object:
    return {
        seen: CREATED,
        "lastTransitionTime": CREATED,
        "message": f"the kubelet says so about {kind}",
        "reason": f"Kubelet{kind}",
        "status": "False" if kind.endswith("Pressure") else "True",
        "type": kind,
    }


def _fields(value: Any) -> Object:
    """The field set of a value, as managedFields has it; lists are atomic unless their items have names."""
    found: Object = {}
    if isinstance(value, dict):
        for key, inner in value.items():
            found[f"f:{key}"] = _fields(inner)
    elif isinstance(value, list) and value and isinstance(value[0], dict) and "name" in value[0]:
        for inner in value:
            found[f'k:{{"name":"{inner["name"]}"}}'] = {".": {}, **_fields(inner)}
    return found


def write(nodes: int, path: Path) -> None:
    """The dump of a cluster as ``kubectl get -o yaml`` prints it."""
    document = {"apiVersion": "v1", "items": list(Dump(nodes).items()), "kind": "List"}
    with path.open("w", encoding="utf-8") as file:
        yaml.dump(document, file, Dumper=_Dumper, sort_keys=False)


class _Dumper(yaml.CSafeDumper):
    """Writes equal parts out, as kubectl does."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - no part is named
        return True


def main() -> int:
    """Write a dump, simulate it, and print what that cost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the dump there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "dump.yaml"
        write(options.nodes, path)
        command = [sys.executable, "-m", "dractl", "simulate", "--quiet", str(path)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        size = path.stat().st_size / 1_000_000
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{size:.1f} MB of YAML, exit code {done.returncode}")
    print(f"{seconds:5.1f} s of CPU (target {SECONDS})")
    print(f"{memory:5.0f} MiB (target {MEBIBYTES})")
    return 0 if seconds <= SECONDS and memory <= MEBIBYTES else 1


if __name__ == "__main__":
    sys.exit(main())
