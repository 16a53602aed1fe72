"""``dractl test``: holds simulations against what is expected of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.path import Steps, path_text
from dractl.cli.inputs import refuse_overwriting, write_each
from dractl.cli.options import TestOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, replace, show_findings, targets
from dractl.records import NamedTuple
from dractl.report import formats
from dractl.scenario.reading import Faulty
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.source.bounds import Bounds, open_inside
from dractl.source.editing.values import REMOVED, Edit, rewritten
from dractl.source.load import PathError, Sources
from dractl.source.text import MAX_BYTES, SourceError, SourceText, decode
from dractl.source.walk import reason
from dractl.source.yaml_nodes import comments
from dractl.testing.cases import Case, Overrides, cases_in
from dractl.testing.compare import ABSENT
from dractl.testing.folders import Found, expectation_files
from dractl.testing.format import SCHEMA
from dractl.testing.runner import CaseResult, Results, tried_cases
from dractl.workflows.refusals import unreadable

__all__ = ["run_tests"]


def run_tests(options: TestOptions) -> int:
    """Try the cases of the files at the paths, write the result, and answer the exit code.

    Raises UsageError for options that make no sense.
    """
    wanted = targets(options.report_format, formats.TEST, options.output)
    overrides = _overrides(options.kube_version, options.feature_gates)
    if options.update and (overrides.minors is not None or overrides.gates is not None):
        raise UsageError("--update", "cannot be combined with --kube-version or --feature-gates")
    found = expectation_files(options.paths)
    if options.update:
        _refuse_no_files(found.files)
    reader = _Reader(overrides, Bounds.of_files(options.paths), Sources())
    known = {file: reader.cases(file) for file in found.files}
    refuse_overwriting(wanted, reader.sources.files)
    if not options.quiet:
        read = (case for cases in known.values() if not isinstance(cases, Faulty) for case in cases)
        show_findings(list(dict.fromkeys(warning for case in read for warning in case.warnings)))
    results = _results(known, found.errors, reader, update=options.update)
    _tell(found, results.faulty, quiet=options.quiet)
    if results.faulty and not results.tried and all(each.error for each in results.faulty.values()):
        return 2
    if not write_each(results, wanted, quiet=options.quiet):
        return 2
    return 2 if results.faulty or results.stale else int(not all(entry.ok for entry in results.tried))


class _Reader(NamedTuple):
    """Reads expectation files, and what they name inside ``bounds``."""

    overrides: Overrides
    bounds: Bounds
    sources: Sources

    def cases(self, file: str) -> list[Case] | Faulty:
        """The cases of a file, or what is wrong with it."""
        return cases_in(file, self.overrides, self.bounds, self.sources)


def _results(
    known: Mapping[str, list[Case] | Faulty], errors: Iterable[PathError], reader: _Reader, *, update: bool
) -> Results:
    """What becomes of the cases of each file; those that are not as expected are updated, if wanted."""
    faulty = {error.path: Faulty((), error) for error in errors}
    tried: list[CaseResult] = []
    allowance = Allowance()
    updated: list[str] = []
    stale: list[str] = []
    for file, cases in known.items():
        if isinstance(cases, Faulty):
            faulty[file] = cases
            continue
        here = tried_cases(cases, allowance)
        if update and not all(entry.ok for entry in here):
            written = _updated(file, here, reader.bounds)
            if written is None:
                stale.append(file)
            elif written:
                updated.append(file)
                again = reader.cases(file)
                here = [] if isinstance(again, Faulty) else tried_cases(again, allowance)
        tried += here
    return Results(tried, updated, faulty, stale)


def _tell(found: Found, faulty: Mapping[str, Faulty], *, quiet: bool) -> None:
    """Say which files cannot be used, on standard error."""
    for each in faulty.values():
        show_findings(each.findings)
        if each.error is not None:
            notice(f"{each.error.path}: {each.error.message}")
    if found.unread and not quiet:
        first = found.unread[0]
        others = len({item.file for item in found.unread}) - 1
        more = f" (and {others} more)" if others else ""
        notice(f"{unreadable(first)}; skipped{more}, because schema: {SCHEMA} is missing")


def _refuse_no_files(files: Sequence[str]) -> None:
    """Raise UsageError for inputs that cannot be updated: standard input, pipes, devices."""
    for file in files:
        if file == "-":
            raise UsageError("--update", "cannot update standard input; name the file")
        if os.path.exists(file) and not os.path.isfile(file):  # noqa: PTH110, PTH113 - no name of a file raises
            raise UsageError("--update", f"{file} is not a regular file and cannot be updated")


def _overrides(kube_version: str | None, feature_gates: Sequence[str]) -> Overrides:
    try:
        if kube_version is not None:
            release.parse_range(kube_version)
        gates = gate_table.parse_overrides(",".join(feature_gates)) if feature_gates else None
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    except gate_table.GateError as error:
        raise UsageError("--feature-gates", str(error)) from None
    return Overrides(kube_version, gates)


Values = Mapping[Steps, object]


def _updated(file: str, tried: Sequence[CaseResult], bounds: Bounds) -> bool | None:
    """Write the actual results into a file inside ``bounds``; return whether it changed, None if that failed.

    Leaves an expectation unchanged if the cases or minors that share it disagree.
    """
    edits: list[Edit] = []
    for where in _kept(tried):
        notice(f"{file}: {where} is not updated: it does not name exact values")
    for at, wishes in _wishes(tried).items():
        if all(wish == wishes[0] for wish in wishes):
            edits += [Edit((*at, *steps), value) for steps, value in wishes[0].items()]
        else:
            where = ".".join(map(str, at))
            notice(f"{file}: {where} is not updated: actual results differ between minors or cases")
    if not edits:
        return False
    text = _text_of(file, bounds)
    if text is None:
        return None
    changed = rewritten(text.text, edits)
    if changed is None:
        notice(f"{file}: cannot be updated; use one document without anchors")
        return False
    lost = comments(text.text) - comments(changed)
    if lost:
        notice(f"{file}: lost with the rewritten lines: {', '.join(lost)}")
    return replace([(file, text.encode(changed))], bounds) or None


def _kept(tried: Sequence[CaseResult]) -> list[str]:
    """The places of patterns that do not hold, which only their author can change."""
    places = (
        path_text((*failure.at, *change.steps))
        for entry in tried
        for failure in entry.failures
        for change in failure.mismatch.changes
        if change.is_kept
    )
    return list(dict.fromkeys(places))


def _text_of(file: str, bounds: Bounds) -> SourceText | None:
    """The text of a file inside ``bounds`` as it is now; None, and a word about it, if it cannot be read."""
    try:
        opened = open_inside(file, bounds)
        with opened.file:
            text = decode(opened.file.read(MAX_BYTES + 1), file)
    except (OSError, ValueError) as error:
        notice(f"{file}: {reason(error)}")
        return None
    if isinstance(text, SourceError):
        notice(f"{file}: {text.message}")
        return None
    return text


def _wishes(tried: Sequence[CaseResult]) -> dict[Steps, list[Values]]:
    """Per expectation what each case and minor that it is for would write into it."""
    found: dict[Steps, list[Values]] = {}
    for entry in tried:
        places = [*(expected.at for expected in entry.case.expected), (*entry.case.at, "expect")]
        for at in dict.fromkeys(places):
            found.setdefault(at, []).append(
                {
                    change.steps: REMOVED if change.actual is ABSENT else change.actual
                    for failure in entry.failures
                    if failure.at == at
                    for change in failure.mismatch.changes
                    if not change.is_kept
                }
            )
    return found
