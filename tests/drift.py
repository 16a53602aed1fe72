"""Generated files: ``python -m tests.drift`` lists the ones that are out of date.

``--fix`` updates them: terminal output and example files in README.md and the pages of docs, the pictures
of a terminal, the tables of options in docs/commands.md, the completion scripts, the man page, the list in
docs/pending.md, the table in docs/limits.md, the tables of patches in docs/support.md, the faults in
docs/advisories.md, the documents in docs/stability.md, the floors in CONTRIBUTING.md, the JSON Schemas of
the DRA kinds and of the file formats, and the types of the API objects in dractl/api/objects.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import typer

from dractl.advisories.conditions import CONDITIONS
from dractl.advisories.table import Advisory, advisories
from dractl.api import limits as limit_table
from dractl.api import release
from dractl.api.budgets import BUDGETS, Budget
from dractl.api.stored import read_table
from dractl.auditing.rules import AUDIT_RULES
from dractl.cli.app import START_PAGE
from dractl.cli.commands import app
from dractl.cli.program import help_page
from dractl.cli.settings.schema import config_schema
from dractl.cli.settings.table import OWN, SHARED, Setting
from dractl.drivers.checks import CHECKS
from dractl.simulation.allocator.model.known_faults import FAULTS, KnownFault
from dractl.simulation.allocator.model.quirks import ALL, quirks_of
from dractl.simulation.pods.outcome import CATEGORIES
from dractl.testing.schemas import FORMATS, played_schema
from dractl.versions.schema import schema_files
from dractl.workflows.matrix import in_words
from tests import picture
from tests.floors import drawing
from tests.object_types import object_types
from tests.output import printed
from tests.paths import ROOT
from tests.range_schemas import range_of_answers_schema, range_of_simulations_schema
from tests.shell import bash, fish, man, model, zsh

README = ROOT / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
REFERENCE = ROOT / "docs" / "commands.md"
CONFIGURATION = ROOT / "docs" / "how-to" / "configuration.md"
PENDING = ROOT / "docs" / "pending.md"
LIMITS = ROOT / "docs" / "limits.md"
SUPPORT = ROOT / "docs" / "support.md"
ALLOCATOR = ROOT / "docs" / "allocator.md"
STABILITY = ROOT / "docs" / "stability.md"
ADVISORIES = ROOT / "docs" / "advisories.md"
DRIVER_CHECK = ROOT / "docs" / "how-to" / "driver-check.md"
SCHEMAS = ROOT / "schemas"
DOCUMENTS = SCHEMAS / "documents"
_FENCE = "```console"
_FILE = re.compile(r"<!-- file: (\S+) -->\n")
_LIST_START = "<!-- categories: written by python -m tests.drift --fix -->\n"
_TABLE_START = "<!-- limits: written by python -m tests.drift --fix -->\n"
_PATCHES_START = "<!-- patches: written by python -m tests.drift --fix -->\n"
_CHANGES_START = "<!-- changes: written by python -m tests.drift --fix -->\n"
_FAULTS_START = "<!-- faults: written by python -m tests.drift --fix -->\n"
_ADVISORIES_START = "<!-- advisories: written by python -m tests.drift --fix -->\n"
_CHECKS_START = "<!-- checks: written by python -m tests.drift --fix -->\n"
_DOCUMENTS_START = "<!-- documents: written by python -m tests.drift --fix -->\n"
_FLOORS_START = "<!-- floors: written by python -m tests.drift --fix -->\n"
_LIST_END = "<!-- end -->\n"
_SETTINGS_HEADING = "| key | value | meaning | example |\n"
_OWN_SETTINGS_HEADING = "| key | commands | value | meaning |\n"
_OPTIONS_HEADING = "| option | meaning |\n"
_MARKDOWN = (
    (r"--format yaml|--[a-z-]+|dractl gates|pip install '[^']*'", r"`\g<0>`"),
    (r"\((request/\*)\)", r"(`\1`)"),
    (r"\((-)\)", r"(`\1`)"),
    (r"\b1\.\d\d\.\.1\.\d\d|resource\.k8s\.io/v1|\bv1(?:beta1)?\b(?!`)", r"`\g<0>`"),
    (r"\b(?:KIND/NAMESPACE/NAME|KIND/NAME|NAME|FILE)\b", r"`\g<0>`"),
    (r"prototype API", r"[\g<0>](prototypes.md)"),
    (r"scenario file", r"[\g<0>](scenarios.md)"),
)
"""How docs/commands.md marks up what ``--help`` prints as plain text."""


def pages_with_output() -> list[Path]:
    """The pages that show what a command prints, or an example file."""
    pages = [README, *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    return [page for page, text in texts.items() if f"\n{_FENCE}\n" in text or _FILE.search(text)]


def with_output(page: Path) -> str:
    """A page with the output that its commands have now, on a terminal of 100 columns without colour.

    A fence after ``<!-- file: PATH -->`` gets the text of the file.
    """
    return "".join(_refreshed(page.read_text(encoding="utf-8").splitlines(keepends=True)))


def _refreshed(lines: list[str]) -> Iterator[str]:
    is_written = is_console = False
    shown: Path | None = None
    for line in lines:
        file = _FILE.fullmatch(line)
        if file is not None:
            shown = ROOT / file[1]
        if line.startswith("```"):
            is_console = line.rstrip() == _FENCE
            is_written = is_console or (shown is not None and not is_written)
            yield line
            if is_written and shown is not None:
                yield shown.read_text(encoding="utf-8")
                shown = None
        elif is_console and line.startswith("$ "):
            yield line
            yield _output(line.removeprefix("$ "))
        elif not is_written:
            yield line


def reference() -> str:
    """docs/commands.md with the options that each command has now."""
    return "".join(_with_options(REFERENCE.read_text(encoding="utf-8").splitlines(keepends=True)))


def configuration() -> str:
    """docs/how-to/configuration.md with the keys that files can have now."""
    return "".join(_with_options(CONFIGURATION.read_text(encoding="utf-8").splitlines(keepends=True)))


def _with_options(lines: list[str]) -> Iterator[str]:
    command, is_table = "", False
    for line in lines:
        if line.startswith("## "):
            command = line.split("dractl ")[-1].strip("` \n")
        rows = _TABLES.get(line)
        is_table = rows is not None or (is_table and line.startswith("|"))
        if rows is not None:
            yield from (line, f"{'|---' * (line.count('|') - 1)}|\n", *rows(command))
        elif not is_table:
            yield line


def _option_rows(command: str) -> Iterator[str]:
    """A row for each option of the command, in the order of ``--help``."""
    program = cast("Any", typer.main.get_command(app))
    page = program
    for name in command.split():
        page = page.commands[name]
    groups = help_page.groups(page, page.context_class(page, info_name=command, **help_page.CONTEXT))
    for title, rows in groups.items():
        for name, text in rows if title not in ("Arguments", "Options") else ():
            shown = name.replace("<", "").replace(">", "").replace("|", "\\|")
            yield f"| `{shown.split(', ')[-1]}` | {_in_markdown(text)} |\n"


def start_page() -> str:
    """What ``dractl --help`` writes, as typer makes it."""
    program = cast("Any", typer.main.get_command(app))
    context = program.context_class(program, info_name="dractl", terminal_width=80, **help_page.CONTEXT)
    return f"{program.get_help(context)}\n"


def _setting_rows(_: str) -> Iterator[str]:
    """A row for each key at the top of a configuration file."""
    for row in SHARED:
        yield f"| `{row.key}` | {row.form.value} | {row.about} | `{row.example}` |\n"


def _own_setting_rows(_: str) -> Iterator[str]:
    """A row for each key that only tables of commands have."""
    commands: dict[Setting, list[str]] = {}
    for command, rows in OWN.items():
        for row in rows:
            commands.setdefault(row, []).append(command)
    for row, named in commands.items():
        yield f"| `{row.key}` | {', '.join(named)} | {row.form.value} | {row.about} |\n"


def _audit_rows(_: str) -> Iterator[str]:
    """A row for each rule of an audit, in the order of its report."""
    for row in AUDIT_RULES:
        yield f"| `{row.id}` | {row.summary}. |\n"


_TABLES: Mapping[str, Callable[[str], Iterator[str]]] = {
    _OPTIONS_HEADING: _option_rows,
    "| rule | what it requires |\n": _audit_rows,
    _SETTINGS_HEADING: _setting_rows,
    _OWN_SETTINGS_HEADING: _own_setting_rows,
}
"""The tables of docs/commands.md by their headings, with the rows for a command."""


def _in_markdown(text: str) -> str:
    text, _, extra = text.partition("  [")
    for pattern, marked in _MARKDOWN:
        text = re.sub(pattern, marked, text)
    note = extra.rstrip("]").replace("default: ", "Default: ").replace("required", "Required")
    return f"{text} {note}." if note else text


def _output(command: str) -> str:
    program, *arguments = shlex.split(command)
    assert program == "dractl", command
    return printed(*arguments)


def pending() -> str:
    """docs/pending.md with the categories that there are now."""
    head, start, rest = PENDING.read_text(encoding="utf-8").partition(_LIST_START)
    _, end, tail = rest.partition(_LIST_END)
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in CATEGORIES.items())
    return f"{head}{start}\n| category | meaning |\n|---|---|\n{rows}{end}{tail}"


def limits() -> str:
    """docs/limits.md with the rows of ``dractl.api.budgets``."""
    head, start, rest = LIMITS.read_text(encoding="utf-8").partition(_TABLE_START)
    _, end, tail = rest.partition(_LIST_END)
    rows = "".join(map(_row, BUDGETS))
    heading = "| name | limit | what dractl prints | exit code | why |\n|---|---|---|---|---|\n"
    return f"{head}{start}\n{heading}{rows}{end}{tail}"


def support() -> str:
    """docs/support.md with the patches of each minor, and what they changed."""
    table: dict[str, Any] = read_table("patches.json")
    text = SUPPORT.read_text(encoding="utf-8")
    newest = "".join(f"| {minor} | {patch} |\n" for minor, patch in reversed(table["newest"].items()))
    text = _between(text, _PATCHES_START, f"| minor | newest patch |\n|---|---|\n{newest}")
    changes = sorted(table["changes"], key=lambda row: _numbers(row["fixed"][-1]), reverse=True)
    rows = "".join(
        f"| {', '.join(row['fixed'])} | {row['before']} | {_unfixed(row)} | {row['seen'] or 'the code'} |\n"
        for row in changes
    )
    heading = "| fixed in | before | not fixed in | evidence |\n|---|---|---|---|\n"
    return _between(text, _CHANGES_START, heading + rows)


def driver_checks() -> str:
    """docs/how-to/driver-check.md with the output of its commands, and a row for each check of a driver."""
    rows = "".join(f"| `{check.id}` | {check.what}. | {check.why} | {check.example} |\n" for check in CHECKS)
    heading = "| check | what it reports | why | example |\n|---|---|---|---|\n"
    return _between(with_output(DRIVER_CHECK), _CHECKS_START, heading + rows)


def faults() -> str:
    """docs/allocator.md with the known faults and the releases that have them."""
    rows = "".join(f"| `{fault.id}` | {fault.sentence} | {_releases(fault)} |\n" for fault in FAULTS)
    heading = "| id | what happens | in |\n|---|---|---|\n"
    return _between(ALLOCATOR.read_text(encoding="utf-8"), _FAULTS_START, heading + rows)


def _releases(fault: KnownFault) -> str:
    """The releases with a fault in any implementation, as ranges."""
    # 1.30 has a scheduler of its own.
    known = release.KNOWN[1:]
    having = [(minor, patch) for minor in known for patch in _patches_with(fault, minor)]
    whole = {minor for minor in known if len(_patches_with(fault, minor)) == len(_patches(minor))}
    minors = [minor for minor in known if minor in whole]
    rest = [
        f"{minor} up to {minor}.{max(patch for other, patch in having if other == minor)}"
        for minor in known
        if minor not in whole and any(other == minor for other, _ in having)
    ]
    return ", ".join([*([in_words(minors)] if minors else []), *rest])


def _patches(minor: release.Minor) -> list[int]:
    return [*release.patches_of(minor)]


def _patches_with(fault: KnownFault, minor: release.Minor) -> list[int]:
    return [
        patch
        for patch in _patches(minor)
        if any(
            getattr(quirks_of(release.Minor(*minor[:2], patch), implementation), name)
            for implementation in ALL
            for name in fault.quirks
        )
    ]


def _unfixed(row: dict[str, Any]) -> str:
    """The minors whose newest patch still has a defect."""
    name, limit = row.get("quirk"), row.get("limit")
    if limit:
        fixed = limit_table.of(limit, release.NEWEST)
        return in_words(minor for minor in release.KNOWN if limit_table.of(limit, minor) != fixed)
    having = (
        minor
        for minor in release.KNOWN
        if name and any(getattr(quirks_of(minor, implementation), name) for implementation in ALL)
    )
    return in_words(having)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _between(text: str, start: str, table: str) -> str:
    """The text with another table after the line ``start``."""
    head, start, rest = text.partition(start)
    _, end, tail = rest.partition(_LIST_END)
    return f"{head}{start}\n{table}{end}{tail}"


def advisory_pages() -> str:
    """docs/advisories.md with a section for each advisory."""
    return _between(
        ADVISORIES.read_text(encoding="utf-8"), _ADVISORIES_START, "\n".join(map(_fault, advisories()))
    )


def _fault(advisory: Advisory) -> str:
    gates = ", ".join(f"`{name}={str(state).lower()}`" for name, state in advisory.gates.items())
    links = ", ".join(f"[{link.rpartition('kubernetes/')[2] or link}]({link})" for link in advisory.links)
    rows = (
        ("affected", ", ".join(map(str, advisory.affected))),
        ("fixed in", ", ".join(advisory.fixed_in)),
        ("only with", gates),
        ("reached by", CONDITIONS[advisory.condition].text),
        ("effect", advisory.effect),
        ("to do", advisory.fix),
        ("links", links),
    )
    table = "".join(f"| {name} | {text} |\n" for name, text in rows if text)
    return f"## `{advisory.id}`\n\n{advisory.title}.\n\n| | |\n|---|---|\n{table}"


def stability() -> str:
    """docs/stability.md with the documents and their versions."""
    titles = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["title"]
        for path in sorted(DOCUMENTS.glob("*.json"))
    }
    rows = "".join(
        f"| `{'/'.join(name.rsplit('.', 1))}` | {title.rstrip('.')} |\n" for name, title in titles.items()
    )
    heading = "| document | what it is |\n|---|---|\n"
    return _between(STABILITY.read_text(encoding="utf-8"), _DOCUMENTS_START, heading + rows)


def contributing() -> str:
    """CONTRIBUTING.md with the floors that the layers test holds."""
    head, start, rest = CONTRIBUTING.read_text(encoding="utf-8").partition(_FLOORS_START)
    _, end, tail = rest.partition(_LIST_END)
    return f"{head}{start}\n{drawing()}{end}{tail}"


def _row(budget: Budget) -> str:
    code = "unchanged" if budget.exit_code is None else budget.exit_code
    cells = (
        f"`{budget.name}`",
        f"{budget.value:,} {budget.unit}",
        budget.text.replace("{value}", f"{budget.value:,}").replace("|", "\\|"),
        code,
        budget.why,
    )
    return f"| {' | '.join(map(str, cells))} |\n"


def played() -> str:
    """The schema of a played scenario, made from that of a simulation."""
    return _json(played_schema(_document("simulate")))


def simulations_of_range() -> str:
    """The schema of a simulation for a range of minors, made from that of one minor."""
    return _json(range_of_simulations_schema(_document("simulate")))


def answers_of_range() -> str:
    """The schema of answers for a range of minors, made from that of one minor."""
    return _json(range_of_answers_schema(_document("why")))


def _document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCUMENTS / f"dractl.{name}.1.json").read_text(encoding="utf-8"))
    return found


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2) + "\n"


GENERATED: dict[Path, Callable[[], str]] = {
    **{path: partial(picture.picture, theme) for theme, path in picture.paths().items()},
    **{page: partial(with_output, page) for page in pages_with_output()},
    Path(START_PAGE): start_page,
    **{
        model.FOLDER / f"dractl.{shell.__name__.rpartition('.')[2]}": shell.script
        for shell in (bash, zsh, fish)
    },
    man.PAGE: man.page,
    CONTRIBUTING: contributing,
    REFERENCE: reference,
    CONFIGURATION: configuration,
    PENDING: pending,
    LIMITS: limits,
    SUPPORT: support,
    ALLOCATOR: faults,
    DRIVER_CHECK: driver_checks,
    ADVISORIES: advisory_pages,
    STABILITY: stability,
    DOCUMENTS / "dractl.simulate-scenario.1.json": played,
    DOCUMENTS / "dractl.simulate-matrix.1.json": simulations_of_range,
    DOCUMENTS / "dractl.why-matrix.1.json": answers_of_range,
}
"""Each file of its own kind with the function that makes its text."""


def generated() -> dict[Path, str]:
    """Every file that is written by a program, with the text that it should have."""
    schemas = {SCHEMAS / name: text for name, text in schema_files()}
    made = {path: make() for path, make in GENERATED.items()}
    schemas[SCHEMAS / "config.json"] = _json(config_schema())
    return {**made, **schemas_of_formats(), **schemas, **object_types()}


def schemas_of_formats() -> dict[Path, str]:
    """The files with the schemas of dractl's own formats."""
    return {DOCUMENTS / f"{name.replace('/', '.')}.json": _json(schema) for name, schema in FORMATS.items()}


def main(arguments: list[str]) -> int:
    """Compare the files with what they should be, or write them."""
    fix = arguments == ["--fix"]
    wanted = generated()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    extra = [path for path in SCHEMAS.glob("*-standalone-strict/*") if path not in wanted]
    for path in stale if fix else ():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    for path in extra if fix else ():
        path.unlink()
    for path in stale + extra:
        print(f"{path.relative_to(ROOT)}: {'updated' if fix else 'out of date'}")
    return 0 if fix else int(bool(stale or extra))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
