"""``dractl validate``: the API server's verdict on every object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dractl.api import release
from dractl.api.release import is_range
from dractl.cli.inputs import read, refuse_overwriting
from dractl.cli.server import Servers, UsageError, alpha_note, check_dialect, pieces, servers
from dractl.cli.terminal import format_named, notice, style_for, write
from dractl.finding import Finding, Severity
from dractl.report import formats
from dractl.source.load import Loaded, PathError, Sources, load_paths
from dractl.source.text import SourceError
from dractl.workflows import validate as run
from dractl.workflows.mixed_input import elsewhere

if TYPE_CHECKING:
    from dractl.lint.parameters import ParameterSchemas
    from dractl.lint.report import Report

__all__ = ["validate"]


def validate(  # noqa: PLR0913 - a command has its options
    paths: Sequence[str],
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Sequence[str] = (),
    namespace_labels: Sequence[str] = (),
    exclude: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    config_schema: Sequence[str] = (),
    old: Sequence[str] = (),
    since: str | None = None,
    subresource: str | None = None,
    strict: bool = False,
    allow_empty: bool = False,
    dialect: str | None = None,
    lenient: bool = False,
    report_format: str = "text",
    output: str | None = None,
    quiet: bool = False,
) -> int:
    """Validate what is at ``paths``, write the findings, and answer the exit code.

    The arguments are the texts of the options; a ``kube_version`` such as ``1.33..1.37`` means each minor of
    that range. Raises UsageError where they make no sense.
    """
    over_range = is_range(kube_version)
    if over_range:
        format_named(report_format, formats.VALIDATE_RANGE, "over a range of minors ")
    against = servers(kube_version, feature_gates, namespace_labels)
    if "-" in paths and any(value.endswith("=-") for value in config_schema):
        raise UsageError("--config-schema", "standard input holds either the objects or a schema, not both")
    schemas = _schemas(config_schema)
    refuse_overwriting(output, (value.partition("=")[2] for value in config_schema))
    note = "" if quiet else alpha_note(against.gates)
    _check_past(paths, old, since, subresource)
    is_wanted = _chooser(pieces(select), pieces(ignore))
    check_dialect(dialect)
    inputs = read(paths, exclude, output, may_be_empty=allow_empty, quiet=quiet)
    if inputs is None:
        return 2
    if note:
        notice(note)
    past = _old_state(old, exclude, subresource, output) if old else None
    if since:
        past = _state_at(since, paths, inputs.loaded, exclude, subresource)
    prototype_findings = elsewhere(inputs.loaded, dialect, lenient=lenient)
    task = _Task(
        inputs.loaded, against, [schemas.check] if schemas else [], past, is_wanted, prototype_findings
    )
    if over_range:
        answer = _over_range(task, report_format, output, strict=strict, quiet=quiet)
    else:
        answer = _by_one(task, report_format, output, strict=strict, quiet=quiet)
    if not write(answer.text, output):
        return 2
    for schema in schemas.unused() if schemas and not quiet else ():
        where = f"no document has parameters of {schema.driver} with kind {schema.kind}"
        notice(f"{where}; {schema.file} checks nothing")
    return inputs.exit_code(failed=answer.failed)


class _Task(NamedTuple):
    """What is validated, against what, and what of the findings is wanted (None: all).

    ``prototype_findings`` are the objects of prototype APIs, judged already.
    """

    loaded: Sequence[Loaded]
    against: Servers
    checks: Sequence[run.Check]
    past: run.EarlierState | None
    is_wanted: Callable[[Finding], bool] | None
    prototype_findings: run.Elsewhere | None


class _Answer(NamedTuple):
    """The text of the result, and whether it makes the command fail."""

    text: str
    failed: bool


def _by_one(task: _Task, report_format: str, output: str | None, *, strict: bool, quiet: bool) -> _Answer:
    (gates,) = task.against.gates
    report = run.validate(
        task.loaded, gates, task.against.labels, task.checks, task.past, task.prototype_findings
    )
    if task.is_wanted is not None:
        from dractl.lint.selection import only  # noqa: PLC0415 - few runs choose rules

        report = only(report, task.is_wanted)
    failed = not report.ok or (strict and report.summary.warnings > 0)
    is_failing = _is_failing(strict=strict)

    def failing(found: Report) -> Report:
        from dractl.lint.selection import only  # noqa: PLC0415

        return only(found, is_failing)

    chosen = format_named(report_format, formats.VALIDATE)
    return _Answer(chosen.render(report, style_for(output), quiet=quiet, failing=failing), failed)


def _over_range(task: _Task, report_format: str, output: str | None, *, strict: bool, quiet: bool) -> _Answer:
    from dractl.workflows.matrix import validate_range  # noqa: PLC0415 - few runs ask several minors

    matrix = validate_range(
        task.loaded, task.against.gates, task.against.labels, task.checks, task.past, task.prototype_findings
    )
    if task.is_wanted is not None:
        matrix = matrix.only(task.is_wanted)
    warned = any(summary.warnings for summary in matrix.summaries.values())
    failed = not matrix.ok or (strict and warned)
    is_failing = _is_failing(strict=strict)
    chosen = format_named(report_format, formats.VALIDATE_RANGE)
    text = chosen.render(matrix, style_for(output), quiet=quiet, failing=lambda found: found.only(is_failing))
    return _Answer(text, failed)


def _check_past(paths: Sequence[str], old: Sequence[str], since: str | None, subresource: str | None) -> None:
    if since is not None and not since.strip():
        raise UsageError("--since", "no commit is named; is a variable empty?")
    if any(not path for path in old):
        raise UsageError("--old", "no path is named; is a variable empty?")
    if old and since:
        raise UsageError("--since", "the earlier state comes from --old or from --since, not from both")
    if "-" in old and "-" in paths:
        raise UsageError("--old", "standard input holds either the earlier state or the new one, not both")
    if since and "-" in paths:
        raise UsageError("--since", "standard input has no earlier state in git; name files or folders")
    if subresource is None:
        return
    if subresource != "status":
        raise UsageError(
            "--subresource", f"{subresource!r} is no subresource that dractl knows; there is status"
        )
    if not old and not since:
        raise UsageError(
            "--subresource", "a status update starts from an earlier state; give --old or --since"
        )


def _old_state(
    old: Sequence[str], exclude: Sequence[str], subresource: str | None, output: str | None
) -> run.EarlierState:
    """The earlier state at ``old``; raises UsageError if any of it cannot be read."""
    from dractl.lint.earlier import Earlier  # noqa: PLC0415 - few runs look back

    sources = Sources()
    loaded = load_paths(old, exclude=exclude, sources=sources)
    refuse_overwriting(output, sources.files)
    for item in loaded:
        if isinstance(item, PathError):
            raise UsageError("--old", f"{item.path}: {item.message}")
        if isinstance(item, SourceError):
            raise UsageError("--old", f"{item.file}:{item.line}:{item.column}: {item.message}")
    return run.EarlierState(Earlier(loaded), subresource or "")


def _state_at(
    ref: str, paths: Sequence[str], loaded: Sequence[Loaded], exclude: Sequence[str], subresource: str | None
) -> run.EarlierState:
    """The earlier state in a commit; raises UsageError if git cannot give it.

    A file may be broken there, and the next commit mend it: then its earlier state is unknown.
    """
    from dractl.lint.earlier import Earlier  # noqa: PLC0415
    from dractl.source.git import GitError, load_at  # noqa: PLC0415 - few runs ask git

    files = dict.fromkeys(item.file for item in loaded if not isinstance(item, PathError))
    found = load_at(ref, paths, files=files, exclude=exclude)
    if isinstance(found, GitError):
        raise UsageError("--since", found.message)
    broken = []
    for item in (*found.loaded, *found.moved):
        if isinstance(item, SourceError):
            notice(f"warning: --since: {item.file}:{item.line}:{item.column}: {item.message}")
            broken.append(item.file)
    earlier = Earlier(
        found.loaded,
        moved=found.moved,
        stayed=found.stayed,
        homes=found.homes,
        unknown=found.unknown,
        hidden=(*found.hidden, *broken),
    )
    return run.EarlierState(earlier, subresource or "")


def _chooser(select: list[str], ignore: list[str]) -> Callable[[Finding], bool] | None:
    if not select and not ignore:
        return None
    from dractl.lint.catalog import UnknownRuleError  # noqa: PLC0415 - few runs choose rules
    from dractl.lint.selection import chooser  # noqa: PLC0415

    try:
        return chooser(select, ignore)
    except UnknownRuleError as error:
        raise UsageError("--select or --ignore", str(error)) from None


def _is_failing(*, strict: bool) -> Callable[[Finding], bool]:
    """Whether a finding makes the exit code other than 0."""
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return lambda finding: finding.severity in failing


def _schemas(values: Sequence[str]) -> ParameterSchemas | None:
    """The schemas for parameters that the option names; raises UsageError if one cannot be used."""
    if not values:
        return None
    from dractl.lint import parameters  # noqa: PLC0415 - few runs bring schemas

    found: list[parameters.ParameterSchema] = []
    for value in values:
        name, equals, file = value.partition("=")
        driver, slash, kind = name.partition("/")
        if not (driver and slash and kind and equals and file):
            raise UsageError("--config-schema", f"{value!r} is not of the form DRIVER/KIND=FILE")
        if any((schema.driver, schema.kind) == (driver, kind) for schema in found):
            raise UsageError("--config-schema", f"{name} has a schema already; name each kind only once")
        try:
            found.append(parameters.read_schema(driver, kind, file))
        except parameters.SchemaFileError as error:
            raise UsageError("--config-schema", str(error)) from None
    return parameters.ParameterSchemas(found)
