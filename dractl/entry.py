"""The public functions: from documents to reports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dractl.api import gates, release
from dractl.source.load import Loaded, PathError, load
from dractl.validation import run
from dractl.validation.report import Report

if TYPE_CHECKING:
    from dractl.simulation.report import Simulation

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
    return run.validate(_read(docs), gate_set, namespace_labels)


def simulate(
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    node_order: Sequence[str] | None = None,
) -> Simulation:
    """Which devices the scheduler of ``kube_version`` gives to the pods among ``docs``, in order.

    ``docs`` are a cluster: nodes (or the nodes that slices name), slices, classes, claims, templates, pods
    and workloads, as manifests or as a cluster answers them. What the API server would refuse takes no part
    and is named in ``left_out``. ``node_order`` are nodes to prefer where several are equally good; the
    others follow by name. The other arguments, and what is raised, are those of :func:`validate`.
    """
    from dractl.simulating import simulate as run_simulation  # noqa: PLC0415 - a validation need not load it

    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    return run_simulation(_read(docs), gate_set, namespace_labels, node_order or ())


def _read(docs: Documents) -> list[Loaded]:
    loaded = load(docs)
    for item in loaded:
        if isinstance(item, PathError):
            raise OSError(f"{item.path}: {item.message}")
    return loaded
