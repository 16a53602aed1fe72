"""What the API server itself writes about names and label values that have the wrong form."""

from __future__ import annotations

from dractl.api import names

_VALUE_FORM = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)


def dns_label_texts(subdomain: str) -> list[str]:
    """The errors of ``IsDNS1123Label`` for a DNS subdomain; empty for a DNS label."""
    found = _too_long(subdomain, "characters")
    return [*found, "must not contain dots"] if "." in subdomain else found


def label_value_texts(value: str, *, counts_bytes: bool) -> list[str]:
    """The errors of ``IsValidLabelValue`` for ``value``; empty for a valid label value.

    All servers count bytes; some write characters.
    """
    found = _too_long(value, "bytes" if counts_bytes else "characters")
    return found if len(names.label_value(value)) == len(found) else [*found, _VALUE_FORM]


def _too_long(value: str, unit: str) -> list[str]:
    is_long = names.byte_length(value) > names.LABEL_MAX
    return [f"must be no more than {names.LABEL_MAX} {unit}"] if is_long else []
