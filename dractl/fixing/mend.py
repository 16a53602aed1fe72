"""Fix one YAML document: apply the fixes of its findings until none is left, and keep what is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dractl.api import budgets
from dractl.finding import Finding, Fix
from dractl.fixing.better import Judgement, why_not
from dractl.fixing.model import Question, Unfixed
from dractl.lint.fixes.text_edits import with_fixes
from dractl.records import NamedTuple

__all__ = ["Budget", "Mended", "candidates", "mended"]

_VERSIONS = "version/"
_LEAST = 500
"""What a text counts at least: the server of a short one takes its time, too."""


class Budget:
    """How many characters may still be judged."""

    def __init__(self) -> None:
        """Start with the limit of a run."""
        self.left = budgets.FIX_TRIALS.value

    def spend(self, text: str) -> bool:
        """Whether one more text may be judged."""
        self.left -= _LEAST + len(text)
        return self.left >= 0


class Mended(NamedTuple):
    """The text with the findings that were fixed in it, and those whose fix was not applied."""

    text: str
    fixed: Sequence[Finding] = ()
    unfixed: Sequence[Unfixed] = ()


Judge = Callable[[str], Judgement]


def candidates(
    judgement: Judgement, question: Question, banned: Iterable[object] = ()
) -> list[tuple[Finding, Fix]]:
    """The findings that may be fixed, each with its fix; an API version is fixed before all else."""
    avoided = set(banned)
    found: dict[object, tuple[Finding, Fix]] = {}
    for findings in judgement:
        for finding in findings:
            fix = question.fix_in(finding)
            if fix is not None and identity(finding) not in avoided:
                found.setdefault(fix.edits, (finding, fix))
    of_versions = [pair for pair in found.values() if pair[0].rule.startswith(_VERSIONS)]
    return of_versions[:1] or list(found.values())


def identity(finding: Finding) -> object:
    """What makes two findings the same after the text around them has changed."""
    return finding.rule, finding.field, finding.fix.message if finding.fix else finding.message


def mended(text: str, judge: Judge, question: Question, budget: Budget) -> Mended:
    """``text`` with all fixes if that is better, otherwise with those that are better one by one."""
    before = judge(text)
    whole = _all_at_once(text, before, judge, question, budget)
    return whole if whole is not None else _one_by_one(text, before, judge, question, budget)


def _all_at_once(
    text: str, before: Judgement, judge: Judge, question: Question, budget: Budget
) -> Mended | None:
    """Fix after fix, also what a fix brings to light; None if the text is not better in the end."""
    now, fixed = before, list[Finding]()
    pairs = candidates(now, question)
    seen = {text}
    while pairs and budget.spend(text):
        changed = with_fixes(text, [fix for _, fix in pairs])
        if changed is None:
            pairs = pairs[:1]
            changed = with_fixes(text, [pairs[0][1]])
        if changed is None or changed in seen:
            break
        seen.add(changed)
        text, now = changed, judge(changed)
        fixed += [finding for finding, _ in pairs]
        pairs = candidates(now, question)
    return None if why_not(before, now) else Mended(text, fixed)


def _one_by_one(text: str, now: Judgement, judge: Judge, question: Question, budget: Budget) -> Mended:
    fixed: list[Finding] = []
    unfixed: dict[object, Unfixed] = {}
    while pairs := candidates(now, question, unfixed):
        finding, fix = pairs[0]
        changed = with_fixes(text, [fix])
        if not budget.spend(text):
            reason = budgets.FIX_TRIALS.message()
            unfixed |= {identity(one): Unfixed(one, reason) for one, _ in pairs}
            break
        after = now if changed is None else judge(changed)
        reason = why_not(now, after)
        if reason or changed is None:
            unfixed[identity(finding)] = Unfixed(finding, reason or "its layout cannot be kept")
        else:
            text, now = changed, after
            fixed.append(finding)
    return Mended(text, fixed, tuple(unfixed.values()))
