"""Selectors evaluated for each of 10,000 devices, and 100 distinct ones parsed, checked and estimated.

cel-python, with both its runners, gets only what it understands, and fewer devices, whose conversion is not
counted; of the real code the time of decoding the devices is taken off.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import OURS, Figure, MeasureError, Row, row_of
from benchmarks.peers import CELPY, GO_CODE
from benchmarks.settings import Settings
from dractl.api import gates, release
from dractl.cel.compile import DeviceValue, Environment, Selector, compile_selector, device_value

DOMAIN = "gpu.example.com"
ATTRIBUTES = f'device.attributes["{DOMAIN}"]'
CAPACITY = f'device.capacity["{DOMAIN}"]'
CELPY_SHARE = 20
"""cel-python evaluates for one of so many devices; it is slow enough to be measured with few."""


class Measured(NamedTuple):
    """A selector, and whether cel-python understands it."""

    text: str
    plain: bool = True


SELECTORS = (
    Measured(f'{ATTRIBUTES}.model == "A100"'),
    Measured(f'{ATTRIBUTES}.model == "A100" && {ATTRIBUTES}.index > 5'),
    Measured(f'{ATTRIBUTES}.model.matches("^A[0-9]+$")'),
    Measured(f'{ATTRIBUTES}.model in ["A100", "H100", "L40S"]'),
    Measured(f'has({ATTRIBUTES}.profile) && {ATTRIBUTES}.profile.startsWith("mig-")'),
    Measured(f'device.driver == "{DOMAIN}" && !{ATTRIBUTES}.shared'),
    Measured(f'{ATTRIBUTES}.model.endsWith("00") ? {ATTRIBUTES}.index < 5000 : {ATTRIBUTES}.index % 2 == 0'),
    Measured(f'["A1", "H1"].exists(m, {ATTRIBUTES}.model.startsWith(m))'),
    Measured(f'{CAPACITY}.memory.compareTo(quantity("40Gi")) >= 0', plain=False),
    Measured(f'{ATTRIBUTES}.version.isGreaterThan(semver("1.2.3"))', plain=False),
)
SHAPES = (
    f'{ATTRIBUTES}.model == "A%d" && {ATTRIBUTES}.index >= 2',
    f'{CAPACITY}.memory.compareTo(quantity("%dGi")) >= 0',
    f'"{DOMAIN}" in device.attributes && {ATTRIBUTES}.?x%d.orValue("a").startsWith("b")',
    f'{ATTRIBUTES}.version.isGreaterThan(semver("1.%d.0"))',
)
DISTINCT = tuple(SHAPES[number % len(SHAPES)] % number for number in range(100))


def device(number: int) -> dict[str, Any]:
    """One of the devices, as a ResourceSlice has it."""
    return {
        "driver": DOMAIN,
        "attributes": {
            "model": {"string": "A100" if number % 3 else "H100"},
            "index": {"int": number},
            "profile": {"string": f"mig-{number % 7}g"},
            "shared": {"bool": number % 2 == 0},
            "version": {"version": f"1.2.{number % 50}"},
        },
        "capacity": {"memory": {"value": f"{number % 80}Gi"}},
    }


def _environment() -> Environment:
    return Environment(release.NEWEST, gates.resolve(release.NEWEST), stored=False)


def evaluating(text: str, devices: list[DeviceValue]) -> float:
    """The CPU seconds of one evaluation by dractl."""
    selector = compile_selector(text, _environment())
    if not isinstance(selector, Selector):
        raise MeasureError(selector.message)
    evaluate = selector.evaluate
    start = time.process_time()
    for value in devices:
        evaluate(value)
    return (time.process_time() - start) / len(devices)


def compiling() -> float:
    """The CPU time of parsing, checking and estimating all distinct selectors, in seconds."""
    compile_selector.cache_clear()
    environment = _environment()
    start = time.process_time()
    for text in DISTINCT:
        compile_selector(text, environment)
    return time.process_time() - start


def celpy_times(runner: str, count: int) -> list[float | None]:
    """The CPU times of one evaluation by cel-python for each selector, in seconds.

    They come from a process of its own, since the first environment decides for all which runner works.
    """
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.cel", runner, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    times: list[float | None] = json.loads(done.stdout.splitlines()[-1])
    return times


def _print_celpy_times(runner: str, count: int) -> None:
    import celpy  # only the process that measures it loads it
    import celpy.adapter  # only the process that measures it loads it

    runners = {"compiled": celpy.CompiledRunner, "interpreted": celpy.InterpretedRunner}
    environment = celpy.Environment(runner_class=runners[runner])
    activations = [{"device": celpy.adapter.json_to_cel(_plain(number))} for number in range(count)]
    times: list[float | None] = []
    for selector in SELECTORS:
        if not selector.plain:
            times.append(None)
            continue
        program = environment.program(environment.compile(selector.text))
        start = time.process_time()
        for activation in activations:
            program.evaluate(activation)
        times.append((time.process_time() - start) / count)
    print(json.dumps(times))


def _plain(number: int) -> dict[str, Any]:
    """A device as plain data, as cel-python takes it."""
    made = device(number)
    values = {name: next(iter(value.values())) for name, value in made["attributes"].items()}
    return {"driver": DOMAIN, "attributes": {DOMAIN: values}}


class Real:
    """The program with the real code, asked for figures."""

    def __init__(self, program: Path, count: int) -> None:
        self._program = program
        self._count = count
        self._devices = [device(number) for number in range(count)]
        # A capacity that is none is found after decoding, and nothing is evaluated.
        self._broken = [made | {"capacity": {"memory": {"value": "none"}}} for made in self._devices]

    def evaluating(self, text: str) -> float:
        """The CPU seconds of one evaluation."""
        spent = self._cpu_time([_asked(text, self._devices)]) - self._cpu_time([_asked(text, self._broken)])
        return max(spent, 0.0) / self._count

    def compiling(self) -> float:
        """The CPU time of parsing, checking and estimating all distinct selectors, in seconds."""
        times = 10
        spent = self._cpu_time([_asked(text, []) for text in DISTINCT] * times)
        return (spent - self._cpu_time([{"op": "yaml", "text": "a: 1"}] * 100 * times)) / times

    def _cpu_time(self, requests: list[dict[str, Any]]) -> float:
        text = "".join(json.dumps(request) + "\n" for request in requests)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self._program], input=text, stdout=subprocess.DEVNULL, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _asked(text: str, devices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"op": "cel", "expression": text, "devices": devices, "env": "new"}


def _round(devices: list[DeviceValue], real: Real | None, *, celpy: bool) -> list[dict[str, Figure]]:
    """One figure for each program: of each selector, then of compiling."""
    few = max(len(devices) // CELPY_SHARE, 1)
    by_runner = {runner: celpy_times(runner, few) for runner in ("compiled", "interpreted") if celpy}
    found = []
    for number, selector in enumerate(SELECTORS):
        figures = {OURS: Figure(evaluating(selector.text, devices))}
        for runner, times in by_runner.items():
            if (spent := times[number]) is not None:
                figures[f"{CELPY}, {runner}"] = Figure(spent)
        if real is not None:
            figures[GO_CODE] = Figure(real.evaluating(selector.text))
        found.append(figures)
    compiled = {OURS: Figure(compiling())}
    if real is not None:
        compiled[GO_CODE] = Figure(real.compiling())
    return [*found, compiled]


def rows(settings: Settings) -> Iterator[Row]:
    """Each selector for one device, and all distinct ones compiled."""
    count = settings.scaled(10_000)
    made = [device_value(DOMAIN, device(number)) for number in range(count)]
    devices = [value for value in made if isinstance(value, DeviceValue)]
    # The devices are the benchmark's own: to search them for garbage is not the price of compiling.
    gc.collect()
    gc.freeze()
    compiling()
    program = settings.peers.go_code()
    real = None if program is None else Real(program, count)
    celpy = settings.peers.has_celpy()
    rounds = [_round(devices, real, celpy=celpy) for _ in range(settings.runs)]
    names = [*(f"evaluate `{selector.text}`" for selector in SELECTORS), f"compile {len(DISTINCT)} selectors"]
    for name, figures in zip(names, zip(*rounds, strict=True), strict=True):
        yield row_of(name, figures)


if __name__ == "__main__":
    _print_celpy_times(sys.argv[1], int(sys.argv[2]))
