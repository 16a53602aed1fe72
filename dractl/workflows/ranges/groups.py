"""Results of several Kubernetes minors side by side: which minors have the same one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

from dractl.api.json_types import JsonDict
from dractl.api.release import Minor

__all__ = ["Shared", "grouped", "spanning_rows"]

Result = TypeVar("Result")


class Shared(NamedTuple, Generic[Result]):
    """A result and the minors that have it, oldest first; ``result`` is that of the newest."""

    minors: tuple[Minor, ...]
    result: Result

    @property
    def kube_versions(self) -> list[str]:
        """The minors as a document has them."""
        return [minor.version for minor in self.minors]


def grouped(by_minor: Mapping[Minor, Result], key: Callable[[Result], Hashable]) -> list[Shared[Result]]:
    """The results of ``by_minor``, which begins with the oldest, each once: equal ones have equal keys."""
    groups: dict[Hashable, list[Minor]] = {}
    for minor, result in by_minor.items():
        groups.setdefault(key(result), []).append(minor)
    return [Shared(tuple(minors), by_minor[minors[-1]]) for minors in groups.values()]


def spanning_rows(by_minor: Mapping[Minor, Iterable[JsonDict]]) -> list[JsonDict]:
    """The entries of documents of several minors, each once with the minors that have it, newest first."""
    found: dict[tuple[str, int], tuple[JsonDict, list[Minor]]] = {}
    for minor in reversed(list(by_minor)):
        for key, row in _numbered(by_minor[minor]):
            found.setdefault(key, (row, []))[1].append(minor)
    return [
        {**row, "kubeVersions": [minor.version for minor in reversed(minors)]}
        for row, minors in found.values()
    ]


def _numbered(rows: Iterable[JsonDict]) -> Iterator[tuple[tuple[str, int], JsonDict]]:
    """The rows with what makes them equal to those of other minors: their content, and which of several."""
    from json import dumps  # only documents need it

    seen: dict[str, int] = {}
    for row in rows:
        text = dumps(row, sort_keys=True)
        seen[text] = seen.get(text, 0) + 1
        yield (text, seen[text]), row
