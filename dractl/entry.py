"""The public functions: from documents to reports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from dractl.api import gates, release
from dractl.source.load import PathError, load
from dractl.validation import run
from dractl.validation.report import Report

Documents = str | os.PathLike[str] | Mapping[str, Any] | Iterable[str | os.PathLike[str] | Mapping[str, Any]]
"""A text is YAML, a PathLike a file or folder, a mapping an object; or an iterable of these."""


def validate(
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Report:
    """What the API server of ``kube_version`` says about ``docs``, each object taken as new.

    ``feature_gates`` are set beside that minor's defaults. ``namespace_labels`` gives the labels of
    namespaces, by name, for admin access; without it only Namespace objects among ``docs`` are known.

    Raises release.UnknownMinorError and gates.GateError (both ValueErrors) for a minor that dractl does not
    know and a set of gates with which no server starts, and OSError for a path that cannot be read.
    """
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    loaded = load(docs)
    for item in loaded:
        if isinstance(item, PathError):
            raise OSError(f"{item.path}: {item.message}")
    return run.validate(loaded, gate_set, namespace_labels)
