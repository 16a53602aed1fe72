"""The public functions: from documents to reports."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import arguments, gates, release
from dractl.api.arguments import FieldValidation
from dractl.api.json_types import JsonObject
from dractl.lint.report import Report
from dractl.source.load import Loaded, Names, PathError, load
from dractl.source.text import SourceError
from dractl.workflows import validate as run
from dractl.workflows.mixed_input import findings_of_prototypes

if TYPE_CHECKING:
    from decimal import Decimal

    from dractl.api.gates import GateSet
    from dractl.auditing.model import Audit
    from dractl.conversion.result import Conversion
    from dractl.fixing.model import Fixing
    from dractl.simulation.engine.report import Simulation
    from dractl.sizing.model import Size
    from dractl.upgrading.model import Plan
    from dractl.workflows.matrix import Matrix

Documents = str | os.PathLike[str] | JsonObject | Iterable[str | os.PathLike[str] | JsonObject]
"""YAML text (never a path), a PathLike for a file or folder, a mapping for an object; or an iterable."""


def validate(  # noqa: PLR0913 - what a request and its server are made of
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    old: Documents | None = None,
    subresource: str | None = None,
    field_validation: FieldValidation = "strict",
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
    lenient: bool = False,
) -> Report:
    """Validate ``docs`` as the API server of ``kube_version`` would.

    An object is validated as new or, if ``old`` (in the same forms as ``docs``) contains its earlier
    version, as an update; with ``subresource="status"`` as a status update. ``feature_gates`` overrides the
    defaults of the minor. ``namespace_labels`` maps namespaces to their labels, for admin access; without
    it, only the labels of Namespace objects in ``docs`` are known. Objects of prototype APIs have their own
    rules: ``dialect`` selects the dialect if their shape is ambiguous, ``lenient`` downgrades to warnings
    what the example files use. ``field_validation`` is the parameter ``fieldValidation`` of the request:
    with ``warn`` and ``ignore`` unknown and duplicate fields are dropped, and the rest is validated.

    Raises TypeError for arguments of a wrong type; release.UnknownMinorError and gates.GateError (both
    ValueErrors) for an unsupported minor and an invalid combination of gates; ValueError for an unsupported
    subresource or ``field_validation``, a subresource without ``old``, and an unreadable ``old``; OSError
    for a path that cannot be opened.
    """
    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_field_validation(field_validation)
    if release.is_range(kube_version):
        raise release.UnknownMinorError(f"{kube_version!r} is a range of minors; use dractl.validate_range")
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    loaded = _read(docs)
    prototype_findings = findings_of_prototypes(loaded, dialect, lenient=lenient)
    return run.validate(
        loaded,
        gate_set,
        namespace_labels,
        past=_past(old, subresource),
        prototypes=prototype_findings,
        field_validation=field_validation,
    )


def validate_range(  # noqa: PLR0913 - what requests and their servers are made of
    docs: Documents,
    *,
    kube_versions: str,
    feature_gates: Mapping[str, bool] | None = None,
    old: Documents | None = None,
    subresource: str | None = None,
    field_validation: FieldValidation = "strict",
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
    lenient: bool = False,
) -> Matrix:
    """Validate ``docs`` for each minor of a range such as ``1.33..1.37``.

    The other arguments are those of :func:`validate`; ``feature_gates`` applies to every minor.

    Raises what :func:`validate` raises; GateError names the minor that does not allow the gates.
    """
    from dractl.workflows.matrix import validate_range as run_range  # few look at several

    _check(kube_versions, feature_gates, namespace_labels)
    arguments.check_field_validation(field_validation)
    gate_sets = gates.resolve_each(release.parse_range(kube_versions), feature_gates)
    loaded = _read(docs)
    prototype_findings = findings_of_prototypes(loaded, dialect, lenient=lenient)
    return run_range(
        loaded,
        gate_sets,
        namespace_labels,
        past=_past(old, subresource),
        prototypes=prototype_findings,
        field_validation=field_validation,
    )


def fix(  # noqa: PLR0913 - what a request and its server are made of
    docs: Documents,
    *,
    unsafe: bool = False,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    old: Documents | None = None,
    subresource: str | None = None,
    field_validation: FieldValidation = "strict",
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
) -> Fixing:
    """Fix the texts and files of ``docs`` where a finding can only mean one thing; no file is written.

    The result has the new texts with their comments and layout; ``fixed`` lists the findings that were fixed,
    ``unfixed`` those whose fix would not have made the object better. ``unsafe`` also applies fixes that may
    change the meaning. For a range of minors, a fix must not lead to a new error in any of them. Objects
    (mappings) have no text and stay as they are. The other arguments are those of :func:`validate`.

    Raises what :func:`validate` raises.
    """
    from dractl.fixing.model import Question  # few fix anything
    from dractl.fixing.run import fix as run_fix

    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_field_validation(field_validation)
    loaded = _read(docs)
    question = Question(
        gates.resolve_each(release.parse_range(kube_version), feature_gates),
        namespace_labels,
        past=_past(old, subresource),
        field_validation=field_validation,
        is_unsafe=unsafe,
    )
    return run_fix(loaded, question, findings_of_prototypes(loaded, dialect, lenient=False))


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


def audit(
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Audit:
    """Check that the allocations in ``docs`` are legal, whoever made them.

    ``docs`` describe a cluster, as for :func:`simulate`; each allocated device is compared with its slice,
    its class, its request and the other claims, as the allocator of ``kube_version`` reads them. The result
    lists ``violations``, and what is ``unchecked``.

    Raises what :func:`validate` raises.
    """
    from dractl.workflows.audit import audit as run_audit  # a validation need not load it

    _check(kube_version, feature_gates, namespace_labels)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    return run_audit(_read(docs), gate_set, namespace_labels)


def upgrade(
    docs: Documents,
    *,
    from_version: str,
    to_version: str,
    from_gates: Mapping[str, bool] | None = None,
    to_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Plan:
    """Compare two Kubernetes releases for ``docs``: what an upgrade changes, and what to do about it.

    Objects with a uid come from a cluster and are updated, the others are created. The result lists what the
    newer release has ``refused``, ``unserved``, ``dropped`` and ``warned`` about, the pods that are
    ``moved``, the known faults that ``begun`` and ``ended``, and the ``gates`` that change. ``from_gates``
    stay set where the newer release has them unlocked.

    Raises what :func:`validate` raises; also ValueError if ``to_version`` is older than ``from_version``.
    """
    from dractl.source.document import Document
    from dractl.upgrading.releases import ends  # a validation need not load it
    from dractl.upgrading.run import upgrade as run_upgrade

    _check(from_version, from_gates, namespace_labels)
    _check(to_version, to_gates, namespace_labels)
    loaded = _read(docs)
    servers = ends(
        release.parse(from_version),
        release.parse(to_version),
        from_gates or {},
        to_gates or {},
        [item.value for item in loaded if isinstance(item, Document)],
    )
    return run_upgrade(loaded, servers, namespace_labels)


def simulate(  # noqa: PLR0913 - what describes a cluster
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    node_order: Sequence[str] | None = None,
    replicas: Mapping[str, int] | None = None,
    dialect: str | None = None,
    allocate_unreferenced: bool = False,
    scheduler_version: str | None = None,
    scheduler_feature_gates: Mapping[str, bool] | None = None,
) -> Simulation:
    """Allocate devices to the pods in ``docs``, in order, as the scheduler of ``kube_version`` would.

    ``docs`` describe a cluster: nodes (or slices that name them), ResourceSlices, DeviceClasses, claims,
    claim templates, pods and workloads, as manifests or as a cluster returns them. ``left_out`` lists
    objects that the API server would refuse. ``node_order`` lists nodes to prefer if several are equally
    good; the others follow by name. ``replicas`` overrides the number of pods of workloads, by NAME,
    KIND/NAME or KIND/NAMESPACE/NAME. ``allocate_unreferenced`` also allocates the claims that no pod refers
    to, which no cluster does. ``scheduler_version`` is the minor of the scheduler, if it is not that
    of the API server; ``scheduler_feature_gates`` overrides its gates in addition to ``feature_gates``. A
    UserWarning says if such a pair is not a supported version skew. The other arguments are those of
    :func:`validate`.

    Raises what :func:`validate` raises; also ValueError for an unknown node in ``node_order``, and for a
    negative number or anything but a scalable workload in ``replicas``; skew.SkewError (also a ValueError)
    for a scheduler that reads an API version which the server does not have.
    """
    from dractl.workflows.mixed_input import simulate as run_simulation  # a validation need not load it

    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_node_order(node_order)
    arguments.check_replicas(replicas)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    simulation = run_simulation(
        _read(docs),
        gate_set,
        namespace_labels,
        node_order or (),
        replicas or {},
        dialect=dialect,
        allocate_unreferenced=allocate_unreferenced,
        scheduler=_scheduler(gate_set, scheduler_version, scheduler_feature_gates),
    )
    unknown = [name for name in node_order or () if name not in simulation.outcome.nodes]
    if unknown:
        raise ValueError(f"node_order: unknown node: {', '.join(unknown)}")
    return simulation


def _scheduler(
    server: GateSet, version: str | None, feature_gates: Mapping[str, bool] | None
) -> GateSet | None:
    if version is None and not feature_gates:
        return None
    from dractl.workflows import skew  # few simulations have two minors

    arguments.check_gates(feature_gates, "scheduler_feature_gates")
    minor = server.minor if version is None else release.parse(version)
    for warning in skew.skew_warnings(server.minor, minor):
        warnings.warn(warning, stacklevel=3)
    return skew.scheduler_gates(minor, server, feature_gates or {})


def size(  # noqa: PLR0913 - a question has its parts, all but one of them optional
    docs: Documents,
    *,
    pod: str | Mapping[str, int] | None = None,
    like: str | Sequence[str] = (),
    prices: Mapping[str, Decimal | int | str] | None = None,
    from_zero: bool = False,
    replicas: Mapping[str, int] | None = None,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Size:
    """Count how many more copies of ``pod`` fit in the cluster that ``docs`` describe.

    Pods of the input are placed first, as by :func:`simulate`; then copies are added until one stays Pending.
    ``pod`` is the name of a pod or workload (``NAMESPACE/NAME``), or several with the number of copies in one
    set. ``like`` names nodes of which to count how many the pending pods need, with their ``prices``; with
    ``from_zero`` these nodes are templates, which the cluster does not have. ``replicas`` is as in
    :func:`simulate`.

    Raises what :func:`validate` raises; also ValueError for an unknown pod or node, a price that is not a
    number, and whatever cannot be scaled.
    """
    from dractl.sizing.question import asked  # a validation need not load it
    from dractl.workflows.size import size as run_size

    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_replicas(replicas)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    question = asked(pod, like, prices or {}, from_zero=from_zero)
    return run_size(_read(docs), gate_set, namespace_labels, question, replicas or {})


def convert(
    docs: Documents,
    *,
    to: str,
    kube_version: str | None = None,
    lossy: bool = False,
    dialect: str | None = None,
) -> Conversion:
    """Convert ``docs`` to the API version ``to``, such as ``resource.k8s.io/v1``, as the API server does.

    The result has the objects and, for texts and files, the new texts with their comments. ``lost`` lists
    what the version cannot represent; unless ``lossy`` is set, a loss leaves the rest of the result empty.
    ``kube_version`` selects the fields; the default is the newest minor that has the kind in that version.
    Objects of prototypes become objects of v1; ``dialect`` is as in :func:`validate`.

    Raises TypeError if ``to`` is not a string; ValueError for a version that is not supported, or not
    available in the minor; release.UnknownMinorError (also a ValueError) for an unsupported minor; OSError
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
