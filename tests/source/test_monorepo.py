"""A folder with more than manifests in it: what a walk leaves out, and that it says so."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dractl.cli.options import ValidateOptions
from dractl.cli.validate import validate
from dractl.source.document import Document
from dractl.source.ignored import Ignored
from dractl.source.load import PathError, Sources, load_paths

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
"""


def _files(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _read(root: Path, *paths: str) -> tuple[list[str], Sources]:
    sources = Sources()
    found = load_paths([root / path for path in paths] or [root], sources=sources)
    names = [
        str(Path(item.file).relative_to(root)) if isinstance(item, Document) else repr(item) for item in found
    ]
    return names, sources


def test_folders_of_tools_and_of_others_are_not_read(tmp_path: Path) -> None:
    _files(
        tmp_path,
        {
            ".git/a.yaml": CLAIM,
            "node_modules/b.yaml": CLAIM,
            "sub/vendor/c.yaml": CLAIM,
            "d.yaml": CLAIM,
        },
    )
    names, sources = _read(tmp_path)
    assert names == ["d.yaml"]
    assert sorted(sources.ignored.values()) == [".git", "node_modules", "vendor"]
    assert _read(tmp_path, "sub/vendor")[0] == ["sub/vendor/c.yaml"], "who names a folder wants it read"


def test_gitignore_counts_inside_of_a_repository_only(tmp_path: Path) -> None:
    files = {
        ".gitignore": "build/\n*.tmp.yaml\n!keep.tmp.yaml\n",
        "a.yaml": CLAIM,
        "a.tmp.yaml": CLAIM,
        "keep.tmp.yaml": CLAIM,
        "build/b.yaml": CLAIM,
        "sub/.gitignore": "/own.yaml\n",
        "sub/own.yaml": CLAIM,
        "sub/deep/own.yaml": CLAIM,
    }
    _files(tmp_path, files)
    assert len(_read(tmp_path)[0]) == 6
    (tmp_path / ".git").mkdir()
    names, sources = _read(tmp_path)
    assert names == ["a.yaml", "keep.tmp.yaml", "sub/deep/own.yaml"]
    assert set(sources.ignored.values()) == {".git", ".gitignore"}
    assert _read(tmp_path, "sub")[0] == ["sub/deep/own.yaml"], "patterns of the folders above count"
    assert _read(tmp_path, "build")[0] == ["build/b.yaml"], "who names an ignored folder wants it read"
    assert _read(tmp_path, "a.tmp.yaml")[0] == ["a.tmp.yaml"]


def test_a_hostile_pattern_costs_no_time(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _files(tmp_path, {".gitignore": "*a" * 40 + "*b\n" + "a*a*b\n", f"{'a' * 200}.yaml": CLAIM})
    start = time.process_time()
    names, _ = _read(tmp_path)
    assert len(names) == 1
    assert time.process_time() - start < 5


def test_a_link_as_gitignore_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "secret").write_text("*.yaml\n", encoding="utf-8")
    (tmp_path / ".gitignore").symlink_to(tmp_path / "secret")
    _files(tmp_path, {"a.yaml": CLAIM})
    assert _read(tmp_path)[0] == ["a.yaml"]


def test_the_source_of_a_chart_is_no_manifest(tmp_path: Path) -> None:
    _files(
        tmp_path,
        {
            "gpu/Chart.yaml": "apiVersion: v2\nname: gpu\nversion: 1.0.0\n",
            "gpu/values.yaml": "kind: small\n",
            "gpu/values-prod.yaml": "apiVersion: odd\n",
            "gpu/templates/claim.yaml": CLAIM.replace("name: gpu}", "name: {{ .Values.name }}}"),
            "gpu/crds/claim.yaml": CLAIM,
            "other/templates/claim.yaml": CLAIM,
        },
    )
    names, sources = _read(tmp_path)
    assert names == ["gpu/crds/claim.yaml", "other/templates/claim.yaml"]
    assert sources.unrendered == {str(tmp_path / "gpu"): "Chart.yaml"}


def test_patches_of_a_kustomization_are_no_manifests(tmp_path: Path) -> None:
    _files(
        tmp_path,
        {
            "base/kustomization.yaml": "resources: [claim.yaml]\n",
            "base/claim.yaml": CLAIM,
            "prod/kustomization.yaml": (
                "patches: [{path: patch.yaml}]\npatchesStrategicMerge: [sub/more.yaml]\n"
            ),
            "prod/patch.yaml": "kind: ResourceClaim\nmetadata: {name: gpu}\n",
            "prod/sub/more.yaml": "kind: ResourceClaim\nmetadata: {name: gpu}\n",
            "prod/sub/claim.yaml": CLAIM,
        },
    )
    names, sources = _read(tmp_path)
    assert names == ["base/claim.yaml", "prod/sub/claim.yaml"]
    assert list(sources.unrendered) == [str(tmp_path / "base"), str(tmp_path / "prod")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{- if .x }}\na: b\n{{- end }}\n", "template"),
        ("- hosts: all\n  tasks: []\n", "other"),
        ("a: !Ref [\n", "other"),
        ("plain text\n", "other"),
    ],
)
def test_files_of_other_programs_are_counted(tmp_path: Path, text: str, reason: str) -> None:
    _files(tmp_path, {"a.yaml": text, "b.yaml": CLAIM})
    names, sources = _read(tmp_path)
    assert names == ["b.yaml"]
    assert sources.foreign == {str(tmp_path / "a.yaml"): reason}
    assert len(load_paths([tmp_path / "a.yaml"], sources=Sources())) == 1, "a file that is named is judged"
    assert len(load_paths([tmp_path])) == 2, "nothing is left out where nobody is told"


def test_a_manifest_with_an_error_is_judged(tmp_path: Path) -> None:
    _files(tmp_path, {"a.yaml": "apiVersion: v1\nkind: [\n"})
    (found,) = _read(tmp_path)[0]
    assert "SourceError" in found


def test_a_dangling_link_is_one_warning(tmp_path: Path) -> None:
    _files(tmp_path, {"a.yaml": CLAIM})
    (tmp_path / "b.yaml").symlink_to("gone.yaml")
    names, sources = _read(tmp_path)
    assert names == ["a.yaml"]
    assert sources.passed_over == [PathError(str(tmp_path / "b.yaml"), "is a link to nothing")]


def test_what_is_left_out_is_said_in_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _files(
        tmp_path,
        {
            ".git/x.yaml": CLAIM,
            ".gitignore": "out.yaml\n",
            "out.yaml": CLAIM,
            "a.yaml": CLAIM,
            "chart/Chart.yaml": "name: x\n",
            "play.yaml": "- hosts: all\n",
            "t.yaml": "{{ x }}\n",
        },
    )
    assert validate(ValidateOptions([str(tmp_path)])) == 0
    said = capsys.readouterr().err.replace(str(tmp_path), "ROOT").splitlines()
    assert said == [
        "dractl: ignored .git, 1 in .gitignore; name a path to read it",
        "dractl: skipped 1 file without Kubernetes objects, 1 template",
        "dractl: render charts and kustomizations first: `helm template ROOT/chart | dractl validate -`",
    ]
    assert validate(ValidateOptions([str(tmp_path)], quiet=True)) == 0
    assert capsys.readouterr().err == ""


def test_a_folder_outside_of_a_repository_has_no_patterns(tmp_path: Path) -> None:
    assert Ignored.above(str(tmp_path)) is None
