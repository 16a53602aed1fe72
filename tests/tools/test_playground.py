"""The builder of the playground: what it takes of dractl and Pyodide, and what it rejects."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.test_layers import MODULES
from tools.playground import __main__ as program
from tools.playground import build as builder
from tools.playground import bundle, compiling, modules, pyodide
from tools.site import __main__ as site


def _package(folder: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as npm packs it, whose hash is the pinned one."""
    path = folder / "package.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    digest = hashlib.sha512(path.read_bytes()).digest()
    monkeypatch.setattr(pyodide, "INTEGRITY", f"sha512-{base64.b64encode(digest).decode()}")
    return path


def _small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    library = {
        "abc.py": b"x = 1\n",
        "unittest/case.py": b"",
        "encodings/utf_8.py": b"",
        "encodings/koi8_r.py": b"",
    }
    files = dict.fromkeys(pyodide.FILES, b"")
    files |= {"python_stdlib.zip": bundle.zipped(library), "pyodide.asm.wasm": b"wasm" * 100}
    files |= {"pyodide-lock.json": b'{"info": {"version": "1"}, "packages": {"numpy": {}}}'}
    files |= {"pyodide.mjs": b"run();\n//# sourceMappingURL=pyodide.mjs.map\n"}
    return _package(folder, files, monkeypatch)


def _compile_here(_: Path, archives: Iterable[bundle.Archive]) -> None:
    """In place of Node.js: the program that it runs, in this Python."""
    for archive in archives:
        archive.target.write_bytes(compiling.compiled(archive.source.read_bytes(), archive.optimize))


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bundle, "compile_archives", _compile_here)
    monkeypatch.setattr(
        bundle, "application", lambda: {"dractl/__init__.py": b"y = 2\n", "dractl/a.json": b"{}"}
    )
    builder.build(_small(tmp_path, monkeypatch), tmp_path / "play")
    return tmp_path / "play"


def test_the_modules_are_those_that_the_page_can_reach() -> None:
    found = set(modules.closure())
    assert found <= MODULES.keys()
    assert found >= {"dractl.play.views", "dractl.report.html.picture", "dractl.admission.claim.claim_status"}
    assert found >= {"dractl.legacy.prototypes.run", "dractl.legacy.v1alpha2.simulation.run"}  # found by name
    assert not any(
        name.startswith(("dractl.cli", "dractl.editor", "dractl.live", "dractl.testing")) for name in found
    )


def test_the_application_has_its_data_and_no_compiled_library() -> None:
    found = bundle.application()
    assert found.keys() >= {
        "dractl/api/data/gates.json",
        "dractl/api/data/fields/1.30.json",
        "dractl/report/html/templates/page.css",
        "yaml/__init__.py",
        "jinja2/__init__.py",
        "markupsafe/_native.py",
    }
    assert {Path(name).suffix for name in found} <= {
        ".py",
        ".json",
        ".j2",
        ".css",
        ".js",
        ".yaml",
        ".txt",
        ".gz",
    }
    assert not any(name.startswith(("dractl/advisories", "dractl/cli", "dractl/testing")) for name in found)


def test_the_built_folder_has_all_files_and_no_map(built: Path) -> None:
    names = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    sources = {path.name for path in builder.PAGE.iterdir()}
    python = {
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm.packed",
        "python_stdlib.zip",
        "pyodide-lock.json",
    }
    assert names == sources | {"settings.json", "licenses.txt", "python/dractl.packed"} | {
        f"python/{name}" for name in python
    }
    assert "sourceMappingURL" not in (built / "python" / "pyodide.mjs").read_text()
    assert gzip.decompress((built / "python" / "pyodide.asm.wasm.packed").read_bytes()) == b"wasm" * 100
    lock = json.loads((built / "python" / "pyodide-lock.json").read_text())
    assert lock == {"info": {"version": "1"}, "packages": {}}


def test_modules_are_compiled_and_what_nobody_imports_is_left_out(built: Path) -> None:
    with zipfile.ZipFile(built / "python" / "python_stdlib.zip") as archive:
        assert archive.namelist() == ["abc.pyc", "encodings/utf_8.pyc"]
    packed = gzip.decompress((built / "python" / "dractl.packed").read_bytes())
    head, _, content = packed.partition(b"\n")
    names = json.loads(head)
    assert [name for name, _ in names] == ["dractl/__init__.pyc", "dractl/a.json"]
    assert len(content) == sum(size for _, size in names)
    assert content.endswith(b"{}")


def test_the_policy_allows_the_style_of_the_picture_only(built: Path) -> None:
    page = (built / "index.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert re.fullmatch(r"'self' 'sha256-[A-Za-z0-9+/]{43}='", rules["style-src"])
    assert "unsafe-inline" not in policy
    assert "http" not in policy


def test_the_service_worker_keeps_every_file(built: Path) -> None:
    text = (built / "service-worker.js").read_text(encoding="utf-8")
    listed = json.loads(re.findall(r"^const FILES = (.*);$", text, re.MULTILINE)[0])
    names = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    assert set(listed) == names - {"service-worker.js"}
    assert re.search(r'^const VERSION = "[0-9a-f]{16}";$', text, re.MULTILINE)


def test_all_licences_are_in_the_folder(built: Path) -> None:
    text = (built / "licenses.txt").read_text(encoding="utf-8")
    for part in ("MPL-2.0", "PSF-2.0", "Apache License", "PyYAML\n======", "Jinja2\n======", "MarkupSafe\n="):
        assert part in text


def test_the_settings_have_minors_and_examples(built: Path) -> None:
    settings = json.loads((built / "settings.json").read_text(encoding="utf-8"))
    assert {minor["version"] for minor in settings["minors"]} > {"1.30", settings["newest"]}
    assert all(example["files"] and example["title"] for example in settings["examples"])


def test_a_second_build_replaces_the_first_and_nothing_else(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (built / "old.js").write_text("")
    builder.build(_small(tmp_path, monkeypatch), built)
    assert not (built / "old.js").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine").write_text("")
    with pytest.raises(ValueError, match="is not empty and not a playground"):
        builder.build(tmp_path / "package.tgz", other)
    assert (other / "mine").exists()


def test_a_page_that_has_become_too_large_is_rejected(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "_MOST_BYTES", 100)
    with pytest.raises(ValueError, match="at most 100 are allowed"):
        builder.build(built.parent / "package.tgz", built)


def test_another_package_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = tmp_path / "other.tgz"
    package.write_bytes(b"another one")
    assert program.main(["--out", str(tmp_path / "play"), "--package", str(package)]) == 2
    assert f"error: other.tgz: expected {pyodide.INTEGRITY}, got sha512-" in capsys.readouterr().err


def test_a_package_without_a_file_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = _package(tmp_path, {"pyodide.mjs": b""}, monkeypatch)
    with pytest.raises(ValueError, match=r"pyodide\.asm\.mjs is missing"):
        pyodide.unpack(package, tmp_path / "out")


def test_where_npm_is_missing_the_site_skips_the_playground(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    site.add_playground(tmp_path)
    assert capsys.readouterr().err == "skipped: playground (npm and node not found)\n"
    assert list(tmp_path.iterdir()) == []
    assert program.main(["--out", str(tmp_path / "play")]) == 2
    assert capsys.readouterr().err == "error: npm and node not found\n"


def test_where_the_registry_cannot_be_reached_the_site_skips_the_playground(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("npm", "node"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 7\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    site.add_playground(tmp_path / "site")
    assert (
        capsys.readouterr().err
        == f"skipped: playground (npm did not get pyodide {pyodide.VERSION} (exit code 7))\n"
    )


def test_no_file_of_the_playground_names_a_registry_or_another_host() -> None:
    files = [*(ROOT / "tools" / "playground").rglob("*.*"), *builder.PAGE.iterdir()]
    texts = {path.name: path.read_text(encoding="utf-8") for path in files if path.suffix != ".pyc"}
    hosts = {name: re.findall(r"https?://[^\s\"'`),]+", text) for name, text in texts.items()}
    allowed = {
        "https://pyodide.org/",
        "https://github.com/pyodide/pyodide",
        "https://docs.python.org/3/license.html",
        "http://www.w3.org/2000/svg",
        "https://",
    }
    assert {host for found in hosts.values() for host in found} <= allowed
