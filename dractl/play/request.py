"""A request of the playground: its files and its server, checked before anything is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dractl.api import budgets, gates, release
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject
from dractl.records import NamedTuple

__all__ = ["MOST_CHARACTERS", "MOST_FILES", "Request", "RequestError", "TextFile", "World", "parse"]

MOST_FILES = budgets.SHARED_FILES.value
"""What a link may hold, as tabs."""

MOST_CHARACTERS = budgets.SHARED_SIZE.value << 20
"""Characters of all files: what the fragment of a link may hold when it is decoded."""


class RequestError(ValueError):
    """A request that cannot be answered; ``about`` is the member that is wrong."""

    def __init__(self, about: str, message: str) -> None:
        """Name the member and the mistake."""
        super().__init__(message)
        self.about = about


class TextFile(NamedTuple):
    """A file of the editor."""

    name: str
    text: str


class World(NamedTuple):
    """What is asked about: texts, and the version and overrides of the server.

    Equal worlds have equal answers.
    """

    files: tuple[TextFile, ...]
    kube_version: str
    feature_gates: tuple[tuple[str, bool], ...]

    @property
    def gates(self) -> GateSet:
        """The gates of the server; raises RequestError for a minor or gates that no server has."""
        try:
            minor = release.parse(self.kube_version)
        except release.UnknownMinorError as error:
            raise RequestError("kubeVersion", str(error)) from None
        try:
            return gates.resolve(minor, dict(self.feature_gates))
        except gates.GateError as error:
            raise RequestError("featureGates", str(error)) from None


class Request(NamedTuple):
    """A world and the names of the views that the page shows."""

    world: World
    views: tuple[str, ...]


def parse(request: JsonObject, known_views: Collection[str]) -> Request:
    """The request in ``request``; unknown members are ignored. Raises RequestError for a wrong one."""
    files = tuple(_files(request.get("files", [])))
    if sum(len(file.text) for file in files) > MOST_CHARACTERS:
        raise RequestError("files", f"all files together must have at most {MOST_CHARACTERS:,} characters")
    version = request.get("kubeVersion") or str(release.NEWEST)
    if not isinstance(version, str):
        raise RequestError("kubeVersion", "must be a string such as 1.36")
    views = request.get("views", [])
    if not isinstance(views, list) or not all(isinstance(name, str) for name in views):
        raise RequestError("views", "must be a list of strings")
    unknown = next((name for name in views if name not in known_views), None)
    if unknown is not None:
        raise RequestError("views", f"unknown view {unknown!r} (choose from {', '.join(known_views)})")
    return Request(World(files, version, tuple(_gates(request.get("featureGates") or {}))), tuple(views))


def _files(value: object) -> Iterator[TextFile]:
    if not isinstance(value, list) or len(value) > MOST_FILES:
        raise RequestError("files", f"must be a list of at most {MOST_FILES} files")
    for entry in value:
        name, text = (entry.get("name"), entry.get("text")) if isinstance(entry, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(text, str):
            raise RequestError("files", "each file must have a name and text")
        yield TextFile(name, text)


def _gates(value: object) -> Iterator[tuple[str, bool]]:
    if not isinstance(value, dict):
        raise RequestError("featureGates", "must be an object")
    for name, setting in sorted(value.items(), key=str):
        if not isinstance(setting, bool):
            raise RequestError("featureGates", f"feature gate {name} must be true or false")
        yield str(name), setting
