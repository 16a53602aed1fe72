"""Files in a folder that are no manifests: sources of charts and kustomizations, templates, other YAML.

They become manifests once they are rendered; before that, what is found in them says nothing about a cluster.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase

from dractl.source.document import Document
from dractl.source.text import SourceError

__all__ = [
    "BRACES",
    "CHART",
    "KUSTOMIZATIONS",
    "OTHER",
    "TEMPLATE",
    "belongs_to_chart",
    "patches_in",
    "why_no_manifest",
]

CHART = "Chart.yaml"
KUSTOMIZATIONS: frozenset[str] = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization"})

TEMPLATE, OTHER = "template", "other"
"""Why a file of a folder is no manifest: it has to be rendered first, or it is for another program."""

_OF_CHART = (
    CHART,
    "Chart.lock",
    "requirements.yaml",
    "values*.yaml",
    "values*.yml",
    "values*.json",
    "templates",
)
"""What belongs to a chart in its folder; what is in ``charts`` and ``crds`` is looked at as elsewhere."""

_PATCHES = (
    "patches",
    "patchesStrategicMerge",
    "patchesJson6902",
    "replacements",
    "transformers",
    "configurations",
)
"""The lists of a kustomization that name parts of objects, or what is no object."""

BRACES = "{{"
"""How templates of Helm and Jinja begin what is filled in."""
_API_VERSION = b"apiVersion"


def belongs_to_chart(name: str, names: Collection[str]) -> bool:
    """Whether a name in a folder with these ``names`` is part of the source of a chart."""
    return CHART in names and any(fnmatchcase(name, pattern) for pattern in _OF_CHART)


def patches_in(folder: str, documents: Iterable[Document | SourceError]) -> Iterator[str]:
    """The paths that a kustomization in ``folder`` names as patches and the like."""
    for document in documents:
        value = document.value if isinstance(document, Document) else None
        if isinstance(value, dict):
            for key in _PATCHES:
                for entry in _entries(value.get(key)):
                    yield os.path.normpath(os.path.join(folder, entry))  # noqa: PTH118 - only a name


def _entries(listed: object) -> Iterator[str]:
    for entry in listed if isinstance(listed, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else entry
        if isinstance(path, str) and path and "\n" not in path:
            yield path


def why_no_manifest(found: Iterable[object], data: bytes) -> str | None:
    """Why what was found in a file of a folder is not judged, or None.

    A file that cannot be read is a template if it has braces, and somebody else's if it does not even name an
    ``apiVersion``. So is one that holds no object at all.
    """
    items = list(found)
    has_error = any(isinstance(item, SourceError) for item in items)
    if has_error and BRACES.encode() in data:
        return TEMPLATE
    if has_error and _API_VERSION not in data:
        return OTHER
    documents = [item for item in items if isinstance(item, Document)]
    if documents and not has_error and not any(isinstance(item.value, dict) for item in documents):
        return OTHER
    return None
