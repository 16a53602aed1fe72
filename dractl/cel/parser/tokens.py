"""The tokens of an expression and their values, by the lexer rules of cel-go's grammar (``CEL.g4``)."""

from __future__ import annotations

import re
from functools import cache

from dractl.cel.common.errors import CompileError
from dractl.cel.common.values import Uint
from dractl.records import NamedTuple

# Every character of a string can be read in one way only, so that no text makes the lexer slow. Whether
# an escape sequence exists is looked at when the string is read out.
_STRING = (
    r'(?:"""(?:\\[\s\S]|[^\\])*?"""'
    r"|'''(?:\\[\s\S]|[^\\])*?'''"
    r'|"(?:\\[^\n\r]|[^\\"\n\r])*+"'
    r"|'(?:\\[^\n\r]|[^\\'\n\r])*+'"
    r'|[rR](?:"""[\s\S]*?"""'
    r"|'''[\s\S]*?'''"
    r'|"[^"\n\r]*+"'
    r"|'[^'\n\r]*+'))"
)
# What is frequent comes first: a string may begin like a name, a number like a dot.
_TOKEN = re.compile(
    r"(?:[\t \r\n\f]++|//[^\n]*+)*+(?:"
    r"(?P<operator>[=!<>]=|&&|\|\||\.(?![0-9])|[<>\[\]{}(),\-!?:+*/%])"
    r"|(?P<name>(?![bB]?[rR]?[\"'])[A-Za-z_][A-Za-z0-9_]*+)"
    rf"|(?P<string>[bB]?{_STRING})"
    r"|(?P<float>[0-9]++\.[0-9]++(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++|\.[0-9]++(?:[eE][+-]?[0-9]++)?)"
    r"|(?P<int>(?:0x[0-9a-fA-F]++|[0-9]++)[uU]?)"
    r"|(?P<quoted>`[A-Za-z0-9_.\-/ ]++`)"
    r"|(?P<end>\Z)"
    r")"
)
_INT64_MAX = 2**63 - 1
_UINT64_MAX = 2**64 - 1
_MAX_DIGITS = 30
_KEYWORDS = frozenset({"in", "true", "false", "null"})
_NESTING = {"(": 1, "[": 1, "{": 1, "?": 1, ")": -1, "]": -1, "}": -1}

MAX_LENGTH = 100_000
"""Longest expression that cel-go parses, in characters."""


class Token(NamedTuple):
    """A piece of the text: its kind (an operator or keyword is its own kind), the text and its offset."""

    kind: str
    text: str
    offset: int


def tokens_of(expression: str) -> tuple[list[Token], int]:
    """The tokens of ``expression``, ending with one of kind ``end``, and how deep its brackets nest.

    Raises CompileError of kind ``syntax`` at the first character that starts no token.
    """
    if len(expression) > MAX_LENGTH:
        raise CompileError(
            "syntax", f"the expression must have at most {MAX_LENGTH} characters, got {len(expression)}"
        )
    found: list[Token] = []
    position = depth = deepest = 0
    for match in _TOKEN.finditer(expression):
        kind = match.lastgroup or ""
        text = match[kind]
        if match.start() != position:
            break
        position = match.end()
        if kind == "operator":
            kind = text
            depth += _NESTING.get(text, 0)
            deepest = max(deepest, depth)
        elif kind == "name":
            kind = text if text in _KEYWORDS else kind
        elif kind == "string":
            kind = "bytes" if text[0] in "bB" else kind
        elif kind == "int":
            kind = "uint" if text[-1] in "uU" else kind
        if kind == "end":
            # Right behind the last token, so that no mark is on an empty line or behind a comment.
            last = found[-1].offset + len(found[-1].text) if found else 0
            found.append(Token(kind, text, last))
            return found, deepest
        found.append(Token(kind, text, position - len(text)))
    raise _no_token(expression, position)


_BLANK = re.compile(r"(?:[\t \r\n\f]++|//[^\n]*+)*+")


def _no_token(expression: str, position: int) -> CompileError:
    blank = _BLANK.match(expression, position)
    offset = blank.end() if blank else position
    rest = expression[offset:]
    if rest.lstrip("rRbB")[:1] in ("'", '"'):
        quote = rest.lstrip("rRbB")[0]
        problem = f"this string is not closed with {quote}"
        return CompileError("syntax", problem, offset)
    if rest[0] == "=":
        before = expression[:offset][-2:]
        wrong = f"{before}=" if before in {"==", "!="} else "="
        right = f"`{before}`" if len(wrong) > 1 else "`==` for equality"
        return CompileError("syntax", f"unknown operator `{wrong}`; use {right}", offset)
    if rest[0] in "&|":
        return CompileError("syntax", f"use `{rest[0] * 2}` as the logical operator", offset)
    if rest[0] == "`":
        return CompileError(
            "syntax", "this quoted field name is not closed or has invalid characters", offset
        )
    return CompileError("syntax", f"unexpected character `{rest[0]}`", offset)


_SIMPLE_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "`": "`",
    "?": "?",
}


@cache
def _escapes() -> re.Pattern[str]:
    return re.compile(r"\\(?:[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|([\s\S]))")


def _simple(match: re.Match[str], offset: int) -> str | None:
    """The character of an escape of one letter, None for a numeric one; raises CompileError for no escape."""
    letter: str | None = match[1]
    if letter is None:
        return None
    found = _SIMPLE_ESCAPES.get(letter)
    if found is None:
        raise CompileError("syntax", f"unknown escape sequence \\{letter}; use \\\\ for a backslash", offset)
    return found


def string_value(token: Token, *, surrogates: bool) -> str:
    """What a string token stands for; raises CompileError where an escape is not a character.

    Where ``surrogates`` are allowed, the escape of one becomes U+FFFD, as Go writes it.
    """
    raw, body = _body(token.text)
    if raw or "\\" not in body:
        return body

    def character(match: re.Match[str]) -> str:
        simple = _simple(match, token.offset)
        if simple is not None:
            return simple
        code = match[0][1:]
        point = int(code[1:], 16) if code[0] in "xXuU" else int(code, 8)
        is_surrogate = 0xD800 <= point <= 0xDFFF
        if is_surrogate and surrogates:
            return "\ufffd"
        if is_surrogate or point > 0x10FFFF:
            raise CompileError("syntax", f"{match[0]} is not a Unicode character", token.offset)
        return chr(point)

    return _escapes().sub(character, body)


def bytes_value(token: Token) -> bytes:
    """What a bytes token stands for: numeric escapes are bytes, and those of characters are not allowed."""
    raw, body = _body(token.text[1:])
    if raw or "\\" not in body:
        return body.encode("utf-8", "surrogatepass")
    parts: list[bytes] = []
    position = 0
    for match in _escapes().finditer(body):
        parts.append(body[position : match.start()].encode("utf-8", "surrogatepass"))
        position = match.end()
        code = match[0][1:]
        simple = _simple(match, token.offset)
        if simple is not None:
            parts.append(simple.encode())
        elif code[0] in "uU":
            raise CompileError("syntax", f"{match[0]} is not allowed in bytes; use \\x escapes", token.offset)
        else:
            parts.append(bytes([int(code[1:], 16) if code[0] in "xX" else int(code, 8)]))
    parts.append(body[position:].encode("utf-8", "surrogatepass"))
    return b"".join(parts)


def number_value(token: Token, sign: str, offset: int) -> float | Uint:
    """The number of a token; raises CompileError at ``offset`` if it does not fit.

    ``sign`` is the ``-`` before it, which belongs to the literal: the least int64 is not the negative of one.
    """
    text = token.text
    if token.kind == "float":
        return _double(sign + text, offset)
    digits = text.rstrip("uU")
    # Python refuses to convert more than 4,300 decimal digits; 2**64 has 20.
    if len(digits) > _MAX_DIGITS:
        raise CompileError("syntax", "this number does not fit into 64 bits", offset)
    number = int(digits, 16) if digits.startswith("0x") else int(digits)
    if token.kind == "uint":
        if number > _UINT64_MAX:
            raise CompileError("syntax", "this unsigned number does not fit into 64 bits", offset)
        return Uint(number)
    number = -number if sign else number
    if not -_INT64_MAX - 1 <= number <= _INT64_MAX:
        raise CompileError("syntax", "this number does not fit into 64 bits", offset)
    return number


def _double(text: str, offset: int) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise CompileError("syntax", "this number is out of range for double", offset)
    return value


def _body(text: str) -> tuple[bool, str]:
    raw = text[0] in "rR"
    text = text[1:] if raw else text
    width = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    return raw, text[width:-width].replace("\r\n", "\n").replace("\r", "\n")
