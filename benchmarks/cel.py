"""What selectors cost: CPU time beside cel-python and, with ``$DRACTL_ORACLE``, the real evaluator.

    python benchmarks/cel.py [--devices N] [--runs N]

Ten selectors are evaluated for each of 10,000 devices, and 100 distinct ones are parsed, checked and
estimated. All take turns, so that a busy machine slows all; the medians of the paired ratios are printed.
cel-python, with both its runners, is asked only what it understands, and for fewer devices, whose conversion
is not counted; of the real code the time of decoding the devices is taken off. Beside the ratios stand the
evaluations per second of CPU time, which tell as much about the machine. The exit code is 1 if a ratio is
below its target.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from dractl.api import gates, release
from dractl.cel.compile import DeviceValue, Environment, Selector, compile_selector, device_value

DOMAIN = "gpu.example.com"
ATTRIBUTES = f'device.attributes["{DOMAIN}"]'
CAPACITY = f'device.capacity["{DOMAIN}"]'
CELPY_TARGET, REAL_TARGET, COMPILING_TARGET = 30.0, 3.0, 1.0
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
    """The CPU time of one evaluation by dractl, in microseconds."""
    selector = compile_selector(text, _environment())
    if not isinstance(selector, Selector):
        raise SystemExit(selector.message)
    evaluate = selector.evaluate
    start = time.process_time()
    for value in devices:
        evaluate(value)
    return (time.process_time() - start) / len(devices) * 1e6


def compiling() -> float:
    """The CPU time of parsing, checking and estimating all distinct selectors, in milliseconds."""
    compile_selector.cache_clear()
    environment = _environment()
    start = time.process_time()
    for text in DISTINCT:
        compile_selector(text, environment)
    return (time.process_time() - start) * 1000


def celpy_times(runner: str, count: int) -> list[float | None]:
    """The CPU times of one evaluation by cel-python for each selector, in microseconds.

    They come from a process of its own, since the first environment decides for all which runner works.
    """
    command = [sys.executable, "-W", "ignore", __file__, "--celpy", runner, "--devices", str(count)]
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
        times.append((time.process_time() - start) / count * 1e6)
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
        """The CPU time of one evaluation, in microseconds."""
        spent = self._cpu_time([_asked(text, self._devices)]) - self._cpu_time([_asked(text, self._broken)])
        return spent / self._count * 1e6

    def compiling(self) -> float:
        """The CPU time of parsing, checking and estimating all distinct selectors, in milliseconds."""
        times = 10
        spent = self._cpu_time([_asked(text, []) for text in DISTINCT] * times)
        return (spent - self._cpu_time([{"op": "yaml", "text": "a: 1"}] * 100 * times)) / times * 1000

    def _cpu_time(self, requests: list[dict[str, Any]]) -> float:
        text = "".join(json.dumps(request) + "\n" for request in requests)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self._program], input=text, stdout=subprocess.DEVNULL, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _asked(text: str, devices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"op": "cel", "expression": text, "devices": devices, "env": "new"}


def _real(count: int) -> Real | None:
    folder = os.environ.get("DRACTL_ORACLE")
    program = Path(folder or ".") / f"oracle-{release.NEWEST}"
    return Real(program, count) if folder and program.is_file() else None


class Round(NamedTuple):
    """The times of one round: by selector of dractl, of both runners and of the real code, if it is there."""

    ours: list[float]
    compiled: list[float | None]
    interpreted: list[float | None]
    real: list[float | None]
    compiling: float
    real_compiling: float | None


def _round(devices: list[DeviceValue], real: Real | None) -> Round:
    few = max(len(devices) // CELPY_SHARE, 1)
    return Round(
        ours=[evaluating(selector.text, devices) for selector in SELECTORS],
        compiled=celpy_times("compiled", few),
        interpreted=celpy_times("interpreted", few),
        real=[real.evaluating(selector.text) if real else None for selector in SELECTORS],
        compiling=compiling(),
        real_compiling=real.compiling() if real else None,
    )


def _ratio(theirs: list[float | None], ours: list[float]) -> float | None:
    """The median of paired ratios; None if there is nothing to compare with."""
    ratios = [one / other for one, other in zip(theirs, ours, strict=True) if one is not None]
    return statistics.median(ratios) if ratios else None


def _shown(ratio: float | None) -> str:
    return "      -" if ratio is None else f"{ratio:6.1f}x"


def _report(rounds: list[Round], count: int) -> bool:
    """Print the ratios; whether all targets are met."""
    met = True
    print(f"how many times faster than cel-python and the real code dractl evaluates for {count:,} devices,")
    print("and its evaluations per second:")
    print(f"{'compiled':>9}{'interpreted':>13}{'real code':>11}{'per second':>12}")
    for position, selector in enumerate(SELECTORS):
        ours = [one.ours[position] for one in rounds]
        compiled = _ratio([one.compiled[position] for one in rounds], ours)
        interpreted = _ratio([one.interpreted[position] for one in rounds], ours)
        real = _ratio([one.real[position] for one in rounds], ours)
        speed = f"{1e6 / statistics.median(ours):,.0f}"
        ratios = f"{_shown(compiled):>9}{_shown(interpreted):>13}{_shown(real):>11}"
        print(f"{ratios}{speed:>12}   {selector.text}")
        met &= (compiled is None or compiled >= CELPY_TARGET) and (real is None or real >= REAL_TARGET)
    ratio = _ratio([one.real_compiling for one in rounds], [one.compiling for one in rounds])
    taken = f"{statistics.median([one.compiling for one in rounds]):.1f} ms"
    print(f"{_shown(ratio):>33}{taken:>12}   100 distinct selectors parsed, checked and estimated")
    return met and (ratio is None or ratio >= COMPILING_TARGET)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--celpy", choices=("compiled", "interpreted"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.celpy:
        _print_celpy_times(options.celpy, options.devices)
        return 0
    made = [device_value(DOMAIN, device(number)) for number in range(options.devices)]
    devices = [value for value in made if isinstance(value, DeviceValue)]
    compiling()
    real = _real(options.devices)
    if real is None:
        print("the real evaluator is not measured: $DRACTL_ORACLE names no folder with its program")
    rounds = [_round(devices, real) for _ in range(options.runs)]
    met = _report(rounds, options.devices)
    print(
        f"targets: {CELPY_TARGET:g}x of the compiled runner, {REAL_TARGET:g}x of the real code, and"
        f" {COMPILING_TARGET:g}x for compiling: {'met' if met else 'missed'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
