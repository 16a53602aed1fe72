"""``dractl schema``: the JSON Schema of a kind, as editors and kubeconform read it."""

from __future__ import annotations

from collections.abc import Callable

from dractl.api import release
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.cli.reference_options import SchemaOptions
from dractl.cli.server import UsageError, check_dialect
from dractl.cli.terminal import write
from dractl.extensions import ExtensionPoint
from dractl.report import json_
from dractl.versions.registry import DRA_GROUP
from dractl.versions.schema import schema_of, text_of
from dractl.versions.table import Kind, tables
from dractl.workflows.extensions import PROTOTYPES

__all__ = ["print_schema"]

_FILES = {"scenario": "dractl.scenario/1", "test": "dractl.test/1"}
"""The formats of files that users write, by what they are called here."""

_CONFIG = "config"
"""What configuration files are called here."""

_SCHEMAS: ExtensionPoint[Callable[[str, str], JsonDict]] = ExtensionPoint("json-schema")
"""Of a dialect's kinds; raises ValueError for a kind that the dialect does not have."""


def print_schema(options: SchemaOptions) -> int:
    """Write the schema of a kind, or of a format of files, and answer the exit code.

    With a ``dialect`` the kind is one of a prototype API. ``api_version`` may leave the group out
    (``v1beta1``); without it the newest version counts. Raises UsageError for a minor that dractl does not
    know and a kind or version that the minor does not have.
    """
    kind, api_version, dialect, output = options.kind, options.api_version, options.dialect, options.output
    if not kind.strip():
        raise UsageError("KIND", "expected a kind (unset shell variable?)")
    check_dialect(dialect)
    if dialect is not None:
        if api_version is not None:
            raise UsageError("--api-version", "cannot be combined with --dialect, which has only one version")
        return 0 if write(json_.render(_of_prototype(dialect, kind)), output) else 2
    if kind in _FILES and api_version is None:
        from dractl.testing.schemas import FORMATS  # most ask for a kind

        return 0 if write(json_.render(FORMATS[_FILES[kind]]), output) else 2
    if kind == _CONFIG and api_version is None:
        from dractl.cli.settings.schema import config_schema  # as above

        return 0 if write(json_.render(config_schema()), output) else 2
    try:
        minor = release.parse(options.kube_version)
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    return 0 if write(text_of(schema_of(minor, _kind(minor, kind, api_version))), output) else 2


def _of_prototype(dialect: str, kind: str) -> JsonDict:
    try:
        return _SCHEMAS[PROTOTYPES](dialect, kind)
    except ValueError as error:
        raise UsageError("KIND", str(error)) from None


def _kind(minor: Minor, name: str, api_version: str | None) -> Kind:
    kinds = {
        (row.kind.lower(), row.version): row for row in tables(minor).kinds.values() if row.group == DRA_GROUP
    }
    versions = [version for kind, version in kinds if kind == name.lower()]
    if not versions:
        names = sorted({row.kind for row in kinds.values()})
        raise UsageError(
            "KIND", f"Kubernetes {minor} has no kind {name} in {DRA_GROUP} (choose from {', '.join(names)})"
        )
    wanted = versions[0] if api_version is None else api_version.removeprefix(f"{DRA_GROUP}/")
    if wanted not in versions:
        raise UsageError(
            "--api-version",
            f"Kubernetes {minor} has no {name} in {wanted} (choose from {', '.join(versions)})",
        )
    return kinds[(name.lower(), wanted)]
