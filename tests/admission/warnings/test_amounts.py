from __future__ import annotations

from typing import Any

import pytest

from tests.admission.warnings.objects import pod, texts_about, warnings_about

_MAIN = "spec.containers[0].resources"


def _text(at: str, amount: str) -> str:
    return f'{at}: fractional byte value "{amount}" is invalid, must be an integer'


def _container(**resources: Any) -> dict[str, Any]:
    return {"name": "main", "image": "registry.example.com/main", "resources": resources}


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        ("512Mi", ""),
        ("512m", "512m"),
        ("1000m", ""),
        ("1.5", "1500m"),
        ("0.0001", "1m"),
        ("0.1Ki", "102400m"),
        ("12345678901234567890m", "12345678901234567890m"),
    ],
)
@pytest.mark.parametrize("name", ["memory", "ephemeral-storage"])
def test_amounts_are_whole_bytes(name: str, amount: str, written: str) -> None:
    expected = [_text(f"{_MAIN}.requests[{name}]", written)] if written else []
    for minor in ("1.30", "1.38"):
        manifest = pod(containers=[_container(requests={name: amount})])
        assert texts_about(manifest, minor) == expected


def test_other_resources_may_be_fractions() -> None:
    assert texts_about(pod(containers=[_container(requests={"cpu": "500m"})])) == []


def test_older_servers_take_large_numbers_for_fractions() -> None:
    manifest = pod(overhead={"memory": "0.5Ei"})
    assert texts_about(manifest, "1.37") == [_text("spec.overhead[memory]", "512Pi")]
    assert texts_about(manifest, "1.38") == []
    (found,) = warnings_about(manifest, minor="1.37")
    assert found.hint.startswith("ignore it: ")
    # With so many zeros, or in the other form of quantities, all is lost that could be misread.
    for amount in ("1234567890123456789012e60", "1e30"):
        assert texts_about(pod(overhead={"memory": amount}), "1.37") == []


def test_a_limit_of_a_pod_is_a_request_too() -> None:
    limits = {"memory": "512m"}
    both = [_text(f"{_MAIN}.limits[memory]", "512m"), _text(f"{_MAIN}.requests[memory]", "512m")]
    assert texts_about(pod(containers=[_container(limits=limits)])) == both
    assert texts_about(pod(containers=[_container(limits=limits, requests={"memory": "0"})])) == both[:1]


def test_templates_have_no_requests_made_of_limits() -> None:
    template = {"spec": pod(containers=[_container(limits={"memory": "512m"})])["spec"]}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec}
    assert texts_about(workload) == [_text(f"spec.template.{_MAIN}.limits[memory]", "512m")]


def test_overhead_and_init_containers_come_first() -> None:
    whole = pod(
        overhead={"memory": "1.5", "cpu": "250m"},
        initContainers=[_container(limits={"memory": "1Gi"}, requests={"memory": "2.5"})],
        containers=[_container(requests={"ephemeral-storage": "1m"})],
    )
    assert texts_about(whole) == [
        _text("spec.overhead[memory]", "1500m"),
        _text("spec.initContainers[0].resources.requests[memory]", "2500m"),
        _text(f"{_MAIN}.requests[ephemeral-storage]", "1m"),
    ]


def test_a_fraction_gets_a_hint() -> None:
    (found,) = warnings_about(pod(overhead={"memory": "512m"}))
    assert found.hint == "use a whole number of bytes; the suffix m means thousandths, Mi means mebibytes"
