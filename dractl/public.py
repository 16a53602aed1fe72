"""The public functions: from documents to reports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dractl.api import arguments, gates, release
from dractl.lint.report import Report
from dractl.source.load import Loaded, Names, PathError, load
from dractl.source.text import SourceError
from dractl.workflows import validate as run
from dractl.workflows.mixed_input import elsewhere

if TYPE_CHECKING:
    from dractl.conversion.result import Conversion
    from dractl.simulation.engine.report import Simulation
    from dractl.workflows.matrix import Matrix

Documents = str | os.PathLike[str] | Mapping[str, Any] | Iterable[str | os.PathLike[str] | Mapping[str, Any]]
"""A text is YAML, never a path; a PathLike a file or folder, a mapping an object; or an iterable of these."""


def validate(
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    old: Documents | None = None,
    subresource: str | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
    lenient: bool = False,
) -> Report:
    """What the API server of ``kube_version`` says about ``docs``.

    Each object is taken as new or, if ``old`` (given like ``docs``) holds its earlier self, as an update of
    that; with ``subresource="status"`` as an update of its status. ``feature_gates`` are set beside that
    minor's defaults. ``namespace_labels`` gives the labels of namespaces, by name, for admin access; without
    it only Namespace objects among ``docs`` are known. Objects of prototype APIs have rules of their own:
    ``dialect`` names the dialect where shapes do not tell, ``lenient`` only warns of what can be mended.

    Raises TypeError for arguments of another form, release.UnknownMinorError and gates.GateError (both
    ValueErrors) for a minor that dractl does not know and a set of gates with which no server starts,
    ValueError for another subresource, for one without ``old`` and for an ``old`` that cannot be read, and
    OSError for a path that cannot be opened. For several minors at once there is :func:`validate_range`.
    """
    _check(kube_version, feature_gates, namespace_labels)
    if release.is_range(kube_version):
        raise release.UnknownMinorError(f"{kube_version!r} is a range of minors; use dractl.validate_range")
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    loaded = _read(docs)
    prototype_findings = elsewhere(loaded, dialect, lenient=lenient)
    return run.validate(
        loaded, gate_set, namespace_labels, past=_past(old, subresource), elsewhere=prototype_findings
    )


def validate_range(
    docs: Documents,
    *,
    kube_versions: str,
    feature_gates: Mapping[str, bool] | None = None,
    old: Documents | None = None,
    subresource: str | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
    lenient: bool = False,
) -> Matrix:
    """What the API servers of a range of minors such as ``1.33..1.37`` say about ``docs``, read once.

    The question before an upgrade: whose verdict changes, and from which minor on. The other arguments are
    those of :func:`validate`; ``feature_gates`` are set for every minor of the range.

    Raises what :func:`validate` raises; GateError names the minor with which no server starts.
    """
    from dractl.workflows.matrix import validate_range as run_range  # few look at several

    _check(kube_versions, feature_gates, namespace_labels)
    gate_sets = gates.resolve_each(release.parse_range(kube_versions), feature_gates)
    loaded = _read(docs)
    prototype_findings = elsewhere(loaded, dialect, lenient=lenient)
    return run_range(
        loaded, gate_sets, namespace_labels, past=_past(old, subresource), elsewhere=prototype_findings
    )


def _past(old: Documents | None, subresource: str | None) -> run.EarlierState | None:
    if subresource not in (None, "status"):
        raise ValueError(f"unsupported subresource {subresource!r} (only 'status')")
    if old is None:
        if subresource is not None:
            raise ValueError("subresource requires old, the earlier state")
        return None
    from dractl.lint.earlier import Earlier  # few runs look back

    loaded = _read(old, Names("<old text>", "<old object>"))
    for item in loaded:
        if isinstance(item, SourceError):  # the text is wrong, not its type
            raise ValueError(  # noqa: TRY004
                f"old: {item.file}:{item.line}:{item.column}: {item.message}"
            )
    return run.EarlierState(Earlier(loaded), subresource or "")


def simulate(
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    node_order: Sequence[str] | None = None,
    replicas: Mapping[str, int] | None = None,
    dialect: str | None = None,
) -> Simulation:
    """Which devices the scheduler of ``kube_version`` gives to the pods among ``docs``, in order.

    ``docs`` are a cluster: nodes (or the nodes that slices name), slices, classes, claims, templates, pods
    and workloads, as manifests or as a cluster answers them. What the API server would refuse takes no part
    and is named in ``left_out``. ``node_order`` are nodes to prefer where several are equally good; the
    others follow by name. ``replicas`` gives workloads, by NAME or KIND/NAMESPACE/NAME, another number of
    pods. ``dialect`` is that of objects of a prototype API. The other arguments, and what is raised, are
    those of :func:`validate`; besides, ValueError for a name in ``node_order`` that no node has, and in
    ``replicas`` for a negative number and for what is no workload with replicas.
    """
    from dractl.workflows.mixed_input import simulate as run_simulation  # a validation need not load it

    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_node_order(node_order)
    arguments.check_replicas(replicas)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    simulation = run_simulation(
        _read(docs), gate_set, namespace_labels, node_order or (), replicas or {}, dialect=dialect
    )
    unknown = [name for name in node_order or () if name not in simulation.outcome.nodes]
    if unknown:
        raise ValueError(f"node_order: unknown node: {', '.join(unknown)}")
    return simulation


def convert(
    docs: Documents,
    *,
    to: str,
    kube_version: str | None = None,
    lossy: bool = False,
    dialect: str | None = None,
) -> Conversion:
    """``docs`` in the API version ``to``, such as ``resource.k8s.io/v1``, as the API server converts them.

    The result has the objects and, for texts and files, the new texts with their comments; ``lost`` lists
    what the version cannot say, and unless ``lossy`` is set there is no other result then. ``kube_version``
    is the minor whose fields count; without it the newest one that has a kind in that version. Objects of
    prototypes become objects of v1; ``dialect`` is for :func:`validate` and this the same.

    Raises TypeError where ``to`` is no text, ValueError for a version that dractl does not convert to or that
    the minor does not have, release.UnknownMinorError (a ValueError too) for an unknown minor, and OSError
    for a path that cannot be opened.
    """
    arguments.check_version(to)
    from dractl.conversion.target import target_of  # a validation need not load it
    from dractl.workflows.convert import convert as run_conversion

    return run_conversion(_read(docs), target_of(to, kube_version), lossy=lossy, dialect=dialect)


def _check(minors: object, feature_gates: object, namespace_labels: object) -> None:
    arguments.check_minor(minors)
    arguments.check_gates(feature_gates)
    arguments.check_labels(namespace_labels)


def _read(docs: Documents, names: Names | None = None) -> list[Loaded]:
    loaded = load(docs) if names is None else load(docs, names)
    for item in loaded:
        if isinstance(item, PathError):
            is_there = os.path.lexists(item.path)
            raise (OSError if is_there else FileNotFoundError)(f"{item.path}: {item.message}")
    return loaded
