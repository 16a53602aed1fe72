"""The row of a minor whose release is not in the table: found among the published modules."""

from __future__ import annotations

import re

from tools.kubernetes import modules
from tools.kubernetes.releases import RELEASES, Release, UnknownReleaseError
from tools.kubernetes.toolchain import BuildError, Go

_MINOR = re.compile(r"v?(?P<minor>1\.(?P<number>\d+))(?P<patch>\.\d+(-(alpha|beta|rc)\.\d+)?)?")
_VERSION = re.compile(r"v(?P<version>1\.\d+\.(?P<patch>\d+)(-(?P<stage>alpha|beta|rc)\.(?P<step>\d+))?)")
_STAGING = re.compile(r"(k8s\.io/\S+) => \./staging/src/\S+")
_REQUIRED = re.compile(r"^\t(?P<module>\S+) (?P<version>v\S+)", re.MULTILINE)
_GO = re.compile(r"^go (\d+\.\d+)", re.MULTILINE)
_NOT_PUBLISHED = re.compile(r"(?P<module>[\w./-]+)@(?P<version>v[\w.+-]+): (?:reading|verifying|Get)\b")


class NotPublishedError(ValueError):
    """A minor or version without published modules; the message says what there is."""


def row_of(text: str, toolchain: Go) -> Release:
    """The release that ``text`` names: that of the table, otherwise the newest published one of the minor.

    Raises UnknownReleaseError for a text of another form, NotPublishedError, and BuildError if Go fails.
    """
    match = _MINOR.fullmatch(text)
    if match is None:
        raise UnknownReleaseError(f"unknown release {text!r}: expected a minor such as 1.39, or a version")
    wanted = match["minor"] + match["patch"] if match["patch"] else None
    known = RELEASES.get(match["minor"])
    if known is not None and wanted in (None, known.version):
        return known
    version = _newest(match["minor"], wanted, toolchain)
    published = toolchain.module_text(modules.KUBERNETES, f"v{version}")
    release = Release(version, go=_go_line(published))
    return release._replace(stubs=_stubs(published, release, toolchain))


def _newest(minor: str, wanted: str | None, toolchain: Go) -> str:
    versions = [
        found
        for each in toolchain.versions(modules.KUBERNETES)
        if (found := _VERSION.fullmatch(each)) and found["version"].startswith(f"{minor}.")
    ]
    names = [found["version"] for found in sorted(versions, key=_order)]
    if wanted is None and not names:
        raise NotPublishedError(f"no release of Kubernetes {minor} is published as a Go module yet")
    if wanted is not None and wanted not in names:
        # The list of versions may be older than the version itself.
        try:
            toolchain.module_text(modules.KUBERNETES, f"v{wanted}")
        except BuildError:
            published = f"; published: {', '.join(names)}" if names else ""
            raise NotPublishedError(
                f"Kubernetes {wanted} is not published as a Go module{published}"
            ) from None
    return wanted or names[-1]


def _order(version: re.Match[str]) -> tuple[int, bool, str, int]:
    """A release comes after its candidates, these after beta and alpha."""
    return int(version["patch"]), version["stage"] is None, version["stage"] or "", int(version["step"] or 0)


def _go_line(module_file: str) -> str:
    match = _GO.search(module_file)
    if match is None:
        raise NotPublishedError("the go.mod of the release has no line with its version of Go")
    return match[1]


def _stubs(module_file: str, release: Release, toolchain: Go) -> tuple[str, ...]:
    """The modules of the release that were never published."""
    needed = [module for module in _STAGING.findall(module_file) if not modules.is_dropped(module)]
    missing = toolchain.unpublished([f"{module}@{release.staging_version}" for module in needed])
    return tuple(module for module in needed if f"{module}@{release.staging_version}" in missing)


def replaced(errors: str, release: Release, toolchain: Go) -> Release | None:
    """``release`` with an older version of each module that Go could not download; None if it names none.

    ``errors`` is what a failed build wrote.
    """
    found = dict(release.replaced)
    for match in _NOT_PUBLISHED.finditer(errors):
        older = [each for each in toolchain.versions(match["module"]) if each != match["version"]]
        if older and match["module"] not in found:
            found[match["module"]] = older[-1]
    return release._replace(replaced=found) if found != dict(release.replaced) else None
