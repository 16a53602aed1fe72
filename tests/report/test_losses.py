from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import dractl
from dractl.report import losses
from dractl.report.style import Style

PLAIN = Style(width=None)
CLAIM = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: a
      deviceClassName: g
      future: 1
"""


def _lines(text: str, *, lossy: bool = False) -> list[str]:
    return list(losses.render(dractl.convert(text, to="v1", lossy=lossy), PLAIN))


def test_a_loss_is_a_line_with_its_place_and_the_text_with_a_mark() -> None:
    first, *rest = _lines(CLAIM)
    assert first.startswith("<text>:9:7: error: spec.devices.requests[0].future: resource.k8s.io/v1beta1 of ")
    assert rest == [
        "    |       future: 1",
        "    |       ^",
        "nothing was written: 1 item would be lost (--lossy allows this)",
    ]


def test_what_is_left_out_is_a_warning() -> None:
    lines = _lines(CLAIM, lossy=True)
    assert lines[0].startswith("<text>:9:7: warning: ")
    assert len(lines) == 3


def test_a_mistake_is_no_loss() -> None:
    for lossy in (False, True):
        lines = _lines(CLAIM.replace("future: 1", "count: x"), lossy=lossy)
        assert lines[0].startswith("<text>:9:7: error: ")
        assert lines[-1] == "nothing was written: fix 1 error first"


def test_a_document_that_has_no_place_there_is_named() -> None:
    (first, *_) = _lines(
        "apiVersion: resource.k8s.io/v1alpha3\nkind: PodSchedulingContext\nmetadata: {name: p}\n"
    )
    assert (
        first == "<text>:1:1: error: PodSchedulingContext p: resource.k8s.io/v1 has no PodSchedulingContext"
    )


def test_a_diff_is_a_patch() -> None:
    text = losses.diff(dractl.convert(CLAIM.replace("      future: 1\n", ""), to="v1"))
    assert text.splitlines()[:4] == [
        "--- a/<text>",
        "+++ b/<text>",
        "@@ -1,8 +1,9 @@",
        "-apiVersion: resource.k8s.io/v1beta1",
    ]
    assert losses.diff(dractl.convert("a: 1\n", to="v1")) == ""


def test_a_missing_line_end_is_reported_as_git_does() -> None:
    text = "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass"
    assert losses.diff(dractl.convert(text, to="v1")).endswith(
        " kind: DeviceClass\n\\ No newline at end of file\n"
    )


def test_what_would_be_lost_besides_a_mistake_is_counted() -> None:
    both = f"{CLAIM}---\n{CLAIM.replace('future: 1', 'count: x')}"
    assert _lines(both)[-1] == "nothing was written: fix 1 error first; then 1 item would be lost"
    lines = [line for line in _lines(both, lossy=True) if line.startswith("<text>")]
    assert [line.split()[1] for line in lines] == ["warning:", "error:"]


def test_a_byte_order_mark_is_in_the_patch() -> None:
    found = dractl.convert(CLAIM.replace("      future: 1\n", ""), to="v1")
    (file,) = found.files
    text = losses.diff(found._replace(files=(file._replace(encoding="utf-8-sig"),)))
    assert text.splitlines()[3] == "-\ufeffapiVersion: resource.k8s.io/v1beta1"


def test_a_line_around_a_change_is_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken out and put back, which is a patch like any other."""
    claim = CLAIM.replace("      future: 1\n", "").replace(
        "    - name: a\n", "    - name: >-\n        ::error::x\n"
    )
    monkeypatch.chdir(tmp_path)
    file = Path("a b.yaml")
    file.write_text(claim, encoding="utf-8")
    conversion = dractl.convert(file, to="v1")
    text = losses.diff(conversion)
    assert "\n-        ::error::x\n+        ::error::x\n" in text
    assert losses.command_in(text) == ""
    subprocess.run(["git", "apply", "-"], input=text.encode(), check=True)
    assert file.read_text(encoding="utf-8") == conversion.text


def test_the_name_of_a_file_is_no_line_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("##[x]\n::error::y.yaml")
    file.write_text(CLAIM.replace("      future: 1\n", ""), encoding="utf-8")
    conversion = dractl.convert(file, to="v1")
    text = losses.diff(conversion)
    assert text.startswith('--- "a/\\043\\043[x]\\012::error::y.yaml"\n')
    subprocess.run(["git", "apply", "-"], input=text.encode(), check=True)
    assert file.read_text(encoding="utf-8") == conversion.text


def test_lines_end_where_a_patch_ends_them() -> None:
    text = losses.diff(dractl.convert(CLAIM.replace("      future: 1", "      # a\u2028b"), to="v1"))
    assert "No newline" not in text
