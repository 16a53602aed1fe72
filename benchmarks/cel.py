"""How long CEL takes, in CPU time: ``python -m benchmarks.cel``."""

from __future__ import annotations

import subprocess
import sys
import time

from dractl.api import gates, release
from dractl.cel.compile import DeviceValue, Environment, Selector, compile_selector, device_value

DOMAIN = "gpu.example.com"
DEVICES = 10_000
SELECTORS = (
    f'device.capacity["{DOMAIN}"].memory.compareTo(quantity("40Gi")) >= 0',
    f'device.attributes["{DOMAIN}"].model == "A100" && device.attributes["{DOMAIN}"].index > 5',
    f'device.attributes["{DOMAIN}"].model.matches("^A[0-9]+$")',
    f'device.attributes["{DOMAIN}"].version.isGreaterThan(semver("1.2.3"))',
    f'device.attributes["{DOMAIN}"].?missing.orValue(1) == 1',
)
SHAPES = (
    f'device.attributes["{DOMAIN}"].model == "A%d" && device.attributes["{DOMAIN}"].index >= 2',
    f'device.capacity["{DOMAIN}"].memory.compareTo(quantity("%dGi")) >= 0',
    f'"{DOMAIN}" in device.attributes && device.attributes["{DOMAIN}"].?x%d.orValue("a").startsWith("b")',
    f'device.attributes["{DOMAIN}"].version.isGreaterThan(semver("1.%d.0"))',
)


def _import_time() -> float:
    """CPU milliseconds that importing the door takes in a fresh process, beyond common modules."""
    program = (
        "import json, re, typing, functools, importlib.resources, time\n"
        "start = time.process_time()\n"
        "import dractl.cel.compile\n"
        "print((time.process_time() - start) * 1000)"
    )
    runs = [
        float(
            subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        )
        for _ in range(5)
    ]
    return min(runs)


def _devices() -> list[DeviceValue]:
    made = []
    for number in range(DEVICES):
        device = {
            "attributes": {
                "model": {"string": "A100"},
                "index": {"int": number},
                "version": {"version": f"1.2.{number % 50}"},
            },
            "capacity": {"memory": {"value": f"{number % 80}Gi"}},
        }
        value = device_value(DOMAIN, device)
        if isinstance(value, DeviceValue):
            made.append(value)
    return made


def _milliseconds(start: float) -> float:
    return (time.process_time() - start) * 1000


def main() -> None:
    """Print the figures."""
    environment = Environment(release.NEWEST, gates.resolve(release.NEWEST), stored=True)
    print(f"import of the door                    {_import_time():8.1f} ms")
    start = time.process_time()
    compile_selector("true", environment)
    print(f"first selector, with all modules      {_milliseconds(start):8.1f} ms")
    start = time.process_time()
    for number in range(100):
        compile_selector(SHAPES[number % 4] % number, environment)
    print(f"100 distinct selectors compiled       {_milliseconds(start):8.1f} ms")
    start = time.process_time()
    devices = _devices()
    print(f"{DEVICES:,} devices made                   {_milliseconds(start):8.1f} ms")
    for text in SELECTORS:
        selector = compile_selector(text, environment)
        if not isinstance(selector, Selector):
            raise SystemExit(str(selector))
        start = time.process_time()
        for device in devices:
            selector.evaluate(device)
        print(f"evaluated for {DEVICES:,} devices          {_milliseconds(start):8.1f} ms   {text}")


if __name__ == "__main__":
    main()
