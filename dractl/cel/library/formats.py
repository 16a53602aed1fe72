"""Named formats of texts, as ``k8s.io/apiserver/pkg/cel/library/format.go``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dractl.cel.common import types
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import not_comparable
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.times import timestamp_of
from dractl.cel.common.values import NONE, Optional, Value
from dractl.cel.library import format_texts
from dractl.cel.library.format_texts import Wording
from dractl.records import NamedTuple

_UUID = r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}"
_BASE64 = (
    r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{4}"
)
_TIME = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})"


class Format(NamedTuple):
    """A format: its name, what is wrong with a text, and the size of its pattern, for the cost."""

    name: str
    problems: Callable[[str], Sequence[str]]
    pattern_size: int

    @property
    def cel_unhashable(self) -> bool:
        """That Go cannot make it the key of a map."""
        return True

    @property
    def cel_type(self) -> types.Type:
        """The type ``kubernetes.NamedFormat``."""
        return types.FORMAT

    def cel_equal(self, other: Value) -> bool:
        """Whether both are the same format; raises EvaluationError for another type."""
        if type(other) is not Format:
            not_comparable(self, other)
        return self.name == other.name


def _if_not(accepted: Callable[[str], bool], message: str) -> Callable[[str], Sequence[str]]:
    return lambda text: [] if accepted(text) else [message]


def _uri_problems(text: str) -> list[str]:
    from dractl.cel.library.uri import is_request_uri

    if is_request_uri(text):
        return []
    from dractl.cel.library.uri_problems import problem_of  # fewer still ask what is wrong

    return [problem_of(text)]


def _is_base64(text: str) -> bool:
    return bool(text) and len(text) % 4 == 0 and re.fullmatch(_BASE64, text) is not None


def _is_date(text: str) -> bool:
    if len(text) != 10:
        return False
    try:
        timestamp_of(f"{text}T00:00:00Z")
    except EvaluationError:
        # The year 0 is a date, but no timestamp.
        return text.startswith("0000-") and _is_date(f"2000{text[4:]}")
    return True


def _is_datetime(text: str) -> bool:
    parts = text.lower().split("t")
    if len(text.encode()) < 4 or len(parts) < 2 or not _is_date(parts[0]):
        return False
    match = re.fullmatch(_TIME, parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


_DNS: dict[str, Format] = {
    "dns1123Label": Format("DNS1123Label", format_texts.dns_label, 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", format_texts.dns_subdomain, 60),
    "dns1035Label": Format("DNS1035Label", format_texts.dns_1035_label, 30),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", format_texts.prefix(format_texts.dns_label), 30),
    "dns1123SubdomainPrefix": Format(
        "DNS1123SubdomainPrefix", format_texts.prefix(format_texts.dns_subdomain), 60
    ),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", format_texts.prefix(format_texts.dns_1035_label), 30),
}
_STRFMT: dict[str, Format] = {
    "uri": Format("URI", _uri_problems, 1103),
    "uuid": Format(
        "uuid", _if_not(lambda text: bool(re.fullmatch(_UUID, text)), "does not match the UUID format"), 70
    ),
    "byte": Format("byte", _if_not(_is_base64, "invalid base64"), 84),
    "date": Format("date", _if_not(_is_date, "invalid date"), 71),
    "datetime": Format("datetime", _if_not(_is_datetime, "invalid datetime"), 71),
}


def _formats(wording: Wording) -> dict[str, Format]:
    """All formats, where those of labels speak in the words of some minors."""
    return {
        **_DNS,
        "qualifiedName": Format("QualifiedName", format_texts.label_key(wording), 60),
        "labelValue": Format("LabelValue", format_texts.label_value(wording), 40),
        **_STRFMT,
    }


def _named(formats: dict[str, Format]) -> Callable[[str], Optional]:
    def named(name: str) -> Optional:
        found = formats.get(name)
        return NONE if found is None else Optional(found)

    return named


def _validate(found: Format, text: str) -> Optional:
    problems = found.problems(text)
    return Optional(list(problems)) if problems else NONE


def _constant(found: Format) -> Callable[[], Format]:
    return lambda: found


def _overloads(formats: dict[str, Format]) -> tuple[Overload, ...]:
    return (
        overload(
            "validate",
            "format-validate",
            "Format.(string) -> optional(list(string))",
            _validate,
            cost="validate",
            doc="the problems of the text, if any",
        ),
        overload(
            "format.named",
            "format-named",
            "(string) -> optional(Format)",
            _named(formats),
            doc="the format, if any",
        ),
        *(
            overload(f"format.{name}", f"format.{name}", "() -> Format", _constant(found), doc="that format")
            for name, found in formats.items()
        ),
    )


OVERLOADS_134: tuple[Overload, ...] = _overloads(_formats(format_texts.WORDING_134))
OVERLOADS: tuple[Overload, ...] = _overloads(_formats(format_texts.WORDING))
