"""Mutations of CEL expressions by tokens, and regular expressions that are dear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.fuzz.words import BOMBS, CEL, NAMES

__all__ = ["mutate_expression"]

_TOKEN = re.compile(r"""[rb]*"(?:[^"\\]|\\.)*"|[rb]*'(?:[^'\\]|\\.)*'|\w+|\s+|&&|\|\||[=!<>]=|.""", re.DOTALL)


def mutate_expression(random: Random, text: str, known: Sequence[str]) -> str:
    """``text`` after one to three mutations; ``known`` are expressions to take pieces from."""
    for _ in range(random.choice((1, 1, 2, 3))):
        text = random.choice(_MUTATIONS)(random, text, known)
    return text


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text) or [""]


def _replace(random: Random, text: str, _known: Sequence[str]) -> str:
    tokens = _tokens(text)
    tokens[random.randrange(len(tokens))] = random.choice(CEL)
    return "".join(tokens)


def _insert(random: Random, text: str, _known: Sequence[str]) -> str:
    tokens = _tokens(text)
    tokens.insert(random.randint(0, len(tokens)), random.choice(CEL))
    return "".join(tokens)


def _delete(random: Random, text: str, _known: Sequence[str]) -> str:
    tokens = _tokens(text)
    at = random.randrange(len(tokens))
    return "".join(tokens[:at] + tokens[at + random.choice((1, 1, 3)) :])


def _graft(random: Random, text: str, known: Sequence[str]) -> str:
    tokens = _tokens(text)
    tokens[random.randrange(len(tokens))] = f"({random.choice(known)})"
    return "".join(tokens)


def _join(random: Random, text: str, known: Sequence[str]) -> str:
    return f"{text} {random.choice(('&&', '||', '==', '+', '? true :', 'in'))} {random.choice(known)}"


def _call(random: Random, text: str, _known: Sequence[str]) -> str:
    return f"({text}){random.choice([word for word in CEL if word.startswith('.')])}"


def _wrap(random: Random, text: str, _known: Sequence[str]) -> str:
    """The same thing many times inside itself."""
    opening, closing = random.choice(
        (
            ("(", ")"),
            ("!", ""),
            ("-", ""),
            ("[", "]"),
            ("size([", "])"),
            ("[1].map(x, ", ")"),
            ("true ? ", " : false"),
        )
    )
    times = random.choice((2, 5, 30, 300, 2000))
    return opening * times + text + closing * times


def _repeat(random: Random, text: str, _known: Sequence[str]) -> str:
    return random.choice((" && ", " || ", " + ", ", ")).join([text] * random.choice((2, 10, 100)))


def _loops(random: Random, text: str, _known: Sequence[str]) -> str:
    """Loops in loops over a list that is given."""
    listed = f"[{','.join(map(str, range(random.choice((2, 10, 60)))))}]"
    for depth in range(random.choice((1, 2, 4, 8))):
        text = f"{listed}.{random.choice(('all', 'exists', 'map', 'filter'))}(x{depth}, {text})"
    return text


def _expression(random: Random, _text: str, _known: Sequence[str]) -> str:
    """A regular expression that is dear, on a text that fits it nearly."""
    bomb = random.choice(BOMBS).replace("\\", "\\\\").replace("'", "\\'")
    length = random.choice((1, 30, 1000, 5000))
    call = random.choice(("matches", "find", "findAll"))
    return f"'{random.choice('aax') * length}!'.{call}('{bomb}')" + random.choice(
        ("", " == ''", ".size() > 0")
    )


def _texts(random: Random, _text: str, _known: Sequence[str]) -> str:
    """Texts that grow with every step."""
    name = random.choice(NAMES).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    steps = random.choice((1, 5, 30))
    return (
        f"'{name}'"
        + random.choice((".replace('', 'ab')", ".split('').join('ab')", ".replace('a', 'aa')")) * steps
        + " == ''"
    )


_MUTATIONS = (
    *(_replace, _replace, _insert, _insert, _delete, _graft, _join, _call),
    *(_wrap, _repeat, _loops, _expression, _expression, _texts),
)
