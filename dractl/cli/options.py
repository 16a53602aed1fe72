"""The options that commands share, and what their texts mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import typer

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.gates import GateSet

__all__ = [
    "Exclude",
    "FeatureGates",
    "KubeVersion",
    "NamespaceLabels",
    "Output",
    "Paths",
    "Quiet",
    "Server",
    "pieces",
    "server",
    "usage_error",
]

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Files, folders (searched for *.yaml, *.yml and *.json), or - for standard input.",
        show_default=False,
    ),
]
KubeVersion = Annotated[
    str, typer.Option("--kube-version", metavar="MINOR", help="The Kubernetes minor to follow.")
]
FeatureGates = Annotated[
    list[str] | None,
    typer.Option(
        "--feature-gates",
        metavar="A=true,B=false",
        help="Feature gates to set beside the defaults of the minor.",
        show_default=False,
    ),
]
NamespaceLabels = Annotated[
    list[str] | None,
    typer.Option(
        "--namespace-labels",
        metavar="NS:K=V,...",
        help="Labels of a namespace, for admin access; once for each namespace. Namespace objects in the "
        "input count too. A namespace that is in neither has no labels then.",
        show_default=False,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="GLOB",
        help="Files in folders to leave out, by path or name; may be given several times.",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="FILE",
        help="Write the result to a file, not to standard output.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say only what makes the exit code other than 0.")]


class Server(NamedTuple):
    """The server that manifests are held against."""

    gates: GateSet
    labels: Mapping[str, Mapping[str, str]] | None


def server(kube_version: str, feature_gates: list[str] | None, namespace_labels: list[str] | None) -> Server:
    """What the three options about the server say together; ends with a usage error if they do not fit."""
    try:
        minor = release.parse(kube_version)
    except release.UnknownMinorError as error:
        raise usage_error("--kube-version", str(error)) from None
    try:
        gates = gate_table.resolve(minor, gate_table.parse_overrides(",".join(feature_gates or ())))
    except gate_table.GateError as error:
        raise usage_error("--feature-gates", str(error)) from None
    return Server(gates, _labels(namespace_labels) if namespace_labels is not None else None)


def pieces(values: list[str] | None) -> list[str]:
    """The parts of an option that may be given several times and holds comma lists."""
    return [piece.strip() for value in values or () for piece in value.split(",") if piece.strip()]


def usage_error(option: str, message: str) -> typer.BadParameter:
    """The error to raise for a value of ``option`` that makes no sense; ends with exit code 2."""
    return typer.BadParameter(message, param_hint=option)


def _labels(values: list[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for value in values:
        namespace, colon, rest = value.partition(":")
        if not namespace or not colon:
            raise usage_error("--namespace-labels", f"{value!r} is not of the form NAMESPACE:KEY=VALUE,…")
        labels = found.setdefault(namespace, {})
        for pair in pieces([rest]):
            key, equals, content = pair.partition("=")
            if not key or not equals:
                raise usage_error("--namespace-labels", f"{pair!r} in {value!r} is not of the form KEY=VALUE")
            labels[key] = content
    return found
