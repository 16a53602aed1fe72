"""The table of what the API server only warns about: rows like those of rules, without an error type."""

from __future__ import annotations

from dractl.admission.framework.rule import Rule
from dractl.api import release
from dractl.api.path import FieldPath
from dractl.records import NamedTuple

__all__ = ["FieldWarning", "warned", "warning"]


class FieldWarning(NamedTuple):
    """One warning of the server: by which rule, where, and in which words; ``hint`` is dractl's own."""

    rule: str
    path: FieldPath
    detail: str
    hint: str

    @property
    def text(self) -> str:
        """The text of the ``Warning:`` header."""
        return f"{self.path}: {self.detail}"


_TABLE: dict[str, list[Rule]] = {}


def warning(
    id: str,  # noqa: A002 - the column's name
    *,
    kind: str,
    at: str | tuple[str, ...],
    doc: str,
    upstream: str,
    since: str = "",
) -> Rule:
    """Declare what servers since ``since`` warn about and put it into the table.

    ``doc`` is its manual page; for the columns see :func:`dractl.admission.framework.rule.rule`.
    """
    row = Rule(
        id,
        kinds=(kind,),
        at=(at,) if isinstance(at, str) else at,
        types=(),
        since=release.at(since) if since else None,
        until=None,
        gate="",
        only_with="",
        covered=False,
        upstream=upstream,
        doc=doc,
    )
    _TABLE.setdefault(id, []).append(row)
    return row


def warned() -> dict[str, list[Rule]]:
    """All rows by id; complete once ``dractl.lint.catalog`` is loaded."""
    return dict(_TABLE)
