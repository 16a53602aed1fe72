"""What decides about fixes, and what becomes of the files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dractl.api.arguments import FieldValidation
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.conversion.result import ConvertedFile, joined
from dractl.finding import Applicability, Finding, Fix
from dractl.lint.report import finding_document
from dractl.records import NamedTuple
from dractl.source.load import Loaded
from dractl.workflows.validate import Check, EarlierState, Labels

__all__ = ["SCHEMA", "Fixing", "Question", "Unfixed"]

SCHEMA = "dractl.fix/1"


class Question(NamedTuple):
    """Which fixes to apply, and the servers (each of another minor) that must not reject anything new.

    The other fields are as for a validation. ``is_wanted`` accepts the findings to fix; ``is_unsafe`` allows
    fixes that may change the meaning.
    """

    servers: Sequence[GateSet]
    labels: Labels | None = None
    checks: Sequence[Check] = ()
    past: EarlierState | None = None
    field_validation: FieldValidation = "strict"
    is_wanted: Callable[[Finding], bool] = lambda _: True
    is_unsafe: bool = False

    def fix_in(self, finding: Finding) -> Fix | None:
        """The fix of a finding, if it may be applied."""
        fix = finding.fix
        if fix is None or (fix.applicability is Applicability.UNSAFE and not self.is_unsafe):
            return None
        return fix if self.is_wanted(finding) else None


class Unfixed(NamedTuple):
    """A finding whose fix was not applied, and why."""

    finding: Finding
    reason: str


class Fixing(NamedTuple):
    """The result of :func:`dractl.fix`.

    ``files`` are the texts that were read, before and after, with objects as texts; ``fixed`` the findings
    that were fixed, as they were when their fix was applied; ``unfixed`` those whose fix would not have made
    the object better.
    """

    files: tuple[ConvertedFile, ...]
    fixed: tuple[Finding, ...]
    unfixed: tuple[Unfixed, ...]
    loaded: Sequence[Loaded] = ()

    @property
    def changed(self) -> tuple[ConvertedFile, ...]:
        """The files whose text is another one now."""
        return tuple(file for file in self.files if file.after != file.before)

    @property
    def text(self) -> str:
        """All files one after the other, as one YAML stream."""
        return joined([file.after for file in self.files])

    def to_dict(self) -> JsonDict:
        """The JSON document; ``unfixed`` has the reason for each finding that was not fixed."""
        return {
            "schema": SCHEMA,
            "files": [
                {"file": file.name, "changed": file.after != file.before, "text": file.after}
                for file in self.files
            ],
            "fixed": list(map(finding_document, self.fixed)),
            "unfixed": [
                {"finding": finding_document(entry.finding), "reason": entry.reason} for entry in self.unfixed
            ],
        }
