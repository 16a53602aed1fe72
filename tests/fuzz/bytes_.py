"""Mutations of texts as bytes: what breaks readers."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from random import Random

from tests.fuzz.words import BYTES

__all__ = ["mutate_bytes"]

_LARGEST = 10_000_000
_LARGE = 0.01
"""How often a text is repeated until it is large; each such case takes seconds."""

Mutation = Callable[[Random, bytes, bytes], bytes]


def mutate_bytes(random: Random, text: bytes, other: bytes) -> bytes:
    """``text`` after one to four mutations; ``other`` is a text to take pieces from."""
    for _ in range(random.choice((1, 1, 2, 4))):
        text = random.choice(_MUTATIONS)(random, text, other)
    if random.random() < _LARGE:
        text = _repeat_much(random, text, other)
    return text[:_LARGEST]


def _at(random: Random, text: bytes) -> int:
    return random.randint(0, len(text))


def _piece(random: Random, text: bytes, longest: int = 200) -> tuple[int, int]:
    start = _at(random, text)
    return start, min(len(text), start + random.randint(0, longest))


def _flip(random: Random, text: bytes, _other: bytes) -> bytes:
    changed = bytearray(text)
    for _ in range(random.choice((1, 1, 3, 10)) if text else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _insert(random: Random, text: bytes, _other: bytes) -> bytes:
    at = _at(random, text)
    return text[:at] + random.randbytes(random.choice((1, 1, 2, 4, 20))) + text[at:]


def _word(random: Random, text: bytes, _other: bytes) -> bytes:
    start, end = _piece(random, text, random.choice((0, 0, 1, 10)))
    return text[:start] + random.choice(BYTES) * random.choice((1, 1, 1, 2, 50)) + text[end:]


def _line(random: Random, text: bytes, _other: bytes) -> bytes:
    """A word at the start of a line, where YAML gives it a meaning."""
    lines = text.split(b"\n")
    at = random.randrange(len(lines))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at, indent + random.choice(BYTES))
    return b"\n".join(lines)


def _delete(random: Random, text: bytes, _other: bytes) -> bytes:
    start, end = _piece(random, text)
    return text[:start] + text[end:]


def _truncate(random: Random, text: bytes, _other: bytes) -> bytes:
    return text[: _at(random, text)]


def _splice(random: Random, text: bytes, other: bytes) -> bytes:
    return text[: _at(random, text)] + other[_at(random, other) :]


def _repeat(random: Random, text: bytes, _other: bytes) -> bytes:
    start, end = _piece(random, text)
    return text[:start] + text[start:end] * random.choice((2, 3, 10, 100)) + text[end:]


def _repeat_lines(random: Random, text: bytes, _other: bytes) -> bytes:
    lines = text.split(b"\n")
    start = random.randrange(len(lines))
    end = start + random.randint(1, 8)
    return b"\n".join([*lines[:end], *lines[start:end] * random.choice((1, 2, 20)), *lines[end:]])


def _repeat_much(random: Random, text: bytes, _other: bytes) -> bytes:
    start, end = _piece(random, text, 40)
    piece = text[start:end] or b"a: 1\n"
    wanted = random.choice((100_000, 1_000_000, 5_000_000))
    return text[:start] + piece * (wanted // len(piece)) + text[end:]


def _shuffle_lines(random: Random, text: bytes, _other: bytes) -> bytes:
    lines = text.split(b"\n")
    start = random.randrange(len(lines))
    some = lines[start : start + 6]
    random.shuffle(some)
    return b"\n".join([*lines[:start], *some, *lines[start + 6 :]])


def _indent(random: Random, text: bytes, _other: bytes) -> bytes:
    lines = text.split(b"\n")
    at = random.randrange(len(lines))
    for number in range(at, min(len(lines), at + random.randint(1, 5))):
        lines[number] = random.choice((b"  ", b" ", b"\t", b"- ")) + lines[number]
    return b"\n".join(lines)


def _number(random: Random, text: bytes, _other: bytes) -> bytes:
    """A number of many digits in the place of one digit."""
    digits = [at for at, byte in enumerate(text) if 0x30 <= byte <= 0x39]
    if not digits:
        return text
    at = random.choice(digits)
    huge = random.choice(
        (b"9" * 20, b"9" * 5000, b"1e999", b"-1", b"0x" + b"f" * 40, b"1_0", b"0.1", b"1:30")
    )
    return text[:at] + huge + text[at + 1 :]


def _encode(random: Random, text: bytes, _other: bytes) -> bytes:
    """Another encoding, with a byte order mark or without, maybe cut or doubled."""
    read = text.decode("utf-8", "replace")
    made = random.choice(
        (
            codecs.BOM_UTF8 + text,
            codecs.BOM_UTF8 * 2 + text,
            codecs.BOM_UTF16_LE + read.encode("utf-16-le"),
            codecs.BOM_UTF16_BE + read.encode("utf-16-be"),
            codecs.BOM_UTF16_LE + read.encode("utf-16-be"),
            read.encode("utf-16-le"),
            read.encode("utf-32"),
            read.encode("latin-1", "replace"),
            text.replace(b"\n", b"\r\n"),
            text.replace(b"\n", b"\r"),
        )
    )
    return made if random.random() < 0.8 else made[:-1]


_MUTATIONS: tuple[Mutation, ...] = (
    *(_flip, _insert, _delete, _truncate, _repeat, _repeat_lines, _shuffle_lines, _indent, _encode),
    *(_splice, _number, _line, _line, _line, _word, _word, _word),
)
