"""The part of an example driver that publishes what it discovered on a node."""

from typing import NamedTuple

DRIVER = "gpu.example.com"


class Gpu(NamedTuple):
    uuid: str
    model: str
    memory: int
    numa: int


def slices_of(node: str, gpus: list[Gpu], generation: int = 1) -> list[dict]:
    devices = [
        {
            "name": f"gpu-{index}",
            "attributes": {
                "uuid": {"string": gpu.uuid},
                "model": {"string": gpu.model},
                "numa": {"int": gpu.numa},
            },
            "capacity": {"memory": {"value": f"{gpu.memory}Gi"}},
        }
        for index, gpu in enumerate(gpus)
    ]
    return [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{node}-gpu"},
            "spec": {
                "driver": DRIVER,
                "nodeName": node,
                "pool": {"name": node, "generation": generation, "resourceSliceCount": 1},
                "devices": devices,
            },
        }
    ]
