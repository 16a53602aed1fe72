"""``dractl validate``: the API server's verdict on every object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dractl.api.release import is_range
from dractl.cli.inputs import Inputs, read, refuse_overwriting
from dractl.cli.options import ValidateOptions
from dractl.cli.server import Servers, UsageError, alpha_note, check_dialect, pieces, servers
from dractl.cli.terminal import Target, notice, report_aside, style_for, targets, write, write_data
from dractl.finding import Finding, Severity
from dractl.report import formats
from dractl.source.load import Loaded, PathError, Sources, load_paths
from dractl.source.text import SourceError
from dractl.workflows import validate as run
from dractl.workflows.mixed_input import findings_of_prototypes

if TYPE_CHECKING:
    from dractl.cli.fixing import Stdin
    from dractl.lint.parameters import ParameterSchemas
    from dractl.lint.report import Report
    from dractl.workflows.matrix import Matrix

__all__ = ["validate"]


def validate(options: ValidateOptions) -> int:
    """Validate what is at the paths, write the findings, and return the exit code.

    A ``kube_version`` such as ``1.33..1.37`` means each minor of that range. Raises UsageError for invalid
    options.
    """
    output, quiet = options.output, options.quiet
    over_range = is_range(options.kube_version)
    wanted: Sequence[Target[Report]] = ()
    wanted_of_range: Sequence[Target[Matrix]] = ()
    if over_range:
        known = formats.VALIDATE_RANGE
        wanted_of_range = targets(options.report_format, known, output, " for a range of minors")
    else:
        wanted = targets(options.report_format, formats.VALIDATE, output)
    against = servers(options.kube_version, options.feature_gates, options.namespace_labels)
    if "-" in options.paths and any(value.endswith("=-") for value in options.config_schema):
        raise UsageError("--config-schema", "standard input can hold the objects or a schema, not both")
    schemas = _schemas(options.config_schema)
    files = [target.file for target in wanted] + [target.file for target in wanted_of_range]
    for file in files:
        refuse_overwriting(file, (value.partition("=")[2] for value in options.config_schema))
    note = "" if quiet else alpha_note(against.gates)
    _check_past(options)
    stdin = None
    if options.fix or options.diff or options.unsafe_fixes:
        from dractl.cli import fixing  # few runs fix anything

        fixing.check(options)
        stdin = fixing.Stdin() if fixing.is_to_stdout(options) else None
    is_wanted = _chooser(pieces(options.select), pieces(options.ignore))
    check_dialect(options.dialect)
    inputs = read(
        options.paths, options.exclude, output, may_be_empty=options.allow_empty, quiet=quiet, stdin=stdin
    )
    if inputs is None:
        if stdin is not None:
            write_data(stdin.getvalue())
        return 2
    if note:
        notice(note)
    past = _old_state(options) if options.old else None
    if options.since:
        past = _state_at(options.since, options, inputs.loaded)
    prototype_findings = findings_of_prototypes(inputs.loaded, options.dialect, lenient=options.lenient)
    checks = [schemas.check] if schemas else []
    task = _Task(inputs.loaded, against, checks, past, is_wanted, prototype_findings)
    if options.fix or options.diff:
        fixed = _fixed(task, options, inputs, stdin)
        if isinstance(fixed, int):
            return fixed
        inputs = fixed
        again = findings_of_prototypes(inputs.loaded, options.dialect, lenient=options.lenient)
        task = task._replace(loaded=inputs.loaded, prototype_findings=again)
    texts, failed = (
        _over_range(task, options, wanted_of_range) if over_range else _by_one(task, options, wanted)
    )
    for file in files:
        refuse_overwriting(file, inputs.files, "--output" if file == output else "--format")
    # Each is written, also after one that could not be.
    written = [
        _write(text, file, is_aside=stdin is not None) for text, file in zip(texts, files, strict=True)
    ]
    if not all(written):
        return 2
    for schema in schemas.unused() if schemas and not quiet else ():
        where = f"no document has parameters of {schema.driver} with kind {schema.kind}"
        notice(f"{where}; {schema.file} is unused")
    return inputs.exit_code(failed=failed)


def _write(text: str, file: str | None, *, is_aside: bool) -> bool:
    """Write a report; where standard output holds the fixed text, to standard error."""
    if file is None and is_aside:
        report_aside(text)
        return True
    return write(text, file)


class _Task(NamedTuple):
    """What to validate, against which servers, and which findings to report (None: all).

    ``prototype_findings`` are those of prototype APIs, validated before.
    """

    loaded: Sequence[Loaded]
    against: Servers
    checks: Sequence[run.Check]
    past: run.EarlierState | None
    is_wanted: Callable[[Finding], bool] | None
    prototype_findings: run.PrototypeFindings | None


def _fixed(task: _Task, options: ValidateOptions, inputs: Inputs, stdin: Stdin | None) -> Inputs | int:
    """The input after its fixes; the exit code where the run ends with them."""
    from dractl.cli.fixing import fixed  # few runs fix anything
    from dractl.fixing.model import Question

    question = Question(
        task.against.gates,
        task.against.labels,
        task.checks,
        task.past,
        options.field_validation,
        task.is_wanted or (lambda _: True),
        options.unsafe_fixes,
    )
    return fixed(inputs, question, task.prototype_findings, options, stdin)


def _by_one(
    task: _Task, options: ValidateOptions, wanted: Sequence[Target[Report]]
) -> tuple[Sequence[str], bool]:
    """The result for one minor in each format, and whether it makes the command fail."""
    (gates,) = task.against.gates
    report = run.validate(
        task.loaded,
        gates,
        task.against.labels,
        task.checks,
        task.past,
        task.prototype_findings,
        field_validation=options.field_validation,
    )
    if task.is_wanted is not None:
        report = _only(report, task.is_wanted)
    is_failing = _is_failing(options)
    failed = not report.ok or any(
        map(is_failing, (*report.findings, *(entry.first for entry in report.unlisted)))
    )
    _tell_outside(options, report.findings)
    texts = [
        target.format.render(
            report,
            style_for(target.file),
            quiet=options.quiet,
            failing=lambda found: _only(found, is_failing),
        )
        for target in wanted
    ]
    return texts, failed


def _only(report: Report, is_wanted: Callable[[Finding], bool]) -> Report:
    from dractl.lint.selection import only  # few runs choose rules or are quiet

    return only(report, is_wanted)


def _over_range(
    task: _Task, options: ValidateOptions, wanted: Sequence[Target[Matrix]]
) -> tuple[Sequence[str], bool]:
    """The same for each minor of a range."""
    from dractl.workflows.matrix import validate_range  # few runs ask several minors

    matrix = validate_range(
        task.loaded,
        task.against.gates,
        task.against.labels,
        task.checks,
        task.past,
        task.prototype_findings,
        field_validation=options.field_validation,
    )
    if task.is_wanted is not None:
        matrix = matrix.only(task.is_wanted)
    is_failing = _is_failing(options)
    failed = not matrix.ok or any(
        summary.warnings for summary in matrix.only(is_failing).summaries.values() if options.strict
    )
    _tell_outside(options, [row.finding for row in matrix.findings])
    texts = [
        target.format.render(
            matrix,
            style_for(target.file),
            quiet=options.quiet,
            failing=lambda found: found.only(is_failing),
        )
        for target in wanted
    ]
    return texts, failed


def _check_past(options: ValidateOptions) -> None:
    paths, old, since, subresource = options.paths, options.old, options.since, options.subresource
    if since is not None and not since.strip():
        raise UsageError("--since", "expected a commit (unset shell variable?)")
    if any(not path for path in old):
        raise UsageError("--old", "expected a path (unset shell variable?)")
    if old and since:
        raise UsageError("--since", "cannot be combined with --old")
    if "-" in old and "-" in paths:
        raise UsageError("--old", "standard input can hold the earlier state or the new one, not both")
    if since and "-" in paths:
        raise UsageError("--since", "standard input has no history in git; name files or folders")
    if subresource is None:
        return
    if subresource != "status":
        raise UsageError("--subresource", f"unsupported subresource {subresource!r} (only 'status')")
    if not old and not since:
        raise UsageError("--subresource", "requires --old or --since")


def _old_state(options: ValidateOptions) -> run.EarlierState:
    """The earlier state at ``--old``; raises UsageError if any of it cannot be read."""
    from dractl.lint.earlier import Earlier  # few runs look back

    sources = Sources()
    loaded = load_paths(options.old, exclude=options.exclude, sources=sources)
    refuse_overwriting(options.output, sources.files)
    for item in loaded:
        if isinstance(item, PathError):
            raise UsageError("--old", f"{item.path}: {item.message}")
        if isinstance(item, SourceError):
            raise UsageError("--old", f"{item.file}:{item.line}:{item.column}: {item.message}")
    return run.EarlierState(Earlier(loaded), options.subresource or "")


def _state_at(ref: str, options: ValidateOptions, loaded: Sequence[Loaded]) -> run.EarlierState:
    """The earlier state in a commit; raises UsageError if git cannot provide it.

    If a file is broken in that commit, its earlier state is unknown.
    """
    from dractl.lint.earlier import Earlier
    from dractl.source.git import GitError, load_at  # few runs ask git

    files = dict.fromkeys(item.file for item in loaded if not isinstance(item, PathError))
    found = load_at(ref, options.paths, files=files, exclude=options.exclude)
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
    return run.EarlierState(earlier, options.subresource or "")


def _chooser(select: list[str], ignore: list[str]) -> Callable[[Finding], bool] | None:
    if not select and not ignore:
        return None
    from dractl.lint.catalog import UnknownRuleError  # few runs choose rules
    from dractl.lint.selection import chooser

    try:
        return chooser(select, ignore)
    except UnknownRuleError as error:
        raise UsageError("--select or --ignore", str(error)) from None


def _is_failing(options: ValidateOptions) -> Callable[[Finding], bool]:
    """Whether a finding makes the exit code other than 0.

    With ``--strict`` warnings do, but for those about objects that are only missing from the input: otherwise
    one more file could make a run fail.
    """
    if not options.strict:
        return lambda finding: finding.severity is Severity.ERROR
    from dractl.lint.selection import OUTSIDE  # few runs choose rules or are strict

    ignored = frozenset() if options.closed_world else OUTSIDE
    failing = {Severity.ERROR, Severity.WARNING}
    return lambda finding: (
        finding.severity in failing and (finding.severity is Severity.ERROR or finding.rule not in ignored)
    )


def _tell_outside(options: ValidateOptions, findings: Iterable[Finding]) -> None:
    """Say which warnings ``--strict`` does not count."""
    if not options.strict or options.closed_world or options.quiet:
        return
    from dractl.lint.selection import OUTSIDE

    number = sum(finding.rule in OUTSIDE for finding in findings)
    if number:
        warnings = "1 warning" if number == 1 else f"{number} warnings"
        notice(f"--strict ignores {warnings} about objects that are not in the input; see --closed-world")


def _schemas(values: Sequence[str]) -> ParameterSchemas | None:
    """The schemas for parameters that the option names; raises UsageError if one cannot be used."""
    if not values:
        return None
    from dractl.lint import parameters  # few runs bring schemas

    found: list[parameters.ParameterSchema] = []
    for value in values:
        name, equals, file = value.partition("=")
        driver, slash, kind = name.partition("/")
        if not (driver and slash and kind and equals and file):
            raise UsageError("--config-schema", f"expected DRIVER/KIND=FILE, got {value!r}")
        if any((schema.driver, schema.kind) == (driver, kind) for schema in found):
            raise UsageError("--config-schema", f"duplicate schema for {name}; name each kind only once")
        try:
            found.append(parameters.read_schema(driver, kind, file))
        except parameters.SchemaFileError as error:
            raise UsageError("--config-schema", str(error)) from None
    return parameters.ParameterSchemas(found)
