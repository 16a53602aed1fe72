"""Regular expressions: the syntax of RE2, its meaning, and that no pattern is slow."""

from __future__ import annotations

import time

import pytest

from dractl.cel.common.errors import EvaluationError
from dractl.cel.regex import regex
from dractl.cel.regex.charsets import orbit
from dractl.cel.regex.regex_program import program_of_pattern, search
from dractl.cel.regex.regex_python import translation_of
from dractl.cel.regex.regex_syntax import parse_pattern
from tests.rows import each_row


@each_row(
    ("pattern", "part"),
    [
        ("(", "a ( is not closed"),
        (")", "a ) has no opening ("),
        ("[a", "a [ is not closed"),
        ("[b-a]", "range is reversed"),
        ("[[:foo:]]", "unknown character class [:foo:]"),
        ("*", "* has nothing to repeat"),
        ("a|*", "* has nothing to repeat"),
        ("a**", "one repetition follows another"),
        ("a{1001}", "greater than 1000"),
        ("a{3,2}", "reversed or greater than 1000"),
        ("(a{100}){100}", "nested repetitions exceed 1000"),
        ("(?=a)", "look-around"),
        ("(?!a)", "look-around"),
        ("(?<=a)", "look-around"),
        ("(?P<a-b>x)", "invalid name"),
        ("(?x)", "unknown group (?x"),
        (r"\1", "back reference"),
        (r"\8", "unknown escape sequence"),
        (r"\Z", "unknown escape sequence"),
        (r"\C", "unknown escape sequence"),
        ("\\", "unknown escape sequence"),
        (r"\p{Nothing}", "unknown character class"),
        (r"\pX", "unknown character class"),
        (r"\x{110000}", "beyond Unicode"),
        (r"\x4", "incomplete"),
        ("(" * 1001 + ")" * 1001, "is nested more than"),
        ("(?:a{10}){100}" * 3356, "too large"),
        ("(a{1000})" * 3349, "too large"),
    ],
)
def test_what_re2_does_not_have_is_refused(pattern: str, part: str) -> None:
    problem = regex.problem_of(pattern)
    assert problem is not None
    assert part in problem
    with pytest.raises(EvaluationError):
        regex.matches(pattern, "")


MEANING = [
    ("", "abc", (0, 0)),
    ("b", "abc", (1, 2)),
    ("^b", "abc", None),
    ("^a", "abc", (0, 1)),
    ("c$", "abc", (2, 3)),
    ("a$", "a\n", None),
    ("(?m)a$", "a\nb", (0, 1)),
    ("(?m)^b", "a\nb", (2, 3)),
    (r"\Ab", "a\nb", None),
    (r"a\z", "ba", (1, 2)),
    (".", "\n", None),
    ("(?s).", "\n", (0, 1)),
    ("(?s:.)b", "\nb", (0, 2)),
    ("a|ab", "ab", (0, 1)),
    ("ab|a", "ab", (0, 2)),
    ("a*", "aab", (0, 2)),
    ("a*?", "aab", (0, 0)),
    ("(?U)a*", "aab", (0, 0)),
    ("a+?b", "aab", (0, 3)),
    ("a{2}", "aaa", (0, 2)),
    ("a{2,}", "aaaa", (0, 4)),
    ("a{1,2}?", "aa", (0, 1)),
    ("a{,2}", "a{,2}", (0, 5)),
    ("a{", "a{", (0, 2)),
    ("(ab)+", "ababa", (0, 4)),
    ("(a|b)*c", "abac", (0, 4)),
    ("(a*)*b", "aab", (0, 3)),
    (r"\bcat\b", "a cat.", (2, 5)),
    (r"\Bat", "cat", (1, 3)),
    (r"\d+", "a12", (1, 3)),
    (r"\w+", "é_a1", (1, 4)),
    (r"\s", "a\x0b b", (2, 3)),
    (r"[^\d]", "1a", (1, 2)),
    ("[]a]+", "]a", (0, 2)),
    ("[a-]+", "-a", (0, 2)),
    (r"[\-a]+", "a-", (0, 2)),
    ("[[:alpha:]]+", "1ab", (1, 3)),
    ("[[:^alpha:]]+", "ab1", (2, 3)),
    (r"\pL+", "1éa", (1, 3)),
    (r"\PL", "é1", (1, 2)),
    (r"\p{Greek}", "aβ", (1, 2)),
    (r"\p{^Lu}", "Aa", (1, 2)),
    (r"\Qa.b\E+", "a.bb", (0, 4)),
    (r"\x41\x{42}\103\n", "ABC\n", (0, 4)),
    ("(?i)k", "\u212a", (0, 1)),
    ("(?i)[a-c]+", "aBC", (0, 3)),
    ("(?i:A)b", "ab", (0, 2)),
    ("(?i)[^a]", "Ab", (1, 2)),
    ("(?P<x>a)(?<x>b)", "ab", (0, 2)),
    ("a|", "b", (0, 0)),
    ("()", "a", (0, 0)),
    ("^*", "a", (0, 0)),
    ("😀+", "a😀😀", (1, 3)),
]


@each_row(("pattern", "text", "span"), MEANING)
def test_patterns_mean_the_same_whoever_searches(
    pattern: str, text: str, span: tuple[int, int] | None
) -> None:
    tree = parse_pattern(pattern)
    assert search(program_of_pattern(tree), text, 0) == span
    assert regex.compiled(pattern).search(text) == span
    translation = translation_of(tree)
    if translation is not None:
        found = translation.pattern.search(text)
        assert (found.span() if found else None) == span


@each_row("pattern", ["(a+)+$", "(a|aa)*b", "(a|a)*b", "(.*)*x", "((a*)*)*b", "(a{1,30}){1,30}b"])
def test_what_can_be_slow_is_never_handed_to_python(pattern: str) -> None:
    assert translation_of(parse_pattern(pattern)) is None


@each_row(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 3000 + "!"),
        ("(a|aa)*b", "a" * 3000),
        ("a*" * 20 + "b", "a" * 1000),
        (".*.*.*x", "a" * 2000),
    ],
)
def test_hostile_patterns_take_linear_time(pattern: str, text: str) -> None:
    started = time.process_time()
    assert not regex.matches(pattern, text)
    assert time.process_time() - started < 2


@each_row(
    ("pattern", "text", "count", "expected"),
    [
        ("a", "banana", -1, ["a", "a", "a"]),
        ("a", "banana", 2, ["a", "a"]),
        ("a", "banana", 0, []),
        ("a*", "baaac", -1, ["", "aaa", ""]),
        ("", "ab", -1, ["", "", ""]),
        (r"\b", "ab cd", -1, ["", "", "", ""]),
        ("x", "abc", -1, []),
    ],
)
def test_all_matches_are_counted_as_go_does(pattern: str, text: str, count: int, expected: list[str]) -> None:
    assert regex.find_all(pattern, text, count) == expected


def test_the_first_match_or_nothing() -> None:
    assert regex.find("[0-9]+", "a12b3") == "12"
    assert regex.find("x", "abc") == ""


def test_case_folding_knows_letters_with_three_spellings() -> None:
    assert set(orbit("k")) == {"k", "K", "\u212a"}
    assert set(orbit("s")) == {"s", "S", "\u017f"}
    assert orbit("1") == ("1",)
