"""Classes of characters and spellings of letters, as the Unicode Character Database and Go have them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dractl.cel.regex.charsets import named_class, orbit
from dractl.cel.regex.unicode_classes import class_table, spellings
from tests.paths import ROOT
from tests.rows import each_row

GENERATOR = Path(__file__).parent / "unicode_classes.go"
TABLE = ROOT / "dractl" / "cel" / "regex" / "data" / "unicode_classes.txt"
GO = shutil.which("go")


@each_row(
    ("name", "within", "outside"),
    [
        ("Lu", "AÜΩЖ", "aü1"),
        ("Ll", "aüß", "Aª"),
        ("L", "aAªא中", "1_ "),
        ("LC", "aAǅ", "ªא"),
        ("letter", "a中", "1"),
        ("Uppercase_Letter", "A", "a"),
        ("Nd", "19٣", "½Ⅷ"),
        ("digit", "7", "½"),
        ("N", "1½Ⅷ", "a"),
        ("Sc", "$€", "+"),
        ("S", "$+^", "a!"),
        ("P", "!-_«", "$a"),
        ("Z", " \u00a0\u2028", "\n"),
        ("Cc", "\n\x00", " "),
        ("C", "\n\u200b\ue000\u0378", "a"),
        ("Cn", "\u0378", "a"),
        ("Greek", "αΩ", "aж"),
        ("greek", "α", "a"),
        ("GREEK", "α", "a"),
        ("Latin", "aÜK", "αж1"),
        ("Cyrillic", "ж", "a"),
        ("Han", "中", "あ"),
        ("Hiragana", "あ", "ア"),
        ("Common", "1 !", "aα"),
        ("Any", "a\n😀", ""),
        ("ASCII", "a\x7f", "ü"),
        ("Assigned", "aü", "\u0378"),
        ("l-u", "A", "a"),
    ],
)
def test_a_class_has_what_unicode_says(name: str, within: str, outside: str) -> None:
    found = named_class(name, negated=False, fold=False)
    opposite = named_class(name, negated=True, fold=False)
    assert found is not None
    assert opposite is not None
    for character in within:
        assert character in found
        assert character not in opposite
    for character in outside:
        assert character not in found
        assert character in opposite


@each_row("name", ["", "X", "Klingon", "Old_Italic", "Lü", "^Greek"])
def test_other_names_name_no_class(name: str) -> None:
    # Go 1.25 and later drop underscores from names, but not from those of its scripts.
    assert named_class(name, negated=False, fold=False) is None


@each_row("letters", ["aA", "kK\u212a", "sSſ", "ßẞ", "ωΩ\u2126", "ǆǅǄ", "µμΜ", "\u0345ιΙ\u1fbe", "ꭰᎠ", "𐐨𐐀"])
def test_letters_are_spelled_in_several_ways(letters: str) -> None:
    for letter in letters:
        assert set(orbit(letter)) == set(letters)


@each_row("letter", ["İ", "ı", "1", "_", "中", "ŉ"])
def test_what_has_no_simple_other_case_is_spelled_in_one_way(letter: str) -> None:
    assert orbit(letter) == (letter,)


def test_a_union_is_made_of_its_parts() -> None:
    assert class_table("zl") == (0x2028, 0x2029)
    assert class_table("zp") == (0x2029, 0x202A)
    assert class_table("z")[:4] == (0x20, 0x21, 0xA0, 0xA1)
    assert (0x2028, 0x202A) in zip(class_table("z")[::2], class_table("z")[1::2], strict=True)


def test_every_spelling_knows_the_others() -> None:
    assert all(letter in letters for letter, letters in spellings().items())
    assert len(spellings()) > 2800


@pytest.mark.skipif(GO is None, reason="no Go toolchain is at hand to make the table anew")
def test_the_table_is_what_the_generator_makes() -> None:
    made = subprocess.run(
        ["go", "run", GENERATOR], capture_output=True, text=True, check=True, cwd=GENERATOR.parent
    ).stdout
    version, there = made.partition("\n")[0], TABLE.read_text("ascii")
    # Another Go has another Unicode; the table is of the one that is written in its first line.
    assert version != there.partition("\n")[0] or made == there
