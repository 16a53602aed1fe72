import json

import pytest

from dractl.cli.reference_options import SchemaOptions
from dractl.cli.schema import print_schema
from dractl.cli.server import UsageError
from tests.paths import ROOT


def test_the_newest_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_schema(SchemaOptions("ResourceClaim")) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["apiVersion"]["enum"] == ["resource.k8s.io/v1"]


@pytest.mark.parametrize("version", ["v1beta1", "resource.k8s.io/v1beta1"])
def test_a_version_with_or_without_its_group(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_schema(SchemaOptions("resourceclaim", api_version=version)) == 0
    text = capsys.readouterr().out
    file = "schemas/v1.37.0-standalone-strict/resourceclaim-resource-v1beta1.json"
    assert text == (ROOT / file).read_text(encoding="utf-8")


def test_an_older_minor_has_other_fields(capsys: pytest.CaptureFixture[str]) -> None:
    print_schema(SchemaOptions("ResourceSlice", kube_version="1.34"))
    old = capsys.readouterr().out
    print_schema(SchemaOptions("ResourceSlice", kube_version="1.37"))
    new = capsys.readouterr().out
    assert "partitionTypeAttribute" in new
    assert "partitionTypeAttribute" not in old


@pytest.mark.parametrize(
    ("kind", "version", "minor", "message"),
    [
        ("Claim", None, "1.37", r"^KIND: Kubernetes 1\.37 has no kind Claim .*ResourceClaim,"),
        ("ResourceClaim", "v2", "1.37", r"^--api-version: .* .choose from v1, v1beta2, v1beta1.$"),
        ("ResourceClaim", None, "1.5", r"^--kube-version: "),
        ("", None, "1.37", r"^KIND: expected a kind \(unset shell variable\?\)"),
    ],
)
def test_what_there_is_not_is_refused(kind: str, version: str | None, minor: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        print_schema(SchemaOptions(kind, api_version=version, kube_version=minor))


@pytest.mark.parametrize("name", ["scenario", "test"])
def test_the_formats_of_files_have_schemas_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_schema(SchemaOptions(name)) == 0
    file = ROOT / "schemas" / "documents" / f"dractl.{name}.1.json"
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")


def test_a_kind_of_a_prototype(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_schema(SchemaOptions("devicepool", dialect="proto-oneof")) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["title"] == "DevicePool of devmgmtproto.k8s.io/v1alpha1, proto-oneof"
    with pytest.raises(UsageError, match="unknown kind DevicePool in dialect dra-evo"):
        print_schema(SchemaOptions("DevicePool", dialect="dra-evo"))
    with pytest.raises(UsageError, match="cannot be combined with --dialect"):
        print_schema(SchemaOptions("DevicePool", dialect="proto-oneof", api_version="v1"))
    with pytest.raises(UsageError, match="unknown dialect nonsense"):
        print_schema(SchemaOptions("DevicePool", dialect="nonsense"))
