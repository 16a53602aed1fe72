from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.cli.convert import convert
from dractl.cli.options import ConvertOptions
from dractl.cli.server import UsageError
from tests.paths import ROOT

OLD = """\
apiVersion: resource.k8s.io/v1beta1 # here
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - {name: a, deviceClassName: gpu.example.com}
"""
NEW = OLD.replace("v1beta1", "v1").replace(
    ", deviceClassName: gpu.example.com", ", exactly: {deviceClassName: gpu.example.com}"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.yaml").write_text(OLD, encoding="utf-8")
    (tmp_path / "new.yaml").write_text(NEW, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("kind:   ConfigMap\napiVersion: v1\n", encoding="utf-8")
    return tmp_path


def test_files_are_written_in_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.yaml").chmod(0o640)
    before = (folder / "new.yaml").stat()
    assert convert(ConvertOptions([str(folder)], to="v1", in_place=True)) == 0
    assert (folder / "old.yaml").read_text(encoding="utf-8") == NEW
    assert stat.S_IMODE((folder / "old.yaml").stat().st_mode) == 0o640
    assert (folder / "new.yaml").stat().st_ino == before.st_ino
    assert sorted(path.name for path in folder.iterdir()) == ["new.yaml", "old.yaml", "other.yaml"]
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err == "dractl: 1 of 3 files converted to resource.k8s.io/v1\n"


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "link.yaml").symlink_to("old.yaml")
    assert convert(ConvertOptions([str(folder / "link.yaml")], to="v1", in_place=True, quiet=True)) == 0
    assert (folder / "link.yaml").is_symlink()
    assert (folder / "old.yaml").read_text(encoding="utf-8") == NEW


def test_no_file_is_written_if_anything_is_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "z.yaml").write_text(OLD.replace("name: a", "name: a, future: 1"), encoding="utf-8")
    assert convert(ConvertOptions([str(folder)], to="v1", in_place=True)) == 1
    assert (folder / "old.yaml").read_text(encoding="utf-8") == OLD
    err = capsys.readouterr().err
    assert f"{folder / 'z.yaml'}:7:17: error: spec.devices.requests[0].future: " in err


def test_the_result_goes_to_a_file(folder: Path) -> None:
    target = folder / "out.txt"
    assert convert(ConvertOptions([str(folder / "old.yaml")], to="v1", output=str(target))) == 0
    assert target.read_text(encoding="utf-8") == NEW


def test_the_result_does_not_overwrite_its_source(folder: Path) -> None:
    path = str(folder / "old.yaml")
    with pytest.raises(UsageError, match="--output"):
        convert(ConvertOptions([path], to="v1", output=path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "v1alpha2"}, r"^--to: "),
        ({"to": "v1", "kube_version": "1.20"}, r"^--kube-version: "),
        (
            {"to": "v1", "kube_version": "1.33"},
            r"^--to: Kubernetes 1\.33 does not have resource\.k8s\.io/v1$",
        ),
        ({"to": "v1", "in_place": True, "diff": True}, r"^--in-place: "),
        ({"to": "v1", "in_place": True, "output": "x"}, r"^--in-place: "),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        convert(ConvertOptions([str(folder)], **options))  # type: ignore[arg-type]


def test_nothing_to_read_is_no_success(tmp_path: Path) -> None:
    assert convert(ConvertOptions([str(tmp_path / "none.yaml")], to="v1")) == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_the_encoding_stays(folder: Path, encoding: str) -> None:
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    (folder / "old.yaml").write_bytes((mark + OLD).encode(encoding))
    assert convert(ConvertOptions([str(folder / "old.yaml")], to="v1", in_place=True, quiet=True)) == 0
    assert (folder / "old.yaml").read_bytes() == (mark + NEW).encode(encoding)


def test_there_is_no_patch_for_utf_16(folder: Path) -> None:
    (folder / "old.yaml").write_bytes(OLD.encode("utf-16"))
    with pytest.raises(UsageError, match=r"cannot print a patch for .*UTF-16"):
        convert(ConvertOptions([str(folder)], to="v1", diff=True))
    (folder / "old.yaml").write_bytes(NEW.encode("utf-16"))
    assert convert(ConvertOptions([str(folder)], to="v1", diff=True)) == 0


def test_the_other_name_of_a_file_keeps_the_old_text(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be a file somewhere else; and no file can be replaced as a whole under two names at once."""
    (folder / "again.txt").hardlink_to(folder / "old.yaml")
    assert convert(ConvertOptions([str(folder / "old.yaml")], to="v1", in_place=True, quiet=True)) == 0
    assert (folder / "old.yaml").read_text(encoding="utf-8") == NEW
    assert (folder / "again.txt").read_text(encoding="utf-8") == OLD
    said = "was replaced by a new file; its other hard links keep the old text"
    assert capsys.readouterr().err == f"dractl: {folder / 'old.yaml'}: {said}\n"


def test_a_read_only_file_is_not_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "z.yaml").write_text(OLD, encoding="utf-8")
    (folder / "z.yaml").chmod(0o444)
    assert convert(ConvertOptions([str(folder)], to="v1", in_place=True)) == 2
    assert (folder / "z.yaml").read_text(encoding="utf-8") == OLD
    assert (folder / "old.yaml").read_text(encoding="utf-8") == OLD
    assert f"{folder / 'z.yaml'}: the file is read-only; no file was written" in capsys.readouterr().err


def _document(capsys: pytest.CaptureFixture[str]) -> Any:
    written = capsys.readouterr()
    assert written.err == ""
    document = json.loads(written.out)
    schema = (ROOT / "schemas" / "documents" / "dractl.convert.1.json").read_text(encoding="utf-8")
    jsonschema.validate(document, json.loads(schema))
    return document


def test_the_document_has_the_objects(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(ConvertOptions([str(folder)], to="v1", report_format="json")) == 0
    document = _document(capsys)
    assert (document["ok"], document["lost"]) == (True, [])
    assert [each["apiVersion"] for each in document["objects"]] == ["resource.k8s.io/v1"] * 2 + ["v1"]
    assert document["objects"][0] == document["objects"][1]


@pytest.mark.parametrize(("lossy", "code"), [(False, 1), (True, 0)])
def test_the_document_has_the_losses(
    folder: Path, capsys: pytest.CaptureFixture[str], lossy: bool, code: int
) -> None:
    lost = folder / "z.yaml"
    lost.write_text(OLD.replace("name: a", "name: a, future: 1"), encoding="utf-8")
    assert convert(ConvertOptions([str(lost)], to="v1", lossy=lossy, report_format="json")) == code
    document = _document(capsys)
    (entry,) = document["lost"]
    assert (entry["field"], entry["broken"]) == ("spec.devices.requests[0].future", False)
    assert entry["location"] == {"file": str(lost), "line": 7, "column": 17}
    assert (document["ok"], len(document["objects"])) == (lossy, int(lossy))


def test_the_document_names_texts_that_cannot_be_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.yaml").write_text("apiVersion: resource.k8s.io/v1\nkind: [\n", encoding="utf-8")
    assert convert(ConvertOptions([str(folder)], to="v1", lossy=True, report_format="json")) == 1
    document = _document(capsys)
    assert [(entry["object"], entry["broken"]) for entry in document["lost"]] == [(None, True)]
    assert (document["ok"], document["objects"]) == (False, [])


@pytest.mark.parametrize(("in_place", "diff"), [(True, False), (False, True)])
def test_the_document_changes_no_files(folder: Path, in_place: bool, diff: bool) -> None:
    options = ConvertOptions([str(folder)], to="v1", report_format="json", in_place=in_place, diff=diff)
    with pytest.raises(UsageError, match="--format: json cannot be combined"):
        convert(options)
