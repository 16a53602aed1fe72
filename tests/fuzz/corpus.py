"""The seeds: texts of ``testdata`` by what they are, and what stands in them under which name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.paths import ROOT

__all__ = ["Corpus", "Seed", "corpus", "dumped", "parsed"]

TESTDATA = ROOT / "testdata"
_SUFFIXES = {".yaml", ".yml", ".json"}
_LARGEST = 60_000
"""Bytes of a seed; a larger one would only make its cases slow."""
_MOST_VALUES = 50_000
_ROWS = 25
"""How many rows of a file of the conformance suite are seeds."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class Seed(NamedTuple):
    """A text, and the documents in it; none if it is no YAML."""

    text: bytes
    documents: tuple[Any, ...]


class Corpus(NamedTuple):
    """The seeds by role. ``values`` maps the name of a field to values that seeds have there."""

    manifests: Sequence[Seed]
    prototypes: Sequence[Seed]
    scenarios: Sequence[Seed]
    expectations: Sequence[Seed]
    schemas: Sequence[Seed]
    parameters: Sequence[Seed]
    hostile: Sequence[Seed]
    selectors: Sequence[str]
    values: dict[str, list[Any]]


def parsed(text: bytes) -> tuple[Any, ...]:
    """The documents of a text; none if it is no YAML, or a bomb of aliases."""
    try:
        found = tuple(yaml.load_all(text, _LOADER))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, AttributeError):
        return ()
    return found if _is_finite(found) else ()


def _is_finite(documents: tuple[Any, ...]) -> bool:
    """Whether there are not too many values, each counted as often as aliases repeat it."""
    waiting: list[Any] = list(documents)
    for _ in range(_MOST_VALUES):
        if not waiting:
            return True
        value = waiting.pop()
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return False


def dumped(documents: Sequence[Any], *, as_json: bool = False) -> bytes:
    """The documents as YAML, or as JSON values one after the other; JSON also for what YAML cannot hold."""
    try:
        if not as_json:
            text = yaml.dump_all(documents, Dumper=_DUMPER, allow_unicode=True, sort_keys=False)
            return str(text).encode("utf-8", "surrogatepass")
        return "\n".join(json.dumps(one, default=str, skipkeys=True) for one in documents).encode()
    except (yaml.YAMLError, UnicodeEncodeError):
        return dumped(documents, as_json=True)
    except (ValueError, RecursionError):  # an object that holds itself, or one too deep
        return b"{}"


@cache
def corpus() -> Corpus:
    """Every seed, in an order that is the same on every machine."""
    files = [_seed(path.read_bytes()) for path in _files() if path.stat().st_size <= _LARGEST]
    manifests = [seed for seed in files if seed.documents] + list(_rows())
    hostile = [
        _seed(path.read_bytes()) for path in sorted((TESTDATA / "hostile").rglob("*")) if path.is_file()
    ]
    schemas = [_seed(path.read_bytes()) for path in sorted((ROOT / "schemas" / "documents").glob("*.json"))]
    schemas.append(_seed((TESTDATA / "output" / "inputs" / "gpu-config.json").read_bytes()))
    values = _values(manifests)
    return Corpus(
        manifests=manifests,
        prototypes=[_seed(path.read_bytes()) for path in sorted((TESTDATA / "prototypes").rglob("*.yaml"))],
        scenarios=_of_schema(files, "dractl.scenario/1"),
        expectations=_of_schema(files, "dractl.test/1"),
        schemas=schemas,
        parameters=[seed for seed in manifests if b"opaque" in seed.text],
        hostile=[seed for seed in hostile if len(seed.text) <= _LARGEST],
        selectors=_selectors(values),
        values=values,
    )


def _files() -> list[Path]:
    left_out = {"conformance", "hostile"}
    found = (path for path in TESTDATA.rglob("*") if path.suffix in _SUFFIXES and path.name != "case.yaml")
    return sorted(path for path in found if path.relative_to(TESTDATA).parts[0] not in left_out)


def _seed(text: bytes) -> Seed:
    return Seed(text, parsed(text))


def _rows() -> Iterator[Seed]:
    """Seeds from the cases of the conformance suite: their objects, without what is expected of them."""
    folder = TESTDATA / "conformance"
    for path in sorted(folder.rglob("*.yaml")):
        case = parsed(path.read_bytes())
        for text in _texts(case[0] if case else None):
            yield _seed(text)
    for path in sorted(folder.glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in lines[:: max(1, len(lines) // _ROWS)]:
            yield from (_seed(text) for text in _texts(json.loads(line)) if len(text) <= _LARGEST)


def _texts(row: Any) -> Iterator[bytes]:
    if not isinstance(row, dict):
        return
    for name in ("manifest", "old", "text"):
        if isinstance(row.get(name), str):
            yield row[name].encode("utf-8", "surrogatepass")
    if isinstance(row.get("objects"), list):
        yield dumped(row["objects"])


def _of_schema(seeds: Sequence[Seed], schema: str) -> list[Seed]:
    return [
        seed
        for seed in seeds
        if any(isinstance(one, dict) and one.get("schema") == schema for one in seed.documents)
    ]


def _selectors(values: dict[str, list[Any]]) -> list[str]:
    """The CEL expressions in manifests and in the rows about CEL."""
    found = [text for text in values.get("expression", ()) if isinstance(text, str)]
    for path in sorted((TESTDATA / "conformance").glob("cel-*.jsonl")):
        found += [json.loads(line)["expression"] for line in path.read_text(encoding="utf-8").splitlines()]
    lines = (TESTDATA / "output" / "inputs" / "expressions.txt").read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(found + lines))


def _values(seeds: Sequence[Seed]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for seed in seeds:
        waiting: list[Any] = list(seed.documents)
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting += value
            elif isinstance(value, dict):
                for key, item in value.items():
                    if isinstance(key, str):
                        found.setdefault(key, []).append(item)
                    waiting.append(item)
    return found
