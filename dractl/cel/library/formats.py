"""Named formats of texts, as ``k8s.io/apiserver/pkg/cel/library/format.go``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dractl.api import names
from dractl.cel import types
from dractl.cel.errors import EvaluationError
from dractl.cel.operators import no_overload
from dractl.cel.overload import Overload, overload
from dractl.cel.times import timestamp_of
from dractl.cel.values import NONE, Optional

_LABEL_1035 = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")
_BASE64 = re.compile(
    r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{4}"
)
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})")


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

    def cel_equal(self, other: Any) -> bool:
        """Whether both are the same format; raises EvaluationError for another type."""
        if type(other) is not Format:
            no_overload("==", self, other)
        return self.name == other.name


def _dns_1035_label(text: str) -> list[str]:
    wrong = []
    if len(text.encode()) > names.LABEL_MAX:
        wrong.append(f"must have at most {names.LABEL_MAX} characters")
    if _LABEL_1035.fullmatch(text) is None:
        wrong.append("must consist of lower-case letters, digits and '-', beginning with a letter")
    return wrong


def _prefix(check: Callable[[str], Sequence[str]]) -> Callable[[str], Sequence[str]]:
    """The check of a text to which something will be appended: it may end with a dash."""

    def problems(text: str) -> Sequence[str]:
        return check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)

    return problems


def _if_not(accepted: Callable[[str], bool], message: str) -> Callable[[str], Sequence[str]]:
    return lambda text: [] if accepted(text) else [message]


def _is_uri(text: str) -> bool:
    from dractl.cel.uri import is_request_uri  # noqa: PLC0415 - few expressions need it

    return is_request_uri(text)


def _is_base64(text: str) -> bool:
    return bool(text) and len(text) % 4 == 0 and _BASE64.fullmatch(text) is not None


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
    match = _TIME.fullmatch(parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


FORMATS: dict[str, Format] = {
    "dns1123Label": Format("DNS1123Label", names.dns_label, 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", names.dns_subdomain, 60),
    "dns1035Label": Format("DNS1035Label", _dns_1035_label, 30),
    "qualifiedName": Format("QualifiedName", names.label_key, 60),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", _prefix(names.dns_label), 30),
    "dns1123SubdomainPrefix": Format("DNS1123SubdomainPrefix", _prefix(names.dns_subdomain), 60),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", _prefix(_dns_1035_label), 30),
    "labelValue": Format("LabelValue", names.label_value, 40),
    "uri": Format("URI", _if_not(_is_uri, "is no absolute URI"), 1103),
    "uuid": Format("uuid", _if_not(lambda text: bool(_UUID.fullmatch(text)), "is no UUID"), 70),
    "byte": Format("byte", _if_not(_is_base64, "is no base64"), 84),
    "date": Format("date", _if_not(_is_date, "is no date"), 71),
    "datetime": Format("datetime", _if_not(_is_datetime, "is no date with time"), 71),
}


def _named(name: str) -> Optional:
    found = FORMATS.get(name)
    return NONE if found is None else Optional(found)


def _validate(found: Format, text: str) -> Optional:
    problems = found.problems(text)
    return Optional(list(problems)) if problems else NONE


def _constant(found: Format) -> Callable[[], Format]:
    return lambda: found


OVERLOADS: tuple[Overload, ...] = (
    overload(
        "validate",
        "format-validate",
        "Format.(string) -> optional(list(string))",
        _validate,
        cost="validate",
        doc="what is wrong with the text; none if nothing is",
    ),
    overload(
        "format.named", "format-named", "(string) -> optional(Format)", _named, doc="the format, if any"
    ),
    *(
        overload(f"format.{name}", f"format.{name}", "() -> Format", _constant(found), doc="that format")
        for name, found in FORMATS.items()
    ),
)
