from __future__ import annotations

from pathlib import Path

import pytest

import dractl
from dractl.finding import Finding, Severity
from dractl.lint.catalog import matching
from dractl.lint.pages import page_of, pages
from tests.forking import run_dractl

JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        beta.kubernetes.io/arch: arm64
      containers:
      - name: main
        image: registry.example.com/main
"""
RULE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata:
  name: drain
spec:
  deviceSelector: {}
  taint: {key: example.com/drain, effect: NoSchedule}
"""


def _findings(text: str, minor: str = "1.37", **options: str) -> tuple[Finding, ...]:
    return tuple(dractl.validate(text, kube_version=minor, **options).findings)  # type: ignore[arg-type]


def test_a_warning_is_a_finding_at_its_place_in_the_words_of_the_server() -> None:
    (found,) = _findings(JOB)
    assert found.rule == "pod/node-label-deprecated"
    assert found.severity is Severity.WARNING
    assert found.type is None
    assert found.field == "spec.template.spec.nodeSelector[beta.kubernetes.io/arch]"
    assert found.message == 'the server warns: deprecated since v1.14; use "kubernetes.io/arch" instead'
    assert found.hint == "use kubernetes.io/arch"
    assert found.location is not None
    assert (found.location.line, found.location.column) == (10, 9)


def test_what_is_refused_has_no_warnings() -> None:
    findings = _findings(JOB.replace("restartPolicy", "restart"))
    assert [found.rule for found in findings] == ["decode/unknown"]


def test_the_server_and_dractl_do_not_warn_of_the_same() -> None:
    rules = {minor: [found.rule for found in _findings(RULE, minor)] for minor in ("1.37", "1.38")}
    assert rules == {"1.37": ["across/taint-rule-everything"], "1.38": ["rule/selector-empty"]}


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("--strict",), 1), (("--ignore", "pod/*"), 0)])
def test_only_strict_fails_on_a_warning(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB, encoding="utf-8")
    done = run_dractl(["validate", "job.yaml", *arguments], tmp_path)
    assert done.returncode == code
    assert (b"the server warns" in done.stdout) is ("--ignore" not in arguments)


def test_a_page_names_the_function_that_warns() -> None:
    page = page_of("slice/driver-upper-case")
    assert page.severity is Severity.WARNING
    assert (str(page.rows[0].since), page.rows[0].upstream) == (
        "1.35",
        "resourceSliceStrategy.WarningsOnCreate",
    )
    assert "slice/driver-upper-case" in matching("slice/*")
    listed = [page.id for page in pages(kind="ResourceSlice")]
    assert listed.index("slice/driver") + 1 == listed.index("slice/driver-upper-case")
