"""Of two objects with one name the cluster keeps the later one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dractl
from dractl.finding import Finding, Severity


def _claim(name: str, count: int = 1, version: str = "v1", **meta: Any) -> dict[str, Any]:
    exactly = {"deviceClassName": "gpu.example.com", "count": count}
    request = {"name": "gpu", **(exactly if version == "v1beta1" else {"exactly": exactly})}
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": name, **meta},
        "spec": {"devices": {"requests": [request]}},
    }


def _found(*docs: Any, **options: Any) -> list[Finding]:
    findings = dractl.validate(docs, **options).findings
    return [finding for finding in findings if finding.rule == "across/same-name"]


def test_each_object_that_is_replaced_names_the_last_one(tmp_path: Path) -> None:
    file = tmp_path / "claims.yaml"
    file.write_text(
        "\n---\n".join(
            f"apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: gpu\nspec: {spec}"
            for spec in ("{}", "{config: []}", "{extendedResourceName: example.com/gpu}")
        )
    )
    found = _found(file)
    assert [finding.location and finding.location.line for finding in found] == [4, 10]
    assert {finding.related for finding in found} == {(f"DeviceClass gpu ({file}:16)",)}
    assert {(finding.field, finding.severity) for finding in found} == {("metadata.name", Severity.WARNING)}


def test_alternatives_in_several_files_are_only_told(tmp_path: Path) -> None:
    files = tmp_path / "dev.yaml", tmp_path / "prod.yaml"
    for count, file in enumerate(files, 1):
        file.write_text(str(_claim("gpu", count)))
    (found,) = _found(*files)
    assert found.severity is Severity.INFO
    assert found.location is not None
    assert found.location.file == str(files[0])
    assert "different clusters" in found.hint


def test_the_same_said_twice_is_nothing_to_tell_in_whatever_version() -> None:
    assert _found(_claim("gpu"), _claim("gpu"), _claim("gpu", version="v1beta1")) == []
    assert len(_found(_claim("gpu"), _claim("gpu", 2, version="v1beta1"))) == 1


def test_other_names_namespaces_and_kinds_are_other_objects() -> None:
    template = {**_claim("gpu"), "kind": "ResourceClaimTemplate"}
    template["spec"] = {"spec": template["spec"]}
    assert _found(_claim("gpu"), _claim("two", 2), _claim("gpu", 2, namespace="ml"), template) == []
    assert len(_found(_claim("gpu"), _claim("gpu", 2, namespace="default"))) == 1


def test_names_that_the_server_makes_differ() -> None:
    one, other = _claim("gpu"), _claim("gpu", 2)
    one["metadata"] = other["metadata"] = {"generateName": "gpu-"}
    assert _found(one, other) == []


def test_each_of_them_is_still_judged_as_a_change_of_its_earlier_self() -> None:
    report = dractl.validate([_claim("gpu", 2), _claim("gpu")], old=[_claim("gpu")])
    severities = {finding.rule: finding.severity for finding in report.findings}
    assert severities["claim/update-spec"] is Severity.ERROR
    assert severities["across/same-name"] is Severity.WARNING
    assert _found(_claim("gpu"), old=[_claim("gpu"), _claim("gpu", 2)]) == []
