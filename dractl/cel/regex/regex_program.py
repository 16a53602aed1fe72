"""Patterns as programs, and their simulation in linear time (a Pike machine that knows no groups)."""

from __future__ import annotations

from dractl.api import budgets
from dractl.cel.common.errors import GivenUpError
from dractl.cel.common.work import WORK
from dractl.cel.regex.charsets import CharSet
from dractl.cel.regex.regex_tree import Assertion, Chars, Choice, Measured, Pattern, Repeat, Sequence
from dractl.records import NamedTuple


class Instruction(NamedTuple):
    """A step: read a character of ``chars``, go on in two places, check a place, or ``match``."""

    kind: str
    chars: CharSet | None = None
    first: int = 0
    second: int = 0


_MATCH = Instruction("match")


_BUILDING = 10
"""Steps that making an instruction takes: with its memory it is as dear as ten nodes of an expression."""


def program_of(measured: Measured) -> tuple[Instruction, ...]:
    """The program of a pattern; raises GivenUpError if it is too large."""
    if measured.size > budgets.REGEX_STATES.value:
        raise GivenUpError(budgets.REGEX_STATES.message())
    WORK.spend(measured.size * _BUILDING)
    return program_of_pattern(measured.pattern)


def program_of_pattern(pattern: Pattern) -> tuple[Instruction, ...]:
    """The program of a pattern of any size."""
    instructions: list[Instruction] = []
    _emit(pattern, instructions)
    instructions.append(_MATCH)
    return tuple(instructions)


def _emit(pattern: Pattern, out: list[Instruction]) -> bool:
    """Append the instructions of ``pattern``; whether it can match without a character."""
    if isinstance(pattern, Chars):
        out.append(Instruction("chars", pattern.chars, len(out) + 1))
        return False
    if isinstance(pattern, Assertion):
        out.append(Instruction(pattern.kind, None, len(out) + 1))
        return True
    if isinstance(pattern, Sequence):
        nullable = True
        for part in pattern.parts:
            nullable &= _emit(part, out)
        return nullable
    if isinstance(pattern, Choice):
        return _emit_choice(pattern, out)
    return _emit_repeat(pattern, out)


def _emit_choice(pattern: Choice, out: list[Instruction]) -> bool:
    jumps = []
    nullable = False
    for branch in pattern.branches[:-1]:
        split = len(out)
        out.append(_MATCH)
        nullable |= _emit(branch, out)
        jumps.append(len(out))
        out.append(_MATCH)
        out[split] = Instruction("split", None, split + 1, len(out))
    nullable |= _emit(pattern.branches[-1], out)
    for jump in jumps:
        out[jump] = Instruction("jump", None, len(out))
    return nullable


def _emit_repeat(pattern: Repeat, out: list[Instruction]) -> bool:
    if pattern.most is None:
        return _emit_endless(pattern, out)
    nullable = True
    for _ in range(pattern.least):
        nullable = _emit(pattern.part, out)
    splits = []
    for _ in range(pattern.most - pattern.least):
        splits.append(len(out))
        out.append(_MATCH)
        _emit(pattern.part, out)
    for split in splits:
        out[split] = _split(split + 1, len(out), greedy=pattern.greedy)
    return nullable or pattern.least == 0


def _emit_endless(pattern: Repeat, out: list[Instruction]) -> bool:
    """``part+`` after what has to be there; ``part*`` is one or more, or nothing (``compiler.star``)."""
    for _ in range(pattern.least - 1):
        _emit(pattern.part, out)
    skip = len(out)
    if pattern.least == 0:
        out.append(_MATCH)
    begin = len(out)
    nullable = _emit(pattern.part, out)
    out.append(_split(begin, len(out) + 1, greedy=pattern.greedy))
    if pattern.least == 0:
        out[skip] = _split(begin, len(out), greedy=pattern.greedy)
    return nullable or pattern.least == 0


def _split(inside: int, outside: int, *, greedy: bool) -> Instruction:
    first, second = (inside, outside) if greedy else (outside, inside)
    return Instruction("split", None, first, second)


def search(
    program: tuple[Instruction, ...], text: str, start: int, *, is_enough: bool = False
) -> tuple[int, int] | None:
    """The span of the leftmost match from ``start`` on, preferring as Perl does; None without a match.

    Where it ``is_enough`` to know that there is one, the span is that of any. Raises GivenUpError.
    """
    threads: list[tuple[int, int]] = []
    matched: tuple[int, int] | None = None
    for position in range(start, len(text) + 1):
        if matched is None:
            threads.append((0, position))
        if not threads:
            break
        ready = _ready(program, threads, text, position)
        character = text[position] if position < len(text) else None
        threads = []
        for counter, begun in ready:
            instruction = program[counter]
            if instruction.kind == "match":
                matched = (begun, position)
                if is_enough:
                    return matched
                break
            if character is not None and instruction.chars is not None and character in instruction.chars:
                threads.append((instruction.first, begun))
    return matched


_VISIT = 3
"""Steps of visiting an instruction, as measured: 0.5 us, where a node of an expression takes 0.15 us."""


def _ready(
    program: tuple[Instruction, ...], threads: list[tuple[int, int]], text: str, position: int
) -> list[tuple[int, int]]:
    """The threads at their next character or match, in order of preference, each place once."""
    seen: set[int] = set()
    ready: list[tuple[int, int]] = []
    for first, begun in threads:
        stack = [first]
        while stack:
            counter = stack.pop()
            if counter in seen:
                continue
            seen.add(counter)
            instruction = program[counter]
            kind = instruction.kind
            if kind in {"chars", "match"}:
                ready.append((counter, begun))
            elif kind == "split":
                stack.append(instruction.second)
                stack.append(instruction.first)
            elif kind == "jump" or _holds(kind, text, position):
                stack.append(instruction.first)
    WORK.spend(len(seen) * _VISIT)
    return ready


def _holds(kind: str, text: str, position: int) -> bool:
    if kind == "begin":
        return position == 0
    if kind == "end":
        return position == len(text)
    if kind == "line-begin":
        return position == 0 or text[position - 1] == "\n"
    if kind == "line-end":
        return position == len(text) or text[position] == "\n"
    before = position > 0 and _is_word(text[position - 1])
    after = position < len(text) and _is_word(text[position])
    return (before != after) == (kind == "boundary")


def _is_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")
