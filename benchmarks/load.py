"""What reading costs: CPU time of 132 ResourceSlices of 128 devices, beside PyYAML's fastest loader.

    python benchmarks/load.py [--runs N]

Both read the same text in turn, so that a busy machine slows both; medians and the median of the paired
ratios are printed. What PyYAML reads has no places and no repeated keys, and is not the API server's YAML.
The exit code is 1 if the ratio is above the target.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable

import yaml

from dractl.source.document import Document
from dractl.source.load import load_bytes

TARGET = 0.4
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


def timed(read: Callable[[], int]) -> float:
    """CPU milliseconds of one run that must read all documents."""
    gc.collect()
    start = time.process_time()
    count = read()
    spent = (time.process_time() - start) * 1000
    if count != SLICES:
        raise RuntimeError(f"read {count} documents of {SLICES}")
    return spent


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    documents = slices()
    text = "---\n".join(documents)
    data = text.encode()
    as_json = json.dumps(
        {"kind": "List", "items": [yaml.load(part, Loader=yaml.CSafeLoader) for part in documents]}
    ).encode()
    readers: dict[str, Callable[[], int]] = {
        "dractl": lambda: sum(isinstance(part, Document) for part in load_bytes(data, "slices.yaml")),
        "PyYAML": lambda: len(list(yaml.load_all(text, Loader=yaml.CSafeLoader))),
        "dractl, JSON": lambda: len(load_bytes(as_json, "slices.json")),
    }
    times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(runs):
        for name, read in readers.items():
            times[name].append(timed(read))
    for name, spent in times.items():
        size = len(as_json if "JSON" in name else data) / 1_000_000
        median = statistics.median(spent)
        print(f"{name:14} {median:7.0f} ms {size / median * 1000:6.1f} MB/s")
    ratio = statistics.median(
        ours / peer for ours, peer in zip(times["dractl"], times["PyYAML"], strict=True)
    )
    print(f"ratio {ratio:.2f}, target {TARGET}")
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
