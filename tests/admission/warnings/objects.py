"""What a server warns about in an object, as texts for tests to compare."""

from __future__ import annotations

from typing import Any

import dractl.admission.warnings.pods  # noqa: F401 - declares its rows
from dractl.admission.admit import admit
from dractl.admission.framework.server import Admission, Server
from dractl.admission.framework.warning import FieldWarning
from dractl.admission.status_update import admit_status
from dractl.admission.update import admit_update, stored_object
from dractl.admission.warnings.table import warnings_of
from dractl.api import gates, release
from dractl.api.release import Minor
from dractl.versions.registry import Standing, look_up
from dractl.versions.table import Kind
from tests.admission.excerpts import NOW

Manifest = dict[str, Any]


def warnings_about(
    manifest: Manifest,
    *,
    minor: Minor | str = release.NEWEST,
    old: Manifest | None = None,
    subresource: str = "",
    overrides: dict[str, bool] | None = None,
    namespaces: dict[str, dict[str, str]] | None = None,
) -> list[FieldWarning]:
    """The warnings of a server about a new object, or about one that replaces ``old``."""
    at = release.at(minor) if isinstance(minor, str) else minor
    server = Server(at, gates.resolve(at, overrides or {}), namespaces or {}, NOW)
    return warnings_of(server, _admitted(server, manifest, old, subresource))


def texts_about(manifest: Manifest, minor: Minor | str = release.NEWEST) -> list[str]:
    """The texts of the ``Warning:`` headers about a new object."""
    return [found.text for found in warnings_about(manifest, minor=minor)]


def pod(name: str = "train", **spec: Any) -> Manifest:
    """A pod with one container and what ``spec`` adds or replaces."""
    containers = [{"name": "main", "image": "registry.example.com/main"}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": containers, **spec},
    }


def _admitted(server: Server, manifest: Manifest, old: Manifest | None, subresource: str) -> Admission:
    kind = kind_of(server.minor, manifest)
    assert kind is not None
    if old is None:
        return admit(server, kind, manifest)
    before = kind_of(server.minor, old)
    assert before is not None
    write = admit_status if subresource else admit_update
    return write(server, kind, manifest, stored_object(server, before, old))


def kind_of(minor: Minor, manifest: Manifest) -> Kind | None:
    """The kind of a manifest; None if servers of ``minor`` do not know it."""
    found = look_up(minor, manifest)
    return found.kind if found.standing is Standing.KNOWN else None
