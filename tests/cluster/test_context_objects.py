"""What is read of objects without rules."""

from __future__ import annotations

from typing import Any

from dractl.cluster.context_objects import surrounding
from tests.rows import each_row


def service(**more: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, **more}


def priority_class(**more: Any) -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        **more,
    }


def test_a_service_has_its_selector_only() -> None:
    found = surrounding(service(spec={"selector": {"app": "web"}, "ports": [{"port": 80}]}, status={}))
    assert found == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }


def test_a_service_keeps_its_namespace() -> None:
    found = surrounding(service(metadata={"name": "web", "namespace": "ml", "uid": "1"}))
    assert found is not None
    assert found["metadata"] == {"name": "web", "namespace": "ml"}


@each_row("spec", [None, [], {}, {"selector": None}, {"selector": ["app"]}])
def test_a_service_without_a_readable_selector_selects_nothing(spec: Any) -> None:
    found = surrounding(service(spec=spec))
    assert found is not None
    assert found["spec"] == {"selector": {}}


def test_a_priority_class_has_a_value_and_may_be_the_default() -> None:
    found = surrounding(priority_class(value=1000, globalDefault=True, description="x"))
    assert found is not None
    assert (found["value"], found["globalDefault"]) == (1000, True)
    assert "globalDefault" not in (surrounding(priority_class(value=5, globalDefault=False)) or {})


@each_row("value", [None, "1000", True, 1.5])
def test_a_value_that_is_no_integer_counts_as_zero(value: Any) -> None:
    found = surrounding(priority_class(value=value))
    assert found is not None
    assert found["value"] == 0


@each_row(
    "value",
    [
        None,
        [],
        "Service",
        service(metadata=None),
        service(metadata={"name": ""}),
        service(metadata={"name": 7}),
        service(apiVersion="serving.example.com/v1"),
        service(apiVersion=1),
        service(kind=["Service"]),
        service(kind="ConfigMap"),
    ],
)
def test_anything_else_is_not_looked_at(value: Any) -> None:
    assert surrounding(value) is None
