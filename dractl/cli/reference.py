"""References, which need no manifest: ``explain``, ``rule``, ``rules``, ``gates`` and ``advisories``."""

from __future__ import annotations

from dractl.api import release
from dractl.cli.cluster_options import AdvisoriesOptions
from dractl.cli.inputs import write_each
from dractl.cli.reference_options import ExplainOptions, GatesOptions, RuleOptions, RulesOptions
from dractl.cli.server import UsageError, server
from dractl.cli.terminal import notice, targets
from dractl.report import formats

__all__ = ["explain_field", "list_advisories", "list_gates", "list_rules", "show_rule"]

_NAMED = 3


def _check_given(argument: str, value: str, what: str) -> None:
    if not value.strip(" ."):
        raise UsageError(argument, f"expected {what} (unset shell variable?)")


def show_rule(options: RuleOptions) -> int:
    """Write the page of a rule, and return the exit code: 2 if no rule has that id.

    Raises UsageError for an empty id.
    """
    from dractl.lint import pages
    from dractl.lint.catalog import UnknownRuleError

    _check_given("ID", options.id, "a rule id")
    try:
        page = pages.page_of(options.id)
    except UnknownRuleError as error:
        notice(f"{error} (dractl rules lists them)")
        return 2
    return 0 if write_each(page, targets(options.report_format, formats.RULE, options.output)) else 2


def explain_field(options: ExplainOptions) -> int:
    """Write the page of a field, and return the exit code: 2 if the minor has no such field.

    Raises UsageError for an empty field and for an unsupported minor.
    """
    from dractl.lint import field_pages

    _check_given("FIELD", options.field, "a kind or field")
    minor = server(options.kube_version, (), ()).gates.minor
    try:
        found = field_pages.find(options.field, minor, options.api_version, recursive=options.recursive)
    except field_pages.UnknownFieldError as error:
        notice(str(error))
        return 2
    return 0 if write_each(found, targets(options.report_format, formats.EXPLAIN, options.output)) else 2


def list_rules(options: RulesOptions) -> int:
    """Write the list of rules, and return the exit code.

    Raises UsageError for an unsupported kind or minor.
    """
    from dractl.lint import pages

    try:
        minor = None if options.kube_version is None else release.parse(options.kube_version)
        found = pages.pages(kind=options.kind, minor=minor)
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    except pages.UnknownKindError as error:
        raise UsageError("--kind", str(error)) from None
    return 0 if write_each(found, targets(options.report_format, formats.RULES, options.output)) else 2


def list_gates(options: GatesOptions) -> int:
    """Write the feature gates of a minor, and return the exit code.

    Raises UsageError for an unsupported minor or an invalid combination of gates.
    """
    chosen = server(options.kube_version, options.feature_gates, ()).gates
    return 0 if write_each(chosen, targets(options.report_format, formats.GATES, options.output)) else 2


def list_advisories(options: AdvisoriesOptions) -> int:
    """Write the known faults of a release, or those that the objects at the paths reach.

    Returns the exit code. Raises UsageError for invalid options.
    """
    from dractl.advisories.listing import listing

    wanted = targets(options.report_format, formats.ADVISORIES, options.output)
    if options.feature_gates and options.kube_version is None:
        raise UsageError("--feature-gates", "requires --kube-version")
    version = options.kube_version or (str(release.NEWEST) if options.paths else None)
    if version is None:
        return 0 if write_each(listing(None, None), wanted) else 2
    against = server(version, options.feature_gates, options.namespace_labels)
    known, is_complete = None, True
    if options.paths:
        from dractl.advisories.known import Known  # the list alone reads no objects
        from dractl.cli.inputs import read
        from dractl.workflows.mixed_input import titles_of_prototypes
        from dractl.workflows.simulate import take_in

        inputs = read(options.paths, options.exclude, wanted)
        if inputs is None:
            return 2
        is_complete = inputs.is_complete
        apart = titles_of_prototypes(inputs.loaded)
        if apart:
            more = f" and {len(apart) - _NAMED:,} more" if len(apart) > _NAMED else ""
            notice(f"not checked: {', '.join(apart[:_NAMED])}{more} (of a prototype API)")
        known = Known(take_in(inputs.loaded, against.gates, against.labels).objects(), against.gates)
    found = listing(against.gates, known)
    if not write_each(found, wanted):
        return 2
    return int(not found.ok) if is_complete else 2
