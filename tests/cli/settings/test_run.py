"""Options from files and variables: who wins, what is rejected, and where a file is searched."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dractl.cli.app import COMMANDS as ALL_COMMANDS
from dractl.cli.commands import app
from dractl.cli.server import UsageError
from dractl.cli.settings.run import WITHOUT
from dractl.cli.settings.table import COMMANDS

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: a}
spec:
  devices:
    requests:
    - {name: Gpu, exactly: {deviceClassName: gpu.nvidia.com}}
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: %s}
spec: {}
"""
Written = tuple[int, str, str]
Run = Callable[..., Written]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in a folder with a git repository's root, with files written first."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()

    def command(*arguments: str, **files: str) -> Written:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit) as end:
            app(list(arguments), prog_name="dractl")
        written = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, written.out, written.err

    return command


def _shown(text: str) -> dict[str, str]:
    rows = (line.partition(" = ") for line in text.splitlines() if " = " in line)
    return {key: value for key, _, value in rows}


def test_every_command_with_manifests_obeys() -> None:
    assert set(COMMANDS) | WITHOUT == set(ALL_COMMANDS)


def test_the_command_line_beats_the_environment_and_that_the_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = 'kube-version = "1.34"\nstrict = true\n\n[feature-gates]\nDRAAdminAccess = true\n'
    _, out, _ = run("validate", ".", "--show-config", dractl_toml=toml)
    found = _shown(out)
    assert found["kube-version"] == '"1.34"  # dractl.toml:1'
    assert found["feature-gates"] == '["DRAAdminAccess=true"]  # dractl.toml:4'
    monkeypatch.setenv("DRACTL_KUBE_VERSION", "1.35")
    assert _shown(run("validate", ".", "--show-config")[1])["kube-version"] == '"1.35"  # DRACTL_KUBE_VERSION'
    line = ("validate", ".", "--show-config", "--kube-version", "1.36", "--no-strict")
    found = _shown(run(*line)[1])
    assert (found["kube-version"], found["strict"]) == ('"1.36"  # command line', "false  # command line")
    assert _shown(run("validate", ".", "--isolated", "--show-config")[1])["strict"] == "false  # default"


def test_the_table_of_a_command_beats_the_top(run: Run) -> None:
    toml = 'kube-version = "1.34"\n[simulate]\nkube-version = "1.35"\nreplicas = {web = 2}\n'
    found = _shown(run("simulate", ".", "--show-config", dractl_toml=toml)[1])
    assert (found["kube-version"], found["replicas"]) == (
        '"1.35"  # dractl.toml:3',
        '["web=2"]  # dractl.toml:4',
    )
    assert _shown(run("audit", ".", "--show-config")[1])["kube-version"] == '"1.34"  # dractl.toml:1'


def test_a_file_is_found_upwards_from_the_first_path(run: Run) -> None:
    files = {"dractl_toml": "strict = true\n", "apps__pyproject_toml": "[project]\nname = 'dractl-user'\n"}
    found = run("validate", "apps", "--show-config", **files)[1]
    assert found.startswith("# dractl validate; configuration file: dractl.toml\n")
    found = run("validate", "apps", "--show-config", apps__pyproject_toml="[tool.dractl]\nstrict = false\n")[
        1
    ]
    assert _shown(found)["strict"] == "false  # apps/pyproject.toml:2"


def test_the_search_stops_at_the_repository(run: Run, tmp_path: Path) -> None:
    (tmp_path / "inner" / ".git").mkdir(parents=True)
    found = run("validate", "inner", "--show-config", dractl_toml="strict = true\n")[1]
    assert "configuration file: none" in found


def test_what_a_file_sets_is_done(run: Run) -> None:
    files = {
        "m__claim_yaml": CLAIM,
        "m__class_yaml": CLASS % "other",
        "legacy__claim_yaml": CLAIM,
        "cluster__class_yaml": CLASS % "BAD",
    }
    code, out, _ = run("validate", "m", "legacy/claim.yaml", **files)
    assert code == 1
    assert out.count("[request/name]") == 2
    assert "[across/class-missing]" in out
    toml = (
        'exclude = ["legacy"]\nexternal = ["DeviceClass/*.nvidia.com"]\nworld = ["cluster"]\nstrict = true\n'
        '[per-file-ignores]\n"m/cl*.yaml" = ["request/name"]\n'
    )
    code, out, err = run("validate", "m", "legacy/claim.yaml", dractl_toml=toml)
    assert (code, err) == (0, "")
    assert out == "no errors, no warnings in 2 objects of 2 files (Kubernetes 1.37)\n"


def test_paths_are_relative_to_the_file(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    toml = 'world = ["cluster"]\nconfig-schemas = {"d.example.com/K" = "k.json"}\n'
    (tmp_path / "m").mkdir()
    monkeypatch.chdir(tmp_path / "m")
    found = _shown(run("validate", ".", "--show-config", dractl_toml=toml)[1])
    assert found["world"].startswith(f'["{tmp_path}/cluster"]')
    assert found["config-schemas"].startswith(f'["d.example.com/K={tmp_path}/k.json"]')


WRONG = (
    ("quiet = true", "dractl.toml:1: unknown key quiet; write it in the table of a command: [validate] or"),
    ("strikt = true", "dractl.toml:1: unknown key strikt; did you mean strict?"),
    (
        "[simulate]\n\nreplica = 1",
        "dractl.toml:3: unknown key replica in the table of simulate; did you mean replicas?",
    ),
    ("\nstrict = 1", "dractl.toml:2: strict must be true or false, not a number"),
    ('select = "a"', "dractl.toml:1: select must be a list of strings, not a string"),
    (
        "feature-gates = {A = 1}",
        "dractl.toml:1: feature-gates must be a table of true and false, not a number",
    ),
    ("validate = 1", "dractl.toml:1: validate must be a table"),
    ("kube-version = 1.35", "dractl.toml:1: kube-version must be a string, not a number"),
    ('kube-version = "1.99"', "dractl.toml:1: kube-version: unsupported Kubernetes minor"),
    (
        'select = ["request/nam"]',
        "dractl.toml:1: select: unknown rule request/nam; did you mean request/name?",
    ),
    (
        '[validate]\nfield-validation = "stric"',
        "dractl.toml:2: field-validation cannot be 'stric'; did you mean strict?",
    ),
    ('[validate]\nformat = "json=out"', "dractl.toml:2: format must name a format without a file"),
    ('external = ["Pod/x"]', "dractl.toml:1: external: unsupported kind 'Pod'"),
    ('baseline = "gone.json"', "dractl.toml:1: baseline: gone.json: No such file or directory"),
    ('world = ["/etc"]', "dractl.toml:1: world must not lead out of "),
    ('world = ["../.."]', "dractl.toml:1: world must not lead out of "),
    ('exclude = ["a\\u001bb"]', "dractl.toml:1: exclude must not have empty strings or control characters"),
    ("strict = tru", "dractl.toml:1:10: is not valid TOML"),
    ("strict = true\nstrict = true", "dractl.toml: is not valid TOML: Cannot overwrite a value"),
    ("a = " + "[" * 5000, "dractl.toml: is not valid TOML: it nests too deeply"),
    ("a." * 300 + "b = 1", "dractl.toml:1: more than 200 dots in a line; split it"),
    ("# " + "x" * 300_000, "dractl.toml: the file is larger than 262,144 bytes"),
    ("exclude = [" + "'a'," * 101 + "]", "dractl.toml:1: exclude must have at most 100 entries"),
    ("select = [" + "'a/b'," * 201 + "]", "dractl.toml:1: select must have at most 200 entries"),
    (f"exclude = ['{'*a' * 11}']", "dractl.toml:1: exclude must not have globs with more than 10 wildcards"),
    (f"baseline = '{'a' * 1001}'", "dractl.toml:1: baseline must not have strings of more than 1,000"),
    ("when = 1979-05-27", "dractl.toml:1: unknown key when"),
)


@pytest.mark.parametrize(("toml", "message"), WRONG, ids=[message for _, message in WRONG])
@pytest.mark.usefixtures("run")
def test_what_is_wrong_is_named_with_its_place(toml: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        _run_and_raise(toml)
    assert str(error.value).startswith(message)


def _run_and_raise(toml: str) -> None:
    Path("claim.yaml").write_text(CLAIM, encoding="utf-8")
    Path("dractl.toml").write_text(toml, encoding="utf-8")
    app(["validate", "claim.yaml"], prog_name="dractl")


@pytest.mark.parametrize(("table", "line"), [("validate", "validate ."), ("driver", "driver check .")])
def test_a_range_is_taken_where_the_option_is_one(run: Run, table: str, line: str) -> None:
    toml = f'[{table}]\nkube-version = "1.33..1.36"\n'
    code, out, err = run(*line.split(), "--show-config", dractl_toml=toml)
    assert (code, err) == (0, "")
    assert _shown(out)["kube-version"] == '"1.33..1.36"  # dractl.toml:2'


@pytest.mark.parametrize("command", ["audit", "cel true"])
@pytest.mark.usefixtures("run")
def test_one_minor_is_not_a_range(command: str) -> None:
    Path("claim.yaml").write_text(CLAIM, encoding="utf-8")
    Path("dractl.toml").write_text('kube-version = "1.33..1.36"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"dractl\.toml:1: kube-version: .* follows one minor"):
        app([*command.split(), "claim.yaml"], prog_name="dractl")


@pytest.mark.usefixtures("run")
def test_a_range_in_the_table_of_a_command_for_one_minor_names_no_other_table() -> None:
    Path("claim.yaml").write_text(CLAIM, encoding="utf-8")
    Path("dractl.toml").write_text('[audit]\nkube-version = "1.33..1.36"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"dractl\.toml:2: kube-version: audit follows one minor; name one"):
        app(["audit", "claim.yaml"], prog_name="dractl")


@pytest.mark.usefixtures("run")
def test_a_stranger_cannot_make_a_run_read_other_files(tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}.toml"
    outside.write_text("strict = true\n", encoding="utf-8")
    (tmp_path / "dractl.toml").symlink_to(outside)
    with pytest.raises(UsageError, match="outside the folders"):
        app(["validate", "."], prog_name="dractl")
    (tmp_path / "dractl.toml").unlink()
    (tmp_path / "dractl.toml").write_text('world = ["link"]\n', encoding="utf-8")
    (tmp_path / "link").symlink_to("/etc")
    with pytest.raises(UsageError, match="must not lead out of"):
        app(["validate", "."], prog_name="dractl")


@pytest.mark.usefixtures("run")
def test_a_pipe_is_no_configuration(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "dractl.toml")
    with pytest.raises(UsageError, match=r"dractl\.toml: "):
        app(["validate", "."], prog_name="dractl")


VARIABLES = (
    ("DRACTL_STRICT", "maybe", "DRACTL_STRICT: must be true or false"),
    ("DRACTL_KUBE_VERSION", "1.99", "DRACTL_KUBE_VERSION: unsupported Kubernetes minor"),
    ("DRACTL_CONFIG", "gone.toml", "--config: gone.toml: No such file or directory"),
    ("DRACTL_FEATURE_GATES", "Nope=true", "DRACTL_FEATURE_GATES: "),
)


@pytest.mark.parametrize(("name", "text", "message"), VARIABLES)
@pytest.mark.usefixtures("run")
def test_a_wrong_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, message: str
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(UsageError) as error:
        _run_and_raise("")
    assert str(error.value).startswith(message)


def test_a_misspelt_variable_is_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRACTL_KUBE_VERSON", "1.35")
    monkeypatch.setenv("DRACTL_FUZZ_CASES", "1")
    err = run("gates")[2]
    assert err == (
        "dractl: warning: unknown environment variable DRACTL_KUBE_VERSON; "
        "did you mean DRACTL_KUBE_VERSION?\n"
    )


LISTS: Sequence[tuple[str, str, str]] = (
    ("DRACTL_EXCLUDE", "a b", '["a", "b"]'),
    ("DRACTL_WORLD", "x:y", '["x", "y"]'),
    ("DRACTL_STRICT", "YES", "true"),
    ("DRACTL_SELECT", "a,b", '["a,b"]'),
)


@pytest.mark.parametrize(("name", "text", "value"), LISTS)
def test_a_variable_may_hold_several_values(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, text: str, value: str
) -> None:
    monkeypatch.setenv(name, text)
    key = name.removeprefix("DRACTL_").lower()
    assert _shown(run("validate", ".", "--show-config")[1])[key] == f"{value}  # {name}"


def test_a_named_file_counts_alone(run: Run) -> None:
    files = {"dractl_toml": "strict = true\n", "conf__other_toml": 'kube-version = "1.34"\n'}
    found = _shown(run("validate", ".", "--config", "conf/other.toml", "--show-config", **files)[1])
    assert (found["strict"], found["kube-version"]) == ("false  # default", '"1.34"  # conf/other.toml:1')
    with pytest.raises(UsageError, match="--isolated: cannot be combined with --config"):
        app(["validate", ".", "--config", "conf/other.toml", "--isolated"], prog_name="dractl")
