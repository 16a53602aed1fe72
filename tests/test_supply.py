"""What dractl is built from: licences of what a user installs, versions and hashes of what developers do."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.paths import ROOT
from tests.rows import each_row

LOCK = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ALLOWED = {
    "Apache-2.0": r"apache[ -](software license|license|2)",
    "BSD": r"\bbsd\b",
    "ISC": r"\bisc\b",
    "MIT": r"\bmit\b",
    "MPL-2.0": r"mpl-2\.0|mozilla public license 2\.0",
    "PSF-2.0": r"psf-2\.0|python software foundation",
}
"""Licences that Apache-2.0 programs can depend on, as packages name them."""


def _needed() -> list[str]:
    """The packages that ``pip install 'dractl[html]'`` installs here, without dractl itself."""
    found: dict[str, None] = {}
    waiting = [Requirement("dractl[html]")]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in found:
            continue
        found[name] = None
        for line in metadata.requires(name) or ():
            inner = Requirement(line)
            extras = requirement.extras or {""}
            if inner.marker is None or any(inner.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(inner)
    return sorted(found.keys() - {"dractl"})


@each_row("name", _needed())
def test_the_licence_of_a_dependency_is_allowed(name: str) -> None:
    data = metadata.metadata(name)
    classifiers = [line for line in data.get_all("Classifier", []) if line.startswith("License ::")]
    # Some have the whole text in this field.
    named = [line[:80] for line in data.get_all("License", [])]
    stated = [*data.get_all("License-Expression", []), *named, *classifiers]
    text = " ".join(stated).lower()
    assert [licence for licence, pattern in ALLOWED.items() if re.search(pattern, text)], stated


def test_the_dependencies_that_users_install_are_few() -> None:
    assert {"pyyaml", "typer", "rich", "jsonschema", "jinja2"} <= set(_needed())
    assert len(_needed()) < 25


def _locked() -> dict[str, list[str]]:
    """The versions of each package; several where they differ by interpreter."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==([\w.!+-]+)", LOCK, re.MULTILINE):
        found.setdefault(name, []).append(version)
    return found


def _declared() -> list[str]:
    project = PROJECT["project"]
    extras = [line for name in ("dev", "docs", "release") for line in project["optional-dependencies"][name]]
    build = (ROOT / "requirements" / "build.in").read_text(encoding="utf-8").splitlines()
    return [*project["dependencies"], *extras, *build]


@each_row("line", sorted(set(_declared())))
def test_the_lock_has_a_version_that_is_declared(line: str) -> None:
    requirement = Requirement(line)
    versions = _locked()[canonicalize_name(requirement.name)]
    assert [version for version in versions if version not in requirement.specifier] == []


def test_the_build_backend_is_the_locked_one() -> None:
    build = (ROOT / "requirements" / "build.in").read_text(encoding="utf-8").splitlines()
    assert set(PROJECT["build-system"]["requires"]) <= set(build)


def test_every_locked_package_has_hashes_and_no_address() -> None:
    entries = re.split(r"\n(?=[a-z])", LOCK.partition("\n")[2])[1:]
    assert len(entries) == sum(map(len, _locked().values()))
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert re.findall(r"https?://|--index|--find-links", LOCK) == []
