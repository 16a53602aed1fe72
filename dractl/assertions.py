"""Assertions for tests in Python: a failure prints what the command prints.

They raise AssertionError and work in any test framework; the fixtures of ``dractl.pytest_plugin`` use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, TypedDict, Unpack

import dractl
from dractl.api import release
from dractl.report import audit as audit_report
from dractl.report import placements, text
from dractl.report.style import Style, text_of
from dractl.report.verdicts import mismatch_lines
from dractl.simulation.engine.report import Simulation
from dractl.testing.actual import full
from dractl.testing.checking import unmet

if TYPE_CHECKING:
    from dractl.auditing.model import Audit
    from dractl.lint.report import Report
    from dractl.public import Documents, Schemas

__all__ = ["Server", "Settings", "assert_allocates", "assert_legal", "assert_pending", "assert_valid"]

_STYLE = Style(width=None)
"""The style of output to a file."""

Devices = str | Sequence[str] | Mapping[str, object]
"""What is expected of devices: a name or a pattern, several, or conditions, as in an expectation file."""


class Server(TypedDict, total=False):
    """The arguments that describe the API server."""

    kube_version: str
    feature_gates: Mapping[str, bool] | None
    namespace_labels: Mapping[str, Mapping[str, str]] | None


class Settings(Server, total=False):
    """The arguments of :func:`dractl.simulate`."""

    node_order: Sequence[str] | None
    replicas: Mapping[str, int] | None
    dialect: str | None
    allocate_unreferenced: bool
    scheduler_version: str | None
    scheduler_feature_gates: Mapping[str, bool] | None


def assert_allocates(
    docs: Documents | Simulation,
    pod: str | None = None,
    *,
    node: str | None = None,
    devices: Mapping[str, Devices] | None = None,
    containers: Mapping[str, Devices] | None = None,
    **settings: Unpack[Settings],
) -> Simulation:
    """Assert that ``pod``, NAME or NAMESPACE/NAME, gets its devices; without ``pod`` that all pods do.

    ``docs`` describe a cluster or are its simulation, which is returned. ``devices`` by request, and
    ``containers``, are as in an expectation file: ``DRIVER/POOL/DEVICE``, patterns, lists of these, or
    conditions. ``settings`` are those of :func:`dractl.simulate`.

    Raises AssertionError with the differences and the output of ``dractl simulate``; ValueError for an
    expectation that makes no sense, and what :func:`dractl.simulate` raises.
    """
    __tracebackhide__ = True
    simulation = _simulated(docs, settings)
    if pod is None:
        if node is not None or devices or containers:
            raise ValueError("node, devices and containers require the name of a pod")
        if not simulation.ok:
            waiting, left_out = len(simulation.pending), len(simulation.left_out)
            _fail(f"expected all pods to be allocated; {waiting} pending, {left_out} left out", simulation)
        if not simulation.placements:
            _fail("expected pods with devices; the input has none", simulation)
        return simulation
    facts: dict[str, object] = {"devices": devices or {}}
    facts |= {} if node is None else {"node": node}
    facts |= {} if containers is None else {"containers": containers}
    _compare(pod, facts, simulation)
    if not any(row.pod == full(pod) for row in simulation.placements):
        _fail(f"expected devices for pod {full(pod)}; it requests none", simulation)
    return simulation


def assert_pending(
    docs: Documents | Simulation,
    pod: str,
    *,
    category: str | None = None,
    reason: str | Sequence[str] | None = None,
    when: str | None = None,
    ways_out: Sequence[str | Mapping[str, object]] | None = None,
    nodes: Mapping[str, str] | None = None,
    **settings: Unpack[Settings],
) -> Simulation:
    """Assert that ``pod`` stays Pending, and why.

    ``category`` is one of docs/pending.md, for all nodes or in ``nodes`` for some; ``reason`` are texts that
    its message contains; ``when`` is ``busy`` or ``never``; ``ways_out`` are kinds or fields of changes that
    help. Returns the simulation; ``docs`` and ``settings`` are as in :func:`assert_allocates`.

    Raises as :func:`assert_allocates`.
    """
    __tracebackhide__ = True
    simulation = _simulated(docs, settings)
    named = {"pending": category, "because": reason, "when": when, "waysOut": ways_out, "nodes": nodes}
    facts = {name: value for name, value in named.items() if value is not None}
    _compare(pod, facts, simulation)
    if not any(row.pod == full(pod) for row in simulation.pending):
        _fail(f"expected pod {full(pod)} to be Pending; it is not", simulation)
    return simulation


def assert_legal(
    docs: Documents | Simulation,
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Audit:
    """Assert that all allocations in ``docs``, or after a simulation, are legal, and return the audit.

    The arguments are those of :func:`dractl.audit`; a simulation has a minor and gates of its own. Raises
    AssertionError with the output of ``dractl audit``, and what :func:`dractl.audit` raises.
    """
    __tracebackhide__ = True
    if isinstance(docs, Simulation):
        kube_version, feature_gates = docs.kube_version, docs.feature_gates
        docs = docs.objects
    found = dractl.audit(
        docs, kube_version=kube_version, feature_gates=feature_gates, namespace_labels=namespace_labels
    )
    if not found.ok:
        raise AssertionError(f"expected legal allocations\n\n{audit_report.render(found, _STYLE)}")
    return found


def assert_valid(
    docs: Documents,
    *,
    ignore: Iterable[str] = (),
    warnings: bool = True,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    config_schema: Schemas | None = None,
) -> Report:
    """Assert that ``docs`` have no errors, and no warnings unless ``warnings`` is False; return the report.

    The other arguments are those of :func:`dractl.validate`. Raises AssertionError with the output of
    ``dractl validate``, and what :func:`dractl.validate` raises.
    """
    __tracebackhide__ = True
    report = dractl.validate(
        docs,
        ignore=ignore,
        kube_version=kube_version,
        feature_gates=feature_gates,
        namespace_labels=namespace_labels,
        config_schema=config_schema,
    )
    if not report.ok or (warnings and report.summary.warnings):
        kind = "errors or warnings" if warnings else "errors"
        raise AssertionError(f"expected no {kind}\n\n{text.render(report, _STYLE)}")
    return report


def _simulated(docs: Documents | Simulation, settings: Settings) -> Simulation:
    if not isinstance(docs, Simulation):
        return dractl.simulate(docs, **settings)
    if settings:
        raise TypeError(f"{', '.join(sorted(settings))}: a simulation has its own settings")
    return docs


def _compare(pod: str, facts: Mapping[str, object], simulation: Simulation) -> None:
    __tracebackhide__ = True
    wrong = unmet(pod, facts, simulation)
    if wrong:
        _fail("\n".join(text_of(mismatch_lines(each, _STYLE)).rstrip() for each in wrong), simulation)


def _fail(message: str, simulation: Simulation) -> NoReturn:
    """Raise AssertionError with the output of ``dractl simulate`` under the message."""
    __tracebackhide__ = True
    raise AssertionError(f"{message}\n\n{placements.render(simulation, _STYLE)}")
