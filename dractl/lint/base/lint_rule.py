"""The row of a rule that is dractl's own: its text and its severity."""

from __future__ import annotations

from dractl.admission.framework.rule import Rule
from dractl.finding import Severity

__all__ = ["OwnRule", "document_rule", "own_rule"]


class OwnRule(Rule):
    """A rule that no API server has; its page reads like those of the server's rules.

    The excerpts on the page are whole documents, as they would be in files. ``explains_placement``: its
    findings say why devices go elsewhere than expected, so that a simulation shows them too.
    """

    __slots__ = ("explains_placement", "severity")

    severity: Severity
    explains_placement: bool


def own_rule(
    id: str,  # noqa: A002 - the column's name
    *,
    severity: Severity,
    kind: str | tuple[str, ...],
    doc: str,
    explains_placement: bool = False,
) -> OwnRule:
    """A row; ``doc`` is its page, ``kind`` names the kinds that it covers."""
    row = OwnRule(
        id,
        kinds=(kind,) if isinstance(kind, str) else kind,
        at=(),
        types=(),
        since=None,
        until=None,
        gate="",
        only_with="",
        covered=False,
        upstream="",
        doc=doc,
    )
    row.severity = severity
    row.explains_placement = explains_placement
    return row


def document_rule(id: str, severity: Severity, doc: str, *kinds: str) -> OwnRule:  # noqa: A002 - as above
    """A row about whole documents: of all kinds, if none is named."""
    return own_rule(id, severity=severity, kind=kinds, doc=doc)
