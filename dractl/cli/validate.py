"""``dractl validate``: the API server's verdict on every object."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dractl.api.release import is_range
from dractl.cli.inputs import Destination, Inputs, read, refuse_overwriting
from dractl.cli.manifests.choosing import (
    baseline_of,
    check_baseline,
    chooser_of,
    elsewhere_of,
    external_in,
    is_failing,
    schemas_in,
    tell_outside,
    write_baseline,
)
from dractl.cli.manifests.earlier import check_old, read_old
from dractl.cli.options import ValidateOptions
from dractl.cli.server import Servers, UsageError, alpha_note, check_dialect, servers
from dractl.cli.sharing.share import link_of
from dractl.cli.terminal import Target, notice, report_aside, style_for, targets, write, write_data
from dractl.finding import Finding
from dractl.records import NamedTuple
from dractl.report import formats
from dractl.source.document import Document
from dractl.source.load import STDIN, Loaded, PathError
from dractl.source.text import SourceError
from dractl.workers import WORKERS, WorkerError
from dractl.workflows import validate as run
from dractl.workflows.mixed_input import findings_of_prototypes

if TYPE_CHECKING:
    from dractl.cli.manifests.fixing import Stdin
    from dractl.lint.base.elsewhere import Elsewhere
    from dractl.lint.parameters import ParameterSchemas
    from dractl.lint.report import Report
    from dractl.lint.suppression.baseline import Baseline
    from dractl.lint.suppression.comments import Ignores
    from dractl.lint.suppression.silencer import Silencer
    from dractl.workflows.matrix import Matrix

__all__ = ["validate"]


def validate(options: ValidateOptions) -> int:
    """Validate what is at the paths, write the findings, and return the exit code.

    A ``kube_version`` such as ``1.33..1.37`` means each minor of that range. Raises UsageError for invalid
    options.
    """
    with WORKERS.using(_number_of(options.jobs)):
        try:
            return _validated(options)
        except WorkerError as error:
            notice(str(error))
            return 2


def _number_of(jobs: str) -> int | None:
    """How many processes to use; None for ``auto``. Raises UsageError."""
    if jobs == "auto":
        return None
    if not re.fullmatch("[1-9][0-9]{0,3}", jobs):
        raise UsageError("--jobs", f"must be auto or a number of processes, not {jobs!r}")
    return int(jobs)


def _validated(options: ValidateOptions) -> int:
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
    schemas = schemas_in(options.config_schema)
    everywhere: list[Destination] = [*wanted, *wanted_of_range]
    refuse_overwriting(everywhere, (value.partition("=")[2] for value in options.config_schema))
    check_baseline(options, everywhere)
    note = "" if quiet else alpha_note(against.gates)
    _check_past(options)
    _check_share(options)
    stdin = _stdin_to_fix(options)
    is_wanted = chooser_of(options)
    external = external_in(options.external)
    baseline = baseline_of(options)
    check_dialect(options.dialect)
    inputs = read(
        options.paths,
        options.exclude,
        everywhere,
        world=options.world,
        stdin_name=_stdin_name(options),
        may_be_empty=options.allow_empty,
        quiet=quiet,
        stdin=stdin,
        keeps_contents=options.share,
    )
    if inputs is None:
        if stdin is not None:
            write_data(stdin.getvalue())
        return 2
    link = link_of(inputs, options, against.gates[-1], "findings")
    if note:
        notice(note)
    past = None
    if options.old:
        earlier = read_old(options.old, options.exclude, everywhere)
        past = run.EarlierState(earlier, options.subresource or "")
    if options.since:
        past = _state_at(options.since, options, inputs.loaded)
    prototype_findings = findings_of_prototypes(inputs.loaded, options.dialect, lenient=options.lenient)
    task = _Task(
        inputs,
        against,
        [schemas.check] if schemas else [],
        past,
        is_wanted,
        prototype_findings,
        elsewhere_of(inputs, external),
        baseline,
    )
    if options.fix or options.diff:
        fixed = _fixed(task, options, stdin)
        if isinstance(fixed, int):
            return fixed
        inputs = fixed
        again = findings_of_prototypes(inputs.loaded, options.dialect, lenient=options.lenient)
        task = task._replace(
            inputs=inputs, prototype_findings=again, elsewhere=elsewhere_of(inputs, external)
        )
    done = _over_range(task, options, wanted_of_range) if over_range else _by_one(task, options, wanted)
    if options.write_baseline:
        return write_baseline(options, inputs, done.findings)
    # Each is written, also after one that could not be.
    written = [
        _write(text, target.file, is_aside=stdin is not None)
        for text, target in zip(done.texts, everywhere, strict=True)
    ]
    if not all(written):
        return 2
    if schemas and not quiet:
        _tell_unused(schemas)
    link.tell()
    return inputs.exit_code(failed=done.failed)


def _stdin_to_fix(options: ValidateOptions) -> Stdin | None:
    """Standard input where its fixed text goes to standard output; raises UsageError for odd options."""
    if not (options.fix or options.diff or options.unsafe_fixes):
        return None
    from dractl.cli.manifests import fixing  # few runs fix anything

    fixing.check(options)
    return fixing.Stdin() if fixing.is_to_stdout(options) else None


def _tell_unused(schemas: ParameterSchemas) -> None:
    for schema in schemas.unused():
        where = f"no document has parameters of {schema.driver} with kind {schema.kind}"
        notice(f"{where}; {schema.file} is unused")


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

    inputs: Inputs
    against: Servers
    checks: Sequence[run.Check]
    past: run.EarlierState | None
    is_wanted: Callable[[Finding], bool] | None
    prototype_findings: run.PrototypeFindings | None
    elsewhere: Elsewhere | None
    baseline: Baseline | None

    @property
    def loaded(self) -> Sequence[Loaded]:
        """The documents."""
        return self.inputs.loaded

    def silencer(self) -> Silencer | None:
        """What takes out known findings; None without comments and baseline."""
        ignores = self._ignores()
        if ignores is None and self.baseline is None:
            return None
        from dractl.lint.suppression.silencer import Silencer  # few runs have any

        return Silencer(ignores, self.baseline, self.inputs.files)

    def is_to_fix(self) -> Callable[[Finding], bool]:
        """Whether a finding is to be fixed: it is wanted, and no comment names its rule."""
        is_wanted, ignores = self.is_wanted or (lambda _: True), self._ignores()
        if ignores is None:
            return is_wanted
        return lambda finding: is_wanted(finding) and not ignores.names(finding)

    def _ignores(self) -> Ignores | None:
        documents = [item for item in self.loaded if isinstance(item, Document)]
        # Documents share the text of their file.
        texts = {document.file: document.text or "" for document in documents}
        if not any("dractl:" in text for text in texts.values()):
            return None
        from dractl.lint.catalog import known_ids  # few runs have any
        from dractl.lint.suppression.comments import Ignores

        return Ignores(documents, known_ids())


class _Done(NamedTuple):
    """The result in each format, whether it makes the command fail, and the findings."""

    texts: Sequence[str]
    failed: bool
    findings: Sequence[Finding]


def _fixed(task: _Task, options: ValidateOptions, stdin: Stdin | None) -> Inputs | int:
    """The input after its fixes; the exit code where the run ends with them."""
    from dractl.cli.manifests.fixing import fixed  # few runs fix anything
    from dractl.fixing.model import Question

    question = Question(
        task.against.gates,
        task.against.labels,
        task.checks,
        task.past,
        options.field_validation,
        task.is_to_fix(),
        options.unsafe_fixes,
    )
    return fixed(task.inputs, question, task.prototype_findings, options, stdin)


def _by_one(task: _Task, options: ValidateOptions, wanted: Sequence[Target[Report]]) -> _Done:
    """The result for one minor."""
    (gates,) = task.against.gates
    report = run.validate(
        task.loaded,
        gates,
        task.against.labels,
        task.checks,
        task.past,
        task.prototype_findings,
        field_validation=options.field_validation,
        elsewhere=task.elsewhere,
    )
    silencer = task.silencer()
    if silencer is not None:
        from dractl.lint.suppression.silencer import silenced  # few runs have known findings

        report = silenced(report, silencer)
    if task.is_wanted is not None:
        report = _only(report, task.is_wanted)
    fails = is_failing(options)
    failed = not report.ok or any(map(fails, (*report.findings, *(entry.first for entry in report.unlisted))))
    tell_outside(options, report.findings)
    texts = [
        target.format.render(
            report,
            style_for(target.file),
            quiet=options.quiet,
            failing=lambda found: _only(found, fails),
        )
        for target in wanted
    ]
    return _Done(texts, failed, report.findings)


def _only(report: Report, is_wanted: Callable[[Finding], bool]) -> Report:
    from dractl.lint.selection import only  # few runs choose rules or are quiet

    return only(report, is_wanted)


def _over_range(task: _Task, options: ValidateOptions, wanted: Sequence[Target[Matrix]]) -> _Done:
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
        elsewhere=task.elsewhere,
    )
    silencer = task.silencer()
    if silencer is not None:
        matrix = matrix.silenced(silencer)
    if task.is_wanted is not None:
        matrix = matrix.only(task.is_wanted)
    fails = is_failing(options)
    failed = not matrix.ok or any(
        summary.warnings for summary in matrix.only(fails).summaries.values() if options.strict
    )
    tell_outside(options, [row.finding for row in matrix.findings])
    texts = [
        target.format.render(
            matrix,
            style_for(target.file),
            quiet=options.quiet,
            failing=lambda found: found.only(fails),
        )
        for target in wanted
    ]
    return _Done(texts, failed, [row.finding for row in matrix.findings])


def _check_share(options: ValidateOptions) -> None:
    for name, is_given in (
        ("--fix", options.fix),
        ("--diff", options.diff),
        ("--write-baseline", options.write_baseline),
    ):
        if options.share and is_given:
            raise UsageError("--share", f"cannot be combined with {name}")


def _check_past(options: ValidateOptions) -> None:
    paths, old, since, subresource = options.paths, options.old, options.since, options.subresource
    if since is not None and not since.strip():
        raise UsageError("--since", "expected a commit (unset shell variable?)")
    check_old(old, paths)
    if old and since:
        raise UsageError("--since", "cannot be combined with --old")
    if since and "-" in paths:
        raise UsageError("--since", "standard input has no history in git; name files or folders")
    if subresource is None:
        return
    if subresource != "status":
        raise UsageError("--subresource", f"unsupported subresource {subresource!r} (only 'status')")
    if not old and not since:
        raise UsageError("--subresource", "requires --old or --since")


def _state_at(ref: str, options: ValidateOptions, loaded: Sequence[Loaded]) -> run.EarlierState:
    """The earlier state in a commit; raises UsageError if git cannot provide it.

    If a file is broken in that commit, its earlier state is unknown.
    """
    from dractl.lint.earlier import Earlier
    from dractl.source.git.earlier import load_at  # few runs ask git
    from dractl.source.git.repository import GitError

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


def _stdin_name(options: ValidateOptions) -> str:
    name = options.stdin_filename
    if name == "":
        raise UsageError("--stdin-filename", "expected a file name (unset shell variable?)")
    if name is not None and "-" not in options.paths:
        raise UsageError("--stdin-filename", "requires - among the paths")
    return STDIN if name is None else name
