"""What servers of one minor or another say of an excerpt that is laid over a valid object."""

from __future__ import annotations

from typing import Any

from dractl.admission import status_update
from dractl.admission.admit import admit
from dractl.admission.framework.server import Admission, Server
from dractl.admission.update import admit_update, stored_object
from dractl.api import gates, release
from dractl.versions.table import Kind
from tests.admission.excerpts import NOW, laid_over_base, newest

Json = dict[str, Any]


def _start(minor: str, kind: str, overrides: dict[str, bool]) -> tuple[Server, Kind]:
    at = release.parse(minor)
    found = newest(at, kind)
    assert found is not None
    return Server(at, gates.resolve(at, overrides), {}, NOW), found


def _lines(admission: Admission) -> set[str]:
    assert admission.problems == []
    return {
        f"{error.rule} {error.type.value.removeprefix('FieldValue')} {error.path}"
        for error in admission.errors
    }


def created(minor: str, kind: str, excerpt: Json, **overrides: bool) -> set[str]:
    """The errors about a new object as ``RULE TYPE PATH``, the type without its prefix."""
    server, found = _start(minor, kind, overrides)
    return _lines(admit(server, found, laid_over_base(found, excerpt)))


def updated(minor: str, kind: str, excerpt: Json, old: Json, **overrides: bool) -> set[str]:
    """The same for one that replaces a stored object, the excerpt ``old`` laid over the valid one."""
    server, found = _start(minor, kind, overrides)
    stored = stored_object(server, found, laid_over_base(found, old))
    return _lines(admit_update(server, found, laid_over_base(found, excerpt), stored))


def status_written(
    minor: str, kind: str, status: Json, old: Json | None = None, **overrides: bool
) -> set[str]:
    """The same for a status that replaces ``old``."""
    base = {"metadata": {"resourceVersion": "1"}}
    server, found = _start(minor, kind, overrides)
    before = laid_over_base(found, base | ({} if old is None else {"status": old}))
    new = laid_over_base(found, base | {"status": status})
    return _lines(status_update.admit_status(server, found, new, stored_object(server, found, before)))
