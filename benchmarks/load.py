"""132 ResourceSlices of 128 devices read, compared with the fastest loaders of Python.

What PyYAML reads has no places and no repeated keys, and is not the API server's YAML; json has no places.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator

import yaml

from benchmarks.measuring import OURS, Figure, MeasureError, Row, compared, timed
from benchmarks.settings import Settings
from dractl.source.document import Document
from dractl.source.load import load_bytes

__all__ = ["rows", "slices"]

SLICES = 132
DEVICES = 128


def slices() -> list[str]:
    """The documents, about 5 MB in all."""
    return [_slice(number) for number in range(SLICES)]


def _slice(number: int) -> str:
    devices = "".join(_device(number, index) for index in range(DEVICES))
    return f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-{number}-gpu
spec:
  driver: gpu.example.com
  nodeName: node-{number}
  pool:
    name: node-{number}
    generation: 1
    resourceSliceCount: 1
  devices:
{devices}"""


def _device(number: int, index: int) -> str:
    return f"""\
  - name: gpu-{index}
    attributes:
      model:
        string: Example Accelerator X{index % 8}
      uuid:
        string: GPU-{number:08x}-{index:04x}-4cf5-9a3d-{index * number:012x}
      index:
        int: {index}
      driverVersion:
        version: 12.4.{index}
      healthy:
        bool: true
    capacity:
      memory:
        value: {40 + index % 2 * 40}Gi
"""


def rows(settings: Settings) -> Iterator[Row]:
    """YAML and JSON."""
    documents = slices()[: settings.scaled(SLICES)]
    text = "---\n".join(documents)
    data = text.encode()
    items = [yaml.load(part, Loader=yaml.CSafeLoader) for part in documents]
    as_json = json.dumps({"kind": "List", "items": items}).encode()

    def reading(read: Callable[[], int]) -> Callable[[], Figure]:
        def run() -> None:
            if read() != len(documents):
                raise MeasureError("not all documents were read")

        def measured() -> Figure:
            gc.collect()
            return timed(run)

        return measured

    yield compared(
        f"YAML, {len(data) / 1_000_000:.1f} MB",
        {
            OURS: reading(
                lambda: sum(isinstance(part, Document) for part in load_bytes(data, "slices.yaml"))
            ),
            "PyYAML": reading(lambda: len(list(yaml.load_all(text, Loader=yaml.CSafeLoader)))),
        },
        settings.runs,
    )
    yield compared(
        f"JSON, {len(as_json) / 1_000_000:.1f} MB",
        {
            OURS: reading(lambda: len(load_bytes(as_json, "slices.json"))),
            "json.loads": reading(lambda: len(json.loads(as_json)["items"])),
        },
        settings.runs,
    )
