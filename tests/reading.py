"""YAML files of the tests, read and written fast; nothing of this is for what dractl reads or writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

# The parts in C are ten times as fast, and not in every build of PyYAML.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def read_yaml(text: str) -> Any:
    """The value of a text with one document; raises yaml.YAMLError for anything else."""
    return yaml.load(text, _LOADER)  # noqa: S506 - both loaders are safe ones


def read_all_yaml(text: str) -> Iterator[Any]:
    """The values of the documents of a text, one after the other."""
    return yaml.load_all(text, _LOADER)


def written_yaml(value: Any, **style: Any) -> str:
    """The value as YAML, its keys in their order; ``style`` is for yaml.dump."""
    return str(yaml.dump(value, Dumper=_DUMPER, sort_keys=False, **style))
