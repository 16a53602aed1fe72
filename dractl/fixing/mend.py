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


_SEVERAL = 8
"""Of more fixes, groups are tried: each trial validates all objects of a list."""

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
    if finding.fix is None:
        return finding.rule, finding.field, finding.message, ()
    return finding.rule, finding.field, finding.fix.message, _item_of(finding.fix)


def _item_of(fix: Fix) -> tuple[str | int, ...]:
    """The steps to the item of a ``List`` that a fix changes; empty outside of lists."""
    steps = fix.changes[0].steps if fix.changes else ()
    number = 0
    while steps[number : number + 1] == ("items",) and len(steps) > number + 1:
        number += 2
    return steps[:number]


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
    """One fix after the other; of many, groups that are halved where they do not make the text better."""
    fixed: list[Finding] = []
    unfixed: dict[object, Unfixed] = {}
    size = len(candidates(now, question)) // 2
    while pairs := candidates(now, question, unfixed):
        size = min(size, len(pairs))
        group = pairs[: size if size > _SEVERAL else 1]
        changed = with_fixes(text, [fix for _, fix in group])
        if not budget.spend(text):
            reason = budgets.FIX_TRIALS.message()
            unfixed |= {identity(one): Unfixed(one, reason) for one, _ in pairs}
            break
        after = now if changed is None else judge(changed)
        reason = why_not(now, after)
        if not reason and changed is not None:
            text, now = changed, after
            fixed += [finding for finding, _ in group]
        elif len(group) > 1:
            size //= 2
            continue
        else:
            finding, _ = group[0]
            unfixed[identity(finding)] = Unfixed(finding, reason or "its layout cannot be kept")
        size = max(2 * size, 2)
    return Mended(text, fixed, tuple(unfixed.values()))
