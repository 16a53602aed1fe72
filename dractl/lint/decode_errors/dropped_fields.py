"""Unknown and duplicate fields before a server that drops them and goes on: warnings or infos."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.arguments import FieldValidation
from dractl.finding import Finding, Severity

__all__ = ["downgraded"]

_SEVERITY: Mapping[FieldValidation, Severity] = {"warn": Severity.WARNING, "ignore": Severity.INFO}
"""By ``fieldValidation`` of a request; a server that only ignores such fields does not warn about them."""


def downgraded(findings: Iterable[Finding], field_validation: FieldValidation) -> list[Finding]:
    """``findings`` of decoding as a server reports them that does not refuse unknown and duplicate fields.

    The message starts with the warning of the server, the field as it names it. What cannot be decoded at
    all stays an error, as does everything else.
    """
    severity = _SEVERITY.get(field_validation)
    if severity is None:
        return list(findings)
    return [_downgraded(found, severity) if _is_strict(found) else found for found in findings]


def _is_strict(found: Finding) -> bool:
    """Whether only strict decoding refuses it; what cannot be decoded has no field in the answer."""
    return found.type == "Decode" and bool(found.field)


def _downgraded(found: Finding, severity: Severity) -> Finding:
    if found.rule == "decode/duplicate":
        message = f'duplicate field "{found.field}": the server keeps the last value'
    else:
        message = f'unknown field "{found.field}": the server drops it'
        more = [f'"{field}"' for field in found.related]
        if more:
            message += f", and {', '.join(more)}"
        if found.rule != "decode/unknown":
            message += f"; {found.message}"
    return found._replace(severity=severity, type=None, message=message)
