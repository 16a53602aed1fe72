"""The public functions about manifests: validated, fixed, converted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from dractl.api import arguments, gates, release
from dractl.api.arguments import FieldValidation
from dractl.api.arguments import check_server as _check
from dractl.api.json_types import JsonObject
from dractl.lint.report import Report
from dractl.source.load import Names
from dractl.source.load import load_or_raise as _read
from dractl.source.text import SourceError
from dractl.workflows import validate as run
from dractl.workflows.mixed_input import findings_of_prototypes

if TYPE_CHECKING:
    from dractl.conversion.result import Conversion
    from dractl.finding import Finding
    from dractl.fixing.model import Fixing
    from dractl.workflows.matrix import Matrix

Documents = str | os.PathLike[str] | JsonObject | Iterable[str | os.PathLike[str] | JsonObject]
"""YAML text (never a path), a PathLike for a file or folder, a mapping for an object; or an iterable."""

Schemas = Mapping[str, os.PathLike[str] | JsonObject]
"""JSON Schemas of opaque parameters by ``DRIVER/KIND``, each a path or the schema itself."""


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
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    config_schema: Schemas | None = None,
) -> Report:
    """Validate ``docs`` as the API server of ``kube_version`` would.

    An object is validated as new or, if ``old`` (in the same forms as ``docs``) contains its earlier
    version, as an update; with ``subresource="status"`` as a status update. ``feature_gates`` overrides the
    defaults of the minor. ``namespace_labels`` maps namespaces to their labels, for admin access; without
    it, only the labels of Namespace objects in ``docs`` are known. Objects of prototype APIs have their own
    rules: ``dialect`` selects the dialect if their shape is ambiguous, ``lenient`` downgrades to warnings
    what the example files use. ``field_validation`` is the parameter ``fieldValidation`` of the request:
    with ``warn`` and ``ignore`` unknown and duplicate fields are dropped, and the rest is validated.
    ``select`` and ``ignore`` are rule ids or globs: only these findings, or all but these, are in the report.
    ``config_schema`` has JSON Schemas for the opaque parameters of drivers.

    Raises TypeError for arguments of a wrong type; release.UnknownMinorError and gates.GateError (both
    ValueErrors) for an unsupported minor and an invalid combination of gates; ValueError for an unsupported
    subresource or ``field_validation``, a subresource without ``old``, an unreadable ``old``, an unknown rule
    and an invalid schema; OSError for a path that cannot be opened.
    """
    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_field_validation(field_validation)
    if release.is_range(kube_version):
        raise release.UnknownMinorError(f"{kube_version!r} is a range of minors; use dractl.validate_range")
    is_wanted, checks = _chooser(select, ignore), _checks(config_schema)
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    loaded = _read(docs)
    prototype_findings = findings_of_prototypes(loaded, dialect, lenient=lenient)
    report = run.validate(
        loaded,
        gate_set,
        namespace_labels,
        checks,
        past=_past(old, subresource),
        prototypes=prototype_findings,
        field_validation=field_validation,
    )
    if is_wanted is None:
        return report
    from dractl.lint.selection import only  # few calls choose rules

    return only(report, is_wanted)


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
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    config_schema: Schemas | None = None,
) -> Matrix:
    """Validate ``docs`` for each minor of a range such as ``1.33..1.37``.

    The other arguments are those of :func:`validate`; ``feature_gates`` applies to every minor, and
    ``1.33:NAME`` to one of them.

    Raises what :func:`validate` raises; GateError names the minor that does not allow the gates.
    """
    from dractl.workflows.matrix import validate_range as run_range  # few look at several

    _check(kube_versions, feature_gates, namespace_labels)
    arguments.check_field_validation(field_validation)
    is_wanted, checks = _chooser(select, ignore), _checks(config_schema)
    gate_sets = gates.resolve_each(release.parse_range(kube_versions), feature_gates)
    loaded = _read(docs)
    prototype_findings = findings_of_prototypes(loaded, dialect, lenient=lenient)
    matrix = run_range(
        loaded,
        gate_sets,
        namespace_labels,
        checks,
        past=_past(old, subresource),
        prototypes=prototype_findings,
        field_validation=field_validation,
    )
    return matrix if is_wanted is None else matrix.only(is_wanted)


def _chooser(select: Iterable[str], ignore: Iterable[str]) -> Callable[[Finding], bool] | None:
    arguments.check_rules(select, "select")
    arguments.check_rules(ignore, "ignore")
    chosen, left = list(select), list(ignore)
    if not chosen and not left:
        return None
    from dractl.lint.selection import chooser  # few calls choose rules

    return chooser(chosen, left)


def _checks(config_schema: Schemas | None) -> list[run.Check]:
    arguments.check_schemas(config_schema)
    if not config_schema:
        return []
    from dractl.lint import parameters  # few calls bring schemas

    found = []
    for name, schema in config_schema.items():
        driver, _, kind = name.partition("/")
        if isinstance(schema, Mapping):
            found.append(parameters.schema_of(driver, kind, name, dict(schema)))
        else:
            found.append(parameters.read_schema(driver, kind, os.fspath(schema)))
    return [parameters.ParameterSchemas(found).check]


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
    change the meaning. For a range of minors, a fix must not lead to a new error in any of them. An object (a
    mapping) is fixed as YAML text, which ``files`` calls ``<object>``. ``to_dict`` gives a JSON document. The
    other arguments are those of :func:`validate`.

    Raises what :func:`validate` raises.
    """
    from dractl.fixing.model import Question  # few fix anything
    from dractl.fixing.run import fix as run_fix
    from dractl.fixing.texts import with_texts

    _check(kube_version, feature_gates, namespace_labels)
    arguments.check_field_validation(field_validation)
    loaded = with_texts(_read(docs))
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
    if kube_version is not None:
        arguments.check_minor(kube_version)
    from dractl.conversion.target import target_of  # a validation need not load it
    from dractl.workflows.convert import convert as run_conversion

    return run_conversion(_read(docs), target_of(to, kube_version), lossy=lossy, dialect=dialect)
