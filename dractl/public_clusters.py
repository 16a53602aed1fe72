"""The public functions about clusters: simulated, checked, measured and compared."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import arguments, gates, release
from dractl.api.arguments import check_server as _check
from dractl.source.load import Names
from dractl.source.load import load_or_raise as _read

if TYPE_CHECKING:
    from decimal import Decimal

    from dractl.api.gates import GateSet
    from dractl.auditing.model import Audit
    from dractl.diffing.model import Diff
    from dractl.public import Documents
    from dractl.simulation.engine.report import Simulation
    from dractl.sizing.model import Size
    from dractl.upgrading.model import Plan
    from dractl.workflows.possible import Possible

__all__ = ["audit", "diff", "possible", "simulate", "size", "upgrade"]


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


def diff(
    old: Documents,
    new: Documents,
    *,
    shared: Documents = (),
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
) -> Diff:
    """Compare two inputs: findings, objects, placements, what selectors select, and running claims.

    Both are validated and simulated for ``kube_version``. ``shared`` are objects of both inputs, such as a
    dump of a cluster; an input replaces those that it has itself, and all ResourceSlices of the drivers that
    it has slices of. The other arguments are those of :func:`validate`.

    Raises what :func:`validate` raises.
    """
    from dractl.diffing.run import diff as run_diff  # a validation need not load it
    from dractl.diffing.sides import Side, within

    _check(kube_version, feature_gates, namespace_labels)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)

    def side(docs: Documents, name: str) -> Side:
        if isinstance(docs, os.PathLike):
            return Side(os.fspath(docs), _read(docs), within(os.fspath(docs)))
        loaded = _read(docs, Names(f"<{name} text>", f"<{name} object>"))
        return Side(name, loaded, lambda file: file.removeprefix(f"<{name} "))

    before, after = side(old, "old"), side(new, "new")
    return run_diff(before, after, gate_set, namespace_labels, shared=_read(shared), dialect=dialect)


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
    UserWarning reports a pair that is not a supported version skew. The other arguments are those of
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
    from dractl.workflows.skew import chosen_scheduler  # few simulations have two minors

    arguments.check_gates(feature_gates, "scheduler_feature_gates")
    if version is not None:
        arguments.check_minor(version)
    chosen = chosen_scheduler(server, version, feature_gates or {})
    for warning in chosen.warnings if chosen else ():
        warnings.warn(warning, stacklevel=3)
    return chosen.gates if chosen else None


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
    set. ``like`` names nodes; ``add`` has how many more of each the pending pods need, with ``prices``. With
    ``from_zero`` these nodes are templates, which the cluster does not have. ``replicas`` is as in
    :func:`simulate`.

    Raises what :func:`validate` raises; also ValueError for an unknown pod or node, a price that is not a
    number, and whatever cannot be scaled.
    """
    from dractl.sizing.question import asked  # a validation need not load it
    from dractl.workflows.size import size as run_size

    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_copies(pod)
    arguments.check_names(like, "like")
    arguments.check_prices(prices)
    arguments.check_replicas(replicas)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    question = asked(pod, like, prices or {}, from_zero=from_zero)
    return run_size(_read(docs), gate_set, namespace_labels, question, replicas or {})


def possible(
    docs: Documents,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    driver: str | None = None,
    pool: str | None = None,
    dialect: str | None = None,
) -> Possible:
    """List the sets of devices of each pool in ``docs`` that can be in use at once.

    Counters of partitionable devices limit what the scheduler of ``kube_version`` can allocate together. The
    result has ``pools`` with their maximal ``combinations`` by kind of device, and the number of ``all``
    sets; ``driver`` and ``pool`` choose among the pools. Pools of prototypes and bare models of theirs are
    included; ``dialect`` is as in :func:`validate`.

    Raises what :func:`validate` raises; also ValueError for a ``driver`` or ``pool`` that ``docs`` lack, and
    for 1.30, whose devices never exclude each other.
    """
    from dractl.workflows.possible import possible as run_possible  # a validation need not load it

    _check(kube_version, feature_gates, None)
    arguments.check_name(driver, "driver")
    arguments.check_name(pool, "pool")
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    return run_possible(_read(docs), gate_set, driver=driver, pool=pool, dialect=dialect)
