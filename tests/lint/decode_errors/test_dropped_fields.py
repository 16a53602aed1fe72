from __future__ import annotations

from pathlib import Path

import pytest

import dractl
from dractl.api.arguments import FieldValidation
from dractl.finding import Finding, Severity
from tests.forking import run_dractl
from tests.paths import ROOT

OLDER_SERVER = ROOT / "testdata" / "examples" / "older-server"


def claim(devices: str, api_version: str = "v1") -> str:
    head = f"apiVersion: resource.k8s.io/{api_version}\nkind: ResourceClaim\nmetadata: {{name: gpu}}\n"
    return f"{head}spec:\n  devices:\n{devices}"


EXACT = "    requests:\n    - name: gpu\n      exactly: {deviceClassName: gpu}\n"


def lenient(text: str, kube_version: str = "1.37", words: FieldValidation = "warn") -> list[Finding]:
    found = dractl.validate(text, kube_version=kube_version, field_validation=words).findings
    return [finding for finding in found if not finding.rule.startswith("version/")]


def test_an_unknown_field_is_dropped_with_the_warning_of_the_server() -> None:
    text = claim(EXACT + "    extra: 1\n")
    (found,) = lenient(text)
    assert (found.rule, found.severity, found.type) == ("decode/unknown", Severity.WARNING, None)
    assert found.field == "spec.devices.extra"
    assert found.message == 'unknown field "spec.devices.extra": the server drops it'
    report = dractl.validate(text, field_validation="warn")
    assert report.ok
    (stored,) = report.persisted
    assert stored is not None
    assert "extra" not in stored["spec"]["devices"]
    assert dractl.validate(text).persisted == (None,)


def test_of_a_duplicate_field_the_last_value_is_stored() -> None:
    text = claim(EXACT.replace("{deviceClassName: gpu}", "{deviceClassName: gpu, deviceClassName: nic}"))
    (found,) = lenient(text)
    path = "spec.devices.requests[0].exactly.deviceClassName"
    assert found.message == f'duplicate field "{path}": the server keeps the last value'
    (stored,) = dractl.validate(text, field_validation="warn").persisted
    assert stored is not None
    assert stored["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] == "nic"


def test_ignored_fields_are_infos() -> None:
    (found,) = lenient(claim(EXACT + "    extra: 1\n"), words="ignore")
    assert found.severity is Severity.INFO
    assert dractl.validate(claim(EXACT + "    extra: 1\n"), field_validation="ignore").ok


def test_a_one_of_with_a_member_that_the_server_does_not_know_is_refused_as_empty() -> None:
    text = claim("    requests:\n    - name: gpu\n      atLeast: {deviceClassName: gpu}\n")
    dropped, empty = lenient(text)
    assert (dropped.severity, dropped.field) == (Severity.WARNING, "spec.devices.requests[0].atLeast")
    assert (empty.rule, empty.severity) == ("request/union-none", Severity.ERROR)
    assert not empty.after_decode
    assert empty.message.startswith("the server drops `atLeast`, which it does not know; without it ")
    assert dractl.validate(text, field_validation="warn").persisted == (None,)


def test_the_minor_decides_which_fields_are_dropped() -> None:
    text = (OLDER_SERVER / "claims.yaml").read_text()
    assert [(found.rule, found.severity) for found in lenient(text, "1.32")] == [
        ("shape/newer-field", Severity.WARNING),
        ("shape/newer-field", Severity.WARNING),
        ("request/class-required", Severity.ERROR),
    ]
    assert [found.rule for found in lenient(text, "1.33")].count("shape/newer-field") == 1
    first, second = dractl.validate(text, kube_version="1.32", field_validation="warn").persisted
    assert first is not None
    assert first["spec"]["devices"]["constraints"] == [{"matchAttribute": "nic.example.com/network"}]
    assert second is None


def test_a_field_in_another_case_is_unknown() -> None:
    text = claim(EXACT.replace("gpu}", "gpu, Count: 2}"))
    (found,) = lenient(text)
    assert (found.rule, found.severity) == ("shape/case", Severity.WARNING)
    (stored,) = dractl.validate(text, field_validation="warn").persisted
    assert stored is not None
    assert stored["spec"]["devices"]["requests"][0]["exactly"]["count"] == 1


def test_what_cannot_be_decoded_is_refused_with_every_validation() -> None:
    text = claim(EXACT.replace("gpu}", "gpu, count: many}") + "    extra: 1\n")
    for words in ("warn", "ignore"):
        report = dractl.validate(text, field_validation=words)
        assert not report.ok
        assert report.persisted == (None,)
        assert [found.severity for found in report.findings if found.field == "spec.devices.extra"] != [
            Severity.ERROR
        ]


def test_an_update_and_a_range_of_minors_drop_them_too() -> None:
    text = claim(EXACT + "    extra: 1\n")
    assert dractl.validate(text, old=claim(EXACT), field_validation="warn").ok
    assert not dractl.validate(text, old=claim(EXACT)).ok
    assert dractl.validate_range(text, kube_versions="1.36..1.37", field_validation="warn").ok
    assert not dractl.validate_range(text, kube_versions="1.36..1.37").ok


@pytest.mark.parametrize(("value", "error"), [("Warn", ValueError), (None, TypeError)])
def test_other_words_are_rejected(value: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="field_validation: expected one of 'strict', 'warn', 'ignore'"):
        dractl.validate("", field_validation=value)  # type: ignore[arg-type]


def test_the_option_decides_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "claim.yaml").write_text(claim(EXACT + "    extra: 1\n"))

    def code(*words: str) -> int:
        return run_dractl(["validate", "claim.yaml", "--field-validation", *words], tmp_path).returncode

    assert [code("strict"), code("warn"), code("ignore")] == [1, 0, 0]
    assert [code("warn", "--strict"), code("ignore", "--strict"), code("sometimes")] == [1, 0, 2]


def test_no_gate_is_blamed_for_a_field_that_the_minor_does_not_have() -> None:
    text = claim(
        "    requests: [{name: nic, deviceClassName: nic}]\n"
        "    constraints: [{distinctAttribute: a.com/b}]\n",
        "v1beta1",
    )
    for words in ("strict", "warn"):
        found = dractl.validate(text, kube_version="1.32", field_validation=words).findings
        assert not any("feature gate" in finding.message for finding in found)
        assert "constraint/none-match" in [finding.rule for finding in found]
