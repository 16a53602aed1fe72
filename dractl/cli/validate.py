"""``dractl validate``: the API server's verdict on every object."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from dractl.api import release
from dractl.cli import options
from dractl.cli.terminal import notice, style_for, write

if TYPE_CHECKING:
    from dractl.validation.parameters import ParameterSchemas
    from dractl.validation.report import Report

__all__ = ["validate"]


class FindingFormat(StrEnum):
    """How findings can be written."""

    TEXT = "text"
    JSON = "json"


def validate(  # noqa: PLR0913 - a command has its options
    paths: options.Paths,
    *,
    kube_version: options.KubeVersion = str(release.NEWEST),
    feature_gates: options.FeatureGates = None,
    namespace_labels: options.NamespaceLabels = None,
    exclude: options.Exclude = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID,...",
            help="Only these rules; globs such as request/* mean several.",
            show_default=False,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="ID,...", help="All rules but these.", show_default=False),
    ] = None,
    config_schema: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DRIVER/KIND=FILE",
            help="A JSON Schema for the opaque parameters of a driver that are of this kind; what it does "
            "not allow is a warning.",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    finding_format: Annotated[
        FindingFormat, typer.Option("--format", help="How findings are written.")
    ] = FindingFormat.TEXT,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Say what the API server of a Kubernetes minor would say to every object.

    Objects of resource.k8s.io are judged in full, pods and workloads by structure, metadata and their DRA
    parts. Exit code: 0 no errors, 1 errors, 2 wrong usage or nothing to read.
    """
    server = options.server(kube_version, feature_gates, namespace_labels)
    from dractl.cli.inputs import read  # noqa: PLC0415 - what follows costs time that --help need not spend
    from dractl.validation.run import validate as run  # noqa: PLC0415

    schemas = _schemas(config_schema)
    inputs = read(paths, exclude)
    everything = run(inputs.loaded, server.gates, server.labels, [schemas.check] if schemas else ())
    report = _selected(everything, options.pieces(select), options.pieces(ignore))
    failed = not report.ok or (strict and report.summary.warnings > 0)
    write(_rendered(report, finding_format, output, strict=strict, quiet=quiet), output)
    if schemas and not quiet:
        for schema in schemas.unused():
            where = f"no document has parameters of {schema.driver} with kind {schema.kind}"
            notice(f"{where}; {schema.file} checks nothing")
    raise typer.Exit(inputs.exit_code(failed=failed))


def _selected(report: Report, select: list[str], ignore: list[str]) -> Report:
    if not select and not ignore:
        return report
    from dractl.validation.catalog import UnknownRuleError  # noqa: PLC0415 - few runs choose rules
    from dractl.validation.selection import selected  # noqa: PLC0415

    try:
        return selected(report, select, ignore)
    except UnknownRuleError as error:
        raise options.usage_error("--select or --ignore", str(error)) from None


def _rendered(
    report: Report, finding_format: FindingFormat, output: str | None, *, strict: bool, quiet: bool
) -> str:
    if finding_format is FindingFormat.JSON:
        from dractl.report import json_  # noqa: PLC0415 - a run needs one format

        return json_.render(report.to_dict())
    from dractl.finding import Severity  # noqa: PLC0415
    from dractl.report import text  # noqa: PLC0415
    from dractl.validation.selection import only  # noqa: PLC0415

    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    shown = only(report, lambda finding: finding.severity in failing) if quiet else report
    return text.render(shown, style_for(output), summary=not quiet)


def _schemas(values: list[str] | None) -> ParameterSchemas | None:
    """The schemas for parameters; ends with a usage error if one cannot be used."""
    if not values:
        return None
    from dractl.validation import parameters  # noqa: PLC0415 - few runs bring schemas

    found = []
    for value in values:
        name, equals, file = value.partition("=")
        driver, slash, kind = name.partition("/")
        if not (driver and slash and kind and equals and file):
            raise options.usage_error("--config-schema", f"{value!r} is not of the form DRIVER/KIND=FILE")
        try:
            found.append(parameters.read_schema(driver, kind, file))
        except parameters.SchemaFileError as error:
            raise options.usage_error("--config-schema", str(error)) from None
    return parameters.ParameterSchemas(found)
