"""What the API server warns about, as findings at their places."""

from __future__ import annotations

from dractl.admission.framework.server import Admission, Server
from dractl.admission.warnings.table import warnings_of
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version

__all__ = ["about_warnings"]


def about_warnings(server: Server, document: Document, admission: Admission) -> list[Finding]:
    """The warnings that ``server`` adds to its answer about ``document``, in its own words."""
    kind = admission.kind
    return [
        note(
            document,
            Severity.WARNING,
            found.rule,
            f"the server warns: {found.detail}",
            hint=found.hint,
            field=str(found.path),
            steps=steps_in_version(kind.api_version, kind.kind, found.path.steps()),
        )
        for found in warnings_of(server, admission)
    ]
