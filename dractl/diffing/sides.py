"""The two inputs of a comparison, each completed with the objects that both share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from dractl.cluster.objects import Key, key_of_identity
from dractl.lint.base import placing
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.registry import type_meta

__all__ = ["Identity", "Side", "identity_of", "within"]

_SLICE = "ResourceSlice"


class Identity(NamedTuple):
    """What makes an object the same one in two inputs, in whatever API version it is written."""

    group: str
    key: Key


def identity_of(document: Document) -> Identity | None:
    """Which object a document is; None for what is not an object, and without version, kind or name.

    The name of an object with only a ``generateName`` is that.
    """
    shown = placing.identity_of(document)
    if not shown.keys() >= {"apiVersion", "kind", "name"}:
        return None
    return Identity(shown["apiVersion"].rpartition("/")[0], key_of_identity(shown))


class Side(NamedTuple):
    """One input: its name for people, and its documents.

    ``home`` gives the name of a file without the part that differs between the sides, so that a text that
    cannot be read is the same one on both sides.
    """

    name: str
    loaded: Sequence[Loaded]
    home: Callable[[str], str] = str

    def completed(self, shared: Sequence[Loaded]) -> Side:
        """The input with the objects that both sides share, as far as it does not have them itself.

        A driver publishes all of its slices, under names that change: those of the input replace all shared
        slices of the same driver.
        """
        own = [item for item in self.loaded if isinstance(item, Document)]
        known = {identity_of(item) for item in own} - {None}
        drivers = {driver for item in own if (driver := _driver(item))}
        kept = [
            item
            for item in shared
            if not isinstance(item, Document)
            or (identity_of(item) not in known and _driver(item) not in drivers)
        ]
        return self._replace(loaded=[*kept, *self.loaded])


def within(path: str) -> Callable[[str], str]:
    """Names files at and below ``path`` without it."""
    return lambda file: os.path.relpath(file, path)


def _driver(document: Document) -> str | None:
    """The driver of a ResourceSlice; None for anything else."""
    value = document.value
    if not isinstance(value, dict) or type_meta(value).kind != _SLICE:
        return None
    spec = value.get("spec")
    driver = spec.get("driver") if isinstance(spec, dict) else None
    return driver if isinstance(driver, str) and driver else None
