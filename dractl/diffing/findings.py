"""Findings that one of two validations has and the other does not, wherever in the files they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from dractl.cluster.objects import DEFAULT_NAMESPACE
from dractl.finding import Finding
from dractl.records import NamedTuple

__all__ = ["finding_key", "only_in"]

_POSITION = re.compile(r"\[\d+\]")


class _Key(NamedTuple):
    """What makes a finding the same one: its rule, object and field, whatever its line and message."""

    rule: str
    severity: str
    about: tuple[str, ...]
    field: str


def finding_key(finding: Finding, home: Callable[[str], str] = str) -> _Key:
    """What a finding is compared by; ``home`` names files so that those of both sides have one name."""
    ref = finding.object
    if ref is None:
        about: tuple[str, ...] = (home(finding.location.file) if finding.location else "",)
    else:
        group = ref.api_version.rpartition("/")[0]
        about = (group, ref.kind, ref.namespace or DEFAULT_NAMESPACE, ref.name)
    return _Key(finding.rule, finding.severity.value, about, _POSITION.sub("[*]", finding.field))


def only_in(
    findings: Iterable[Finding],
    others: Iterable[Finding],
    home: Callable[[str], str] = str,
    home_of_others: Callable[[str], str] = str,
) -> Iterator[Finding]:
    """The findings that ``others`` do not have.

    Of the findings with one key only the surplus is left, first those whose message is new.
    """
    there: dict[_Key, list[Finding]] = {}
    for finding in others:
        there.setdefault(finding_key(finding, home_of_others), []).append(finding)
    here: dict[_Key, list[Finding]] = {}
    for finding in findings:
        here.setdefault(finding_key(finding, home), []).append(finding)
    for key, found in here.items():
        known = there.get(key, [])
        extra = len(found) - len(known)
        if extra > 0:
            messages = {(entry.field, entry.message) for entry in known}
            is_new = {True: list[Finding](), False: list[Finding]()}
            for entry in found:
                is_new[(entry.field, entry.message) not in messages].append(entry)
            yield from (*is_new[True], *is_new[False])[:extra]
