"""``--share``: the link on standard error opens the files, the release and the gates of the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from dractl.cli.sharing.make import PLAYGROUND
from dractl.sharing.fragment import SharedWorld, decode
from tests.forking import as_text, run_dractl
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
BROKEN = EXAMPLES / "broken.yaml"
QUICKSTART = EXAMPLES / "quickstart"


class Shared:
    """What a run printed: the report, the lines before the link, and the link."""

    def __init__(self, report: str, diagnostics: str) -> None:
        """Take both outputs of a run."""
        self.report = report
        *self.before, self.link = diagnostics.splitlines() or [""]

    @property
    def world(self) -> SharedWorld:
        """What the link holds."""
        address, _, fragment = self.link.partition("#")
        assert address == PLAYGROUND
        return decode(fragment)

    @property
    def texts(self) -> dict[str, str]:
        """The files in the link."""
        return dict(self.world.files)


def run(
    *arguments: object, exit_code: int = 0, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> Shared:
    done = as_text(run_dractl(list(map(str, arguments)), ROOT, stdin=stdin, environment=environment))
    assert done.returncode == exit_code, done.stderr
    return Shared(done.stdout, done.stderr)


def test_the_link_of_validate_opens_the_same_files() -> None:
    found = run(
        *("validate", BROKEN, "--share", "--kube-version", "1.36.1"),
        *("--feature-gates", "DRAConsumableCapacity=false"),
        exit_code=1,
    )
    assert found.texts == {"broken.yaml": BROKEN.read_text(encoding="utf-8")}
    assert found.world[1:] == ("1.36.1", {"DRAConsumableCapacity": False}, "findings")
    assert found.before == ["dractl: the link holds the text of 1 file; whoever has it can read it"]


@pytest.mark.parametrize(
    ("command", "view"),
    [
        (("simulate", QUICKSTART), "placements"),
        (("simulate", QUICKSTART, "--format", "json"), "placements"),
        (("validate", QUICKSTART, "--format", "json"), "findings"),
        (("why", "--all", QUICKSTART), "why"),
        (("cel", "true", QUICKSTART), "selectors"),
    ],
    ids=str,
)
def test_the_report_is_the_same_with_a_link(
    command: tuple[object, ...],
    view: str,
) -> None:
    found = run(*command, "--share")
    assert found.report == run(*command).report
    assert found.world.view == view
    assert set(found.texts) >= {path.name for path in QUICKSTART.glob("*.yaml")}


def test_without_the_option_there_is_no_link() -> None:
    assert run("simulate", QUICKSTART, "--playground", "https://dra.example/").link == ""


def test_standard_input_is_in_the_link() -> None:
    data = QUICKSTART.joinpath("cluster.yaml").read_bytes()
    assert run("validate", "-", "--share", stdin=data).texts == {"stdin.yaml": data.decode()}
    named = run("validate", "-", "--stdin-filename", "deploy/a.yaml", "--share", stdin=data)
    assert list(named.texts) == ["a.yaml"]


def written(folder: Path, texts: dict[str, bytes]) -> list[Path]:
    for name, text in texts.items():
        folder.joinpath(name).parent.mkdir(exist_ok=True)
        folder.joinpath(name).write_bytes(text)
    return [folder / name for name in texts]


def test_a_world_comes_first_and_broken_files_come_too(tmp_path: Path) -> None:
    texts = {
        "in/a.yaml": b"kind: [\n",
        "in/b.yaml": b"# nothing\r\n",
        "in/c.yaml": b"\0\xff",
        "in/d.yaml": "kind: \u00fc\n".encode("utf-16"),
    }
    paths = written(tmp_path, texts)
    (world,) = written(tmp_path, {"world/w.yaml": b"kind: Node\n"})
    found = run("validate", *paths, "--world", world, "--share", exit_code=1)
    assert list(found.world.files) == [
        ("world/w.yaml", "kind: Node\n"),
        ("in/a.yaml", "kind: [\n"),
        ("in/b.yaml", "# nothing\r\n"),
        ("in/d.yaml", "kind: \u00fc\n"),
    ]
    assert f"dractl: --share: the link leaves out {paths[2]}: it is not text" in found.before


def test_secrets_and_files_that_are_not_used_are_left_out(tmp_path: Path) -> None:
    secret = b"apiVersion: v1\nkind: Secret\ndata: {a: eA==}\n"
    texts = {
        "app.yaml": BROKEN.read_bytes() + b"---\n" + secret,
        "package.json": b'{"token": "x"}',
        "secret.yaml": secret,
        "template.yaml": b"apiVersion: v1\nkind: {{ x }}\n",
    }
    app, package, alone, _ = written(tmp_path, texts)
    found = run("validate", tmp_path, "--share", exit_code=1)
    assert list(found.texts) == ["app.yaml"]
    assert [line for line in found.before if "--share" in line] == [
        f"dractl: warning: --share: {app} has a Secret, which the link holds too",
        f"dractl: --share: the link leaves out {package}: dractl uses no object of it",
        f"dractl: --share: the link leaves out {alone}: dractl uses no object of it",
    ]


def test_the_newest_minor_of_a_range_is_shared() -> None:
    found = run("validate", BROKEN, "--share", "--kube-version", "1.34..1.36", exit_code=1)
    assert found.world.kube_version == "1.36"


def test_options_that_the_playground_lacks_are_named() -> None:
    labels = ("--namespace-labels", "a:b=c")
    found = run("simulate", QUICKSTART, "--share", "--allocate-unreferenced", *labels)
    assert [line.split(",")[0] for line in found.before[:2]] == [
        "dractl: --share: the playground has no --namespace-labels",
        "dractl: --share: the playground has no --allocate-unreferenced",
    ]
    quiet = run("simulate", QUICKSTART, "--share", "--quiet", *labels)
    assert quiet.before == []


def test_a_scenario_has_a_link_to_its_files() -> None:
    story = EXAMPLES / "scenario.yaml"
    found = run("simulate", QUICKSTART, "--scenario", story, "--share")
    assert set(found.texts) == {path.name for path in QUICKSTART.glob("*.yaml")}
    assert any("has no --scenario" in line for line in found.before)


def test_expressions_are_shared_as_classes() -> None:
    found = run("cel", "device.driver == 'a'", "--share")
    assert list(found.texts) == ["selectors.yaml"]
    assert "device.driver == 'a'" in found.texts["selectors.yaml"]
    # The playground shows the first file, and the selectors in the order of the files.
    assert next(iter(run("cel", "true", QUICKSTART, "--share").texts)) == "selectors.yaml"


def test_more_than_a_link_holds_is_an_error(tmp_path: Path) -> None:
    big = tmp_path / "big.yaml"
    big.write_text("# x\n" * 400_000, encoding="utf-8")
    found = run("validate", BROKEN, big, "--share", exit_code=2)
    assert found.report == ""
    assert found.link == "dractl: --share: the files have 1.5 MiB; a link holds 1 MiB: name fewer files"


def test_a_long_link_is_a_warning(tmp_path: Path) -> None:
    long = tmp_path / "long.yaml"
    long.write_text("".join(f"# {number * 7919 % 100_003}\n" for number in range(20_000)), encoding="utf-8")
    found = run("validate", BROKEN, long, "--share", exit_code=1)
    assert len(found.link) > 30_000
    assert any("characters; many programs cut links with more than 30,000" in line for line in found.before)
    page = tmp_path / "page.html"
    pytest.importorskip("jinja2")
    run("simulate", QUICKSTART, long, "--share", "--format", f"html={page}")
    assert "playground" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [("simulate",), ("why", "--all")], ids=str)
def test_a_page_has_the_link_only_if_it_is_asked_for(command: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    page = tmp_path / "page.html"
    arguments = (*command, QUICKSTART, "--format", f"html={page}")
    found = run(*arguments, "--share")
    assert f'<a href="{found.link}" rel="noopener noreferrer">' in page.read_text(encoding="utf-8")
    assert "http" not in run(*arguments).link
    assert "playground" not in page.read_text(encoding="utf-8")


def test_the_address_is_that_of_the_option_or_of_the_variable() -> None:
    environment = {"DRACTL_PLAYGROUND": "http://[::1]:8000/play/"}
    for options, address in (
        ((), environment["DRACTL_PLAYGROUND"]),
        (("--playground", "https://dra.example/"), "https://dra.example/"),
        (("--isolated",), PLAYGROUND),
    ):
        found = run("simulate", QUICKSTART, "--share", *options, environment=environment)
        assert found.link.startswith(f"{address}#v1.")


@pytest.mark.parametrize(
    "address", ["", "javascript:alert(1)", "https://a/#b", "https://a b", "https://a/\n"]
)
def test_an_address_that_no_browser_would_open_is_an_error(
    address: str,
) -> None:
    found = run("simulate", QUICKSTART, "--share", f"--playground={address}", exit_code=2)
    assert "--playground: must be an http or https address" in found.link


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_what_changes_files_has_no_link(option: str) -> None:
    found = run("validate", BROKEN, "--share", option, exit_code=2)
    assert found.link == f"dractl: --share: cannot be combined with {option}"


def test_a_file_cannot_choose_the_address(tmp_path: Path) -> None:
    config = tmp_path / "dractl.toml"
    config.write_text('playground = "https://evil.example/"\n', encoding="utf-8")
    found = run("validate", BROKEN, "--share", "--config", config, exit_code=2)
    assert found.link.endswith(":1: playground cannot be set in a file; set DRACTL_PLAYGROUND")
