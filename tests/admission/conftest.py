"""What the tests of admission share: servers, and the verdict on one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from dractl.admission.admit import Admission, Server, admit
from dractl.api import gates, release
from dractl.versions.registry import look_up

NOW = "2026-01-31T12:00:00Z"
Admit = Callable[..., Admission]


@pytest.fixture(name="admit_as_new")
def _admit_as_new() -> Admit:
    """``admit_as_new(object, gates, namespaces, minor="1.37")``: what a server makes of a new object."""

    def admit_as_new(
        document: dict[str, Any],
        gate_overrides: Mapping[str, bool] | None = None,
        namespaces: Mapping[str, Mapping[str, str]] | None = None,
        minor: str = "1.37",
    ) -> Admission:
        number = release.parse(minor)
        kind = look_up(number, document).kind
        assert kind is not None
        server = Server(number, gates.resolve(number, gate_overrides), namespaces, NOW)
        return admit(server, kind, document)

    return admit_as_new


def verdict(admission: Admission) -> set[tuple[str, str]]:
    """The errors as ``(type without its prefix, path)``."""
    return {(error.type.value.removeprefix("FieldValue"), str(error.path)) for error in admission.errors}


def claim(*requests: dict[str, Any], version: str = "v1", **rest: Any) -> dict[str, Any]:
    """A claim with these requests."""
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "claim", "namespace": "default"},
        "spec": {"devices": {"requests": list(requests), **rest}},
    }


def exactly(**fields: Any) -> dict[str, Any]:
    """A request named gpu for exactly one thing."""
    return {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", **fields}}
