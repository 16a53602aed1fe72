"""Parse the options that describe the API server: minor, feature gates, namespace labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dractl.api import gates as gate_table
from dractl.api import names, release
from dractl.api.gates import GateSet
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.workflows.skew import ChosenScheduler

__all__ = [
    "Server",
    "Servers",
    "UsageError",
    "alpha_note",
    "check_dialect",
    "labels_in",
    "pieces",
    "replicas_in",
    "scheduler",
    "server",
    "servers",
]


class UsageError(Exception):
    """An invalid command line; the message is one line, the exit code 2."""

    def __init__(self, option: str, message: str) -> None:
        """Say what is wrong with the value of ``option``."""
        super().__init__(f"{option}: {message}")
        self.option = option
        self.message = message


def check_dialect(dialect: str | None) -> None:
    """Raise UsageError for an unknown dialect."""
    if dialect is None:
        return
    from dractl.workflows.extensions import known_dialect  # few runs name a dialect

    try:
        known_dialect(dialect)
    except ValueError as error:
        raise UsageError("--dialect", str(error)) from None


class Server(NamedTuple):
    """A server's gates (they know its minor), and what is known of the labels of its namespaces."""

    gates: GateSet
    labels: Mapping[str, Mapping[str, str]] | None


def server(kube_version: str, feature_gates: Iterable[str], namespace_labels: Iterable[str]) -> Server:
    """The server that the three options describe; raises UsageError for invalid ones."""
    try:
        minor = release.parse(kube_version)
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    try:
        gates = gate_table.resolve(minor, gate_table.parse_overrides(",".join(feature_gates)))
    except gate_table.GateError as error:
        raise UsageError("--feature-gates", str(error)) from None
    return Server(gates, labels_in(namespace_labels) or None)


def scheduler(
    server: GateSet,
    version: str | None,
    feature_gates: Iterable[str],
    stated: tuple[str | None, Mapping[str, bool]] = (None, MappingProxyType({})),
) -> ChosenScheduler | None:
    """The scheduler of the two options, or that ``stated`` in a scenario; None if it is like the API server.

    Raises UsageError for a version or gates with which no scheduler runs there.
    """
    if version is None and stated[0] is None and not feature_gates and not stated[1]:
        return None
    from dractl.workflows.skew import SkewError, chosen_scheduler  # few simulations have two minors

    try:
        overrides = gate_table.parse_overrides(",".join(feature_gates))
        return chosen_scheduler(server, version or stated[0], {**stated[1], **overrides})
    except (release.UnknownMinorError, SkewError) as error:
        option = "--scheduler-version" if version is not None else "--scenario: schedulerVersion"
        raise UsageError(option, str(error)) from None
    except gate_table.GateError as error:
        option = "--scheduler-feature-gates" if feature_gates else "--scenario: schedulerFeatureGates"
        raise UsageError(option, str(error)) from None


class Servers(NamedTuple):
    """The gates of several servers, one a minor and oldest first, and the labels of their namespaces."""

    gates: list[GateSet]
    labels: Mapping[str, Mapping[str, str]] | None


def servers(kube_versions: str, feature_gates: Iterable[str], namespace_labels: Iterable[str]) -> Servers:
    """The servers of a range of minors; raises UsageError if one of them would not start."""
    try:
        minors = release.parse_range(kube_versions)
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    try:
        gates = gate_table.resolve_each(minors, gate_table.parse_overrides(",".join(feature_gates)))
    except gate_table.GateError as error:
        raise UsageError("--feature-gates", str(error)) from None
    return Servers(gates, labels_in(namespace_labels) or None)


def alpha_note(gate_sets: Iterable[GateSet]) -> str:
    """The warning about enabled alpha gates; empty without any."""
    minors: dict[str, list[str]] = {}
    for gates in gate_sets:
        known = gate_table.gates_of(gates.minor)
        for name, is_on in gates.overrides.items():
            if is_on and name in known and known[name].stage == "alpha":
                minors.setdefault(name, []).append(str(gates.minor))
    if not minors:
        return ""
    listed = ", ".join(f"{name} (in {', '.join(where)})" for name, where in minors.items())
    return f"alpha gates: {listed}; a rollback may lose what is stored with them"


def pieces(values: Iterable[str]) -> list[str]:
    """The parts of an option that may be given several times and holds comma lists."""
    return [piece.strip() for value in values for piece in value.split(",") if piece.strip()]


def replicas_in(values: Iterable[str]) -> dict[str, int]:
    """The numbers of pods that ``--replicas NAME=N`` gives, by name; raises UsageError for anything else."""
    found: dict[str, int] = {}
    for piece in pieces(values):
        name, equals, number = piece.rpartition("=")
        if not name or not equals or not (number.isascii() and number.isdecimal()):
            raise UsageError("--replicas", f"expected NAME=N, got {piece!r}")
        if len(number) > _MOST_DIGITS:
            raise UsageError("--replicas", f"{number} pods exceed what a workload can have")
        found[name] = int(number)
    return found


_MOST_DIGITS = 9
"""No workload has as many replicas: the field is an int32."""


def labels_in(values: Iterable[str]) -> dict[str, dict[str, str]]:
    """The labels that ``--namespace-labels`` gives, by namespace; raises UsageError for anything else."""
    found: dict[str, dict[str, str]] = {}
    for value in values:
        namespace, colon, rest = value.partition(":")
        if not namespace or not colon:
            raise UsageError("--namespace-labels", f"expected NAMESPACE:KEY=VALUE,…, got {value!r}")
        wrong = names.dns_label(namespace)
        if wrong:
            raise UsageError("--namespace-labels", f"invalid namespace {namespace!r}: {wrong[0]}")
        labels = found.setdefault(namespace, {})
        for pair in pieces([rest]):
            key, equals, content = pair.partition("=")
            if not key or not equals:
                raise UsageError("--namespace-labels", f"expected KEY=VALUE, got {pair!r} in {value!r}")
            wrong = (*names.label_key(key), *names.label_value(content))
            if wrong:
                raise UsageError("--namespace-labels", f"invalid label {pair!r} in {value!r}: {wrong[0]}")
            labels[key] = content
    return found
