"""The rows of a minor in files: that of its release, that of a page, and the list of minors dractl knows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tools.kubernetes.releases import Release

_STAGED = re.compile(r"-(alpha|beta|rc)\.")
_KNOWN = re.compile(r"(?P<start>range\(30, )(?P<end>\d+)\)")
_STAGES = re.compile(r"(?P<start>STAGES: Mapping\[Minor, str\] = )\{(?P<rows>[^}]*)\}")
_ROWS = re.compile(r"^_ROWS = \(\n(?P<rows>.*?)^\)\n", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^    Release\(.*?\),?\n(?=    Release\(|\Z)", re.MULTILINE | re.DOTALL)


class UnknownFormError(ValueError):
    """A file that has another form than expected, so that no row was added; the message names the row."""


def with_release(text: str, release: Release) -> str:
    """The text of ``tools/kubernetes/releases.py`` with ``release`` as the row of its minor."""
    table = _ROWS.search(text)
    if table is None:
        raise UnknownFormError(f"no _ROWS in tools/kubernetes/releases.py; add {_row(release).strip()}")
    minor = f'"{release.minor}.'
    kept = [row[0] for row in _ROW.finditer(table["rows"]) if minor not in row[0].partition(",")[0]]
    rows = sorted([*kept, _row(release)], key=_number)
    return text[: table.start("rows")] + "".join(rows) + text[table.end("rows") :]


def with_minor(text: str, release: Release) -> str:
    """The text of ``dractl/api/release.py`` that knows the minor of ``release``, and its stage."""
    number = int(release.minor.partition(".")[2])
    known, stages = _KNOWN.search(text), _STAGES.search(text)
    if known is None or stages is None:
        raise UnknownFormError(
            f"KNOWN and STAGES in dractl/api/release.py have another form; add {release.minor}"
        )
    staged = _STAGED.search(release.version)
    rows = [
        row for row in re.findall(r"Minor\(1, \d+\): \"\w+\"", stages["rows"]) if f"(1, {number})" not in row
    ]
    if staged:
        rows.append(f'Minor(1, {number}): "{staged[1]}"')
    text = f"{text[: stages.start()]}{stages['start']}{{{', '.join(rows)}}}{text[stages.end() :]}"
    return _KNOWN.sub(lambda match: f"{match['start']}{max(int(match['end']), number + 1)})", text, count=1)


def with_page_row(text: str, release: Release, api_versions: Iterable[str]) -> str:
    """The text of ``tools/oracle/README.md`` with a line for ``release``; one of its minor keeps its remarks.

    ``api_versions`` are those of resource.k8s.io that the release serves, newest first.
    """
    start = f"| {release.minor} | {release.version} | {release.go} |"
    line = re.search(rf"^\| {re.escape(release.minor)} \|[^|]*\|[^|]*\|", text, re.MULTILINE)
    if line is not None:
        return text[: line.start()] + start + text[line.end() :]
    head = re.search(r"^\| minor \|.*\n\|[-|]+\n", text, re.MULTILINE)
    if head is None:
        raise UnknownFormError(f"no table of minors in tools/oracle/README.md; add {release.version}")
    return f"{text[: head.end()]}{start} {', '.join(api_versions)} | yes | yes |\n{text[head.end() :]}"


def _row(release: Release) -> str:
    """The lines of a row, laid out as the formatter does."""
    short = f'Release("{release.version}", go="{release.go}")'
    if not release.stubs and not release.replaced:
        return f"    {short},\n"
    lines = [f'        "{release.version}",', f'        go="{release.go}",']
    if release.stubs:
        stubs = ", ".join(f'"{module}"' for module in release.stubs)
        lines.append(f"        stubs=({stubs}{',' if len(release.stubs) == 1 else ''}),")
    if release.replaced:
        pairs = ", ".join(f'"{module}": "{version}"' for module, version in release.replaced.items())
        lines.append(f"        replaced=MappingProxyType({{{pairs}}}),")
    return "\n".join(["    Release(", *lines, "    ),"]) + "\n"


def _number(row: str) -> int:
    match = re.search(r'"1\.(\d+)\.', row)
    return int(match[1]) if match else 0
