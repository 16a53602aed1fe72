"""The result of ``format.*().validate()`` for a text, by minor: the server's sentences, word for word.

A selector can compare them, and their length counts for its cost, so dractl's own words would not do.
Mirrors ``k8s.io/apimachinery/pkg/util/validation`` and ``pkg/api/validate/content``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dractl.api.names import byte_length
from dractl.records import NamedTuple

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_ENDS = "and must start and end with an alphanumeric character"


class Form(NamedTuple):
    """A pattern with a greatest length in bytes, and what is said of a text that does not fit it."""

    most: int
    pattern: str
    sentence: str
    examples: tuple[str, ...]

    def fits(self, text: str) -> bool:
        """Whether the pattern takes the whole text, however long it is."""
        return re.fullmatch(self.pattern, text) is not None

    def mismatch(self) -> str:
        """The sentence about the pattern, as ``RegexError`` builds it."""
        examples = " or ".join([f"'{example}', " for example in self.examples])
        return f"{self.sentence} (e.g. {examples}regex used for validation is '{self.pattern}')"

    def problems(self, text: str, unit: str) -> list[str]:
        """What is wrong with a text, first its length in ``unit``."""
        wrong = [_too_long(self.most, unit)] if byte_length(text) > self.most else []
        return wrong if self.fits(text) else [*wrong, self.mismatch()]


LABEL = Form(
    63,
    _LABEL,
    f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {_ENDS}",
    ("my-name", "123-abc"),
)
SUBDOMAIN = Form(
    253,
    rf"{_LABEL}(\.{_LABEL})*",
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', {_ENDS}",
    ("example.com",),
)
LABEL_1035 = Form(
    63,
    "[a-z]([-a-z0-9]*[a-z0-9])?",
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
    "start with an alphabetic character, and end with an alphanumeric character",
    ("my-name", "abc-123"),
)
NAME = Form(
    63,
    _NAME,
    f"must consist of alphanumeric characters, '-', '_' or '.', {_ENDS}",
    ("MyName", "my.name", "123-abc"),
)
LABEL_VALUE = Form(
    63,
    f"({_NAME})?",
    f"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', {_ENDS}",
    ("MyValue", "my_value", "12345"),
)


class Wording(NamedTuple):
    """What the minors say differently: how a label's key is called, and in what its length is counted."""

    key: str
    unit: str


WORDING_134 = Wording("a qualified name", "characters")
WORDING = Wording("a valid label key", "bytes")

_DNS_UNIT = "characters"
"""What the lengths of DNS names are counted in, in all minors, unless they stand before a label's name."""


def _too_long(most: int, unit: str) -> str:
    return f"must be no more than {most} {unit}"


def dns_label(text: str) -> list[str]:
    """What keeps a text from being a DNS label (RFC 1123)."""
    wrong = LABEL.problems(text, _DNS_UNIT)
    if not LABEL.fits(text) and SUBDOMAIN.fits(text):
        wrong[-1] = "must not contain dots"
    return wrong


def dns_subdomain(text: str) -> list[str]:
    """What keeps a text from being a DNS subdomain (RFC 1123)."""
    return SUBDOMAIN.problems(text, _DNS_UNIT)


def dns_1035_label(text: str) -> list[str]:
    """What keeps a text from being a DNS label that begins with a letter (RFC 1035)."""
    return LABEL_1035.problems(text, _DNS_UNIT)


def prefix(check: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """The check of a text to which something will be appended: it may end with a dash."""

    def problems(text: str) -> list[str]:
        return check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)

    return problems


def label_key(wording: Wording) -> Callable[[str], list[str]]:
    """The check of a label's key: an optional subdomain and ``/``, then a name."""

    def problems(text: str) -> list[str]:
        before, slash, name = text.rpartition("/")
        if "/" in before:
            example = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            return [f"{wording.key} {NAME.mismatch()} {example}"]
        wrong = []
        if slash:
            found = SUBDOMAIN.problems(before, wording.unit) if before else ["must be non-empty"]
            wrong += [f"prefix part {each}" for each in found]
        if not name:
            wrong.append("name part must be non-empty")
        return wrong + [f"name part {each}" for each in NAME.problems(name, wording.unit)]

    return problems


def label_value(wording: Wording) -> Callable[[str], list[str]]:
    """The check of a label's value: empty, or like a label's name."""
    return lambda text: LABEL_VALUE.problems(text, wording.unit)
