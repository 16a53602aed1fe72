"""What is wrong with what a case did: each thing that dractl promises never to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import jsonschema
import yaml

from dractl.api.budgets import BUDGETS
from tests.fuzz.case import Case
from tests.fuzz.commands import STATE
from tests.fuzz.running import PATIENCE, PATIENCE_WITH_PODS, PROMISES, SMALL, Frame, Outcome, is_simulation
from tests.paths import ROOT

__all__ = ["ORDER", "STEERING", "Fault", "common", "judge"]

MEMORY = 1 << 30
"""Bytes that a case may take."""

_DOCUMENTS = ROOT / "schemas" / "documents"
_MOST_CHECKED = 300_000
"""Bytes of a document that is compared with its schema."""

STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that steer terminals, turn text round, or cannot be seen."""
ORDER = re.compile(r"^\s*::[a-z-]+[ :]|##vso\[|^\s*##\[", re.MULTILINE)
"""How lines of a log order a CI about: GitHub's commands, and those of Azure Pipelines."""


class Fault(NamedTuple):
    """A kind of fault and where it is, which make it one of its kind, and what was seen."""

    kind: str
    where: str
    text: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What makes two faults the same."""
        return self.kind, self.where


def judge(case: Case, outcome: Outcome) -> list[Fault]:
    """All faults of a case that came to an end."""
    found = [*_of_run(outcome), *_of_time(case, outcome), *_of_machine(case, outcome)]
    if case.program == "dractl":
        found += [*_of_text(case, outcome), *_of_files(case, outcome)]
        if outcome.end.exit in (0, 1):
            found += _of_documents(case, outcome)
    return list({fault.key: fault for fault in found}.values())


def common(samples: tuple[tuple[Frame, ...], ...]) -> str:
    """The deepest frame at which all samples of a stack still agree."""
    if not samples:
        return ""
    found = ""
    for frames in zip(*samples, strict=False):
        if len(set(frames)) > 1:
            break
        found = ":".join(frames[0])
    return found


def _of_run(outcome: Outcome) -> Iterator[Fault]:
    if outcome.end.crash:
        where = ":".join(outcome.end.frames[-1]) if outcome.end.frames else ""
        if outcome.end.crash == "RecursionError":  # any frame of the loop may be the last
            where = ":".join(min(outcome.end.frames[-12:], default=("", "")))
        yield Fault("crash", f"{outcome.end.crash} in {where}", outcome.end.trace)
    elif outcome.end.exit not in (0, 1, 2):
        yield Fault("exit code", str(outcome.end.exit))
    if b"Traceback (most recent call last)" in outcome.stderr:
        yield Fault("traceback", outcome.stderr.decode("utf-8", "replace")[-300:])


def _of_time(case: Case, outcome: Outcome) -> Iterator[Fault]:
    if outcome.cpu > _patience(case, outcome) and case.size <= SMALL:
        yield Fault("slow", common(outcome.samples), f"{outcome.cpu:.1f} s")
    if outcome.memory > MEMORY:
        yield Fault("memory", f"{_command(case)} {common(outcome.samples)}", f"{outcome.memory >> 20} MiB")


def _patience(case: Case, outcome: Outcome) -> float:
    """CPU seconds that a small input may take: more where it is said, or quiet, that a limit was reached."""
    written = (outcome.stdout + outcome.stderr).decode("utf-8", "replace")
    is_quiet = not {"--quiet", "-q"}.isdisjoint(case.arguments) or case.program == "api"
    if not is_quiet and not any(phrase in written for phrase in _limit_phrases()):
        return PATIENCE_WITH_PODS if is_simulation(case) else PATIENCE
    return PROMISES["simulate" if is_simulation(case) else "validate"]


@cache
def _limit_phrases() -> tuple[str, ...]:
    """How the messages about limits of work can be known, whatever numbers they hold."""
    texts = (row.text for row in BUDGETS if not row.name.startswith("shown-"))
    return tuple(max(re.split(r"\{\w+\}", text), key=len).strip() for text in texts)


def _of_machine(case: Case, outcome: Outcome) -> Iterator[Fault]:
    for stray in outcome.strays:
        yield Fault(stray.kind, stray.where, stray.what)
    names_stdin = any(argument == "-" or argument.endswith("=-") for argument in case.arguments)
    if outcome.asked_stdin and not names_stdin and _command(case) != "mcp":
        yield Fault("standard input", _command(case), "read, though no argument is -")


def _of_text(case: Case, outcome: Outcome) -> Iterator[Fault]:
    for stream, content in (("stdout", outcome.stdout), ("stderr", outcome.stderr)):
        if stream == "stdout" and _command(case) == "convert":  # the stranger's own text, for another program
            continue
        text = content.decode("utf-8", "replace")
        what = f"{_command(case)} {_format(case) if stream == 'stdout' else 'stderr'}"
        steering = STEERING.search(text)
        if steering:
            kind = "text" if stream == "stderr" or _format(case) == "table" else _format(case)
            yield Fault("control character", f"{kind} {_class(steering[0])}", _around(text, steering.start()))
        order = ORDER.search(text)
        if order and (stream == "stderr" or _format(case) not in _NOT_FOR_A_LOG):
            yield Fault("CI command", what, _around(text, order.start()))


_NOT_FOR_A_LOG = ("json", "yaml", "sarif", "gitlab", "github")
"""Formats that a program reads; what is an order in that of GitHub is checked as a document."""


def _class(character: str) -> str:
    """Characters of one kind are one fault."""
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        return "C0"
    if code < 0xA0:
        return "C1"
    return (
        "invisible" if code in (0x200B, 0xFEFF) or code >= 0xE0000 or 0x2060 <= code < 0x2066 else "direction"
    )


def _around(text: str, at: int) -> str:
    return ascii(text[max(0, at - 60) : at + 60])


def _of_files(case: Case, outcome: Outcome) -> Iterator[Fault]:
    is_writing = any(word in ("--in-place", "-i", "--update", "--write", "--fix") for word in case.arguments)
    asked = [value for option in ("--output", "--save-state") for value in _values(case, option)]
    asked += [value.partition("=")[2] for value in _values(case, "--format") if "=" in value]
    for name, content in case.files.items():
        if name == case.stdin or outcome.files.get(name) == content or _is_result_only(case, name, asked):
            continue
        if name not in outcome.files or not is_writing:
            yield Fault("input changed", _command(case), name)
    for name in outcome.files.keys() - (case.files.keys() - {case.stdin}) - set(asked):
        yield Fault("leftover", _command(case), name)


def _is_result_only(case: Case, name: str, asked: Sequence[str]) -> bool:
    """Whether a file is named as the place of a result, and as nothing else."""
    words = [word for word in case.arguments if not word.startswith("--exclude=")]
    named = [word for word in words if word == name or word.endswith(f"={name}")]
    return name in asked and len(named) == asked.count(name)


def _of_documents(case: Case, outcome: Outcome) -> Iterator[Fault]:
    """What is to be read by programs, but cannot be."""
    if any(word in ("--help", "--version") for word in case.arguments):
        return
    where = f"{_command(case)} {_format(case)}"
    check = _CHECKS.get(_format(case))
    if check is not None:
        yield from check(where, _result(case, outcome))
    for value in _values(case, "--format"):
        name, _, file = value.partition("=")
        if file in outcome.files and name in _CHECKS:
            yield from _CHECKS[name](f"{_command(case)} {name}", outcome.files[file])
    if STATE in outcome.files and _values(case, "--save-state"):
        yield from _yaml(f"{_command(case)} --save-state", outcome.files[STATE])


def _result(case: Case, outcome: Outcome) -> bytes:
    """What the command wrote, to standard output or to the file that it was given."""
    for name in reversed(_values(case, "--output")):
        return outcome.stdout if name == "-" else outcome.files.get(name, b"")
    return outcome.stdout


def _json(where: str, content: bytes) -> Iterator[Fault]:
    try:
        document = json.loads(content, parse_constant=_refuse_constant)
    except ValueError as error:
        yield Fault("not JSON", where, f"{error}: {content[:100]!r}")
        return
    name = document.get("schema") if isinstance(document, dict) else None
    validator = _validators().get(str(name))
    if validator is None:
        if where != "schema json":
            yield Fault("no known document", f"{where} {name}")
    elif len(content) <= _MOST_CHECKED:
        wrong = next(iter(validator.iter_errors(document)), None)
        if wrong is not None:
            path = "/".join("*" if isinstance(step, int) else step for step in wrong.schema_path)
            yield Fault("not as its schema", f"{where} {path}", wrong.message[:300])


def _any_json(where: str, content: bytes) -> Iterator[Fault]:
    """A document whose schema is not ours."""
    try:
        json.loads(content, parse_constant=_refuse_constant)
    except ValueError as error:
        yield Fault("not JSON", where, f"{error}: {content[:100]!r}")


def _lines(shape: re.Pattern[str]) -> Callable[[str, bytes], Iterator[Fault]]:
    """A check that each line has this shape."""

    def check(where: str, content: bytes) -> Iterator[Fault]:
        for line in content.decode("utf-8", "replace").split("\n"):
            if line and not shape.fullmatch(line):
                yield Fault("not a line of the format", where, ascii(line[:200]))
                return

    return check


_ANNOTATION = re.compile(r"::(error|warning|notice) [^:]*::[^\r]*")
_METRIC = re.compile(r'# (HELP|TYPE) \S+ .*|[a-z_]+(\{([a-z_]+="([^"\\]|\\[\\"n])*",?)*\})? \S+')


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@cache
def _validators() -> Mapping[str, Any]:
    found = {}
    for path in sorted(_DOCUMENTS.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        name, _, version = path.stem.rpartition(".")
        found[f"{name}/{version}"] = jsonschema.Draft202012Validator(schema)
    return found


def _xml(where: str, content: bytes) -> Iterator[Fault]:
    try:
        ET.fromstring(content)  # noqa: S314 - our own output
    except ET.ParseError as error:
        yield Fault("not XML", where, str(error))


def _yaml(where: str, content: bytes) -> Iterator[Fault]:
    try:
        for _ in yaml.load_all(content, getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            pass
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        yield Fault("not YAML", where, str(error)[:300])


_CHECKS: Mapping[str, Callable[[str, bytes], Iterator[Fault]]] = {
    "json": _json,
    "junit": _xml,
    "yaml": _yaml,
    "sarif": _any_json,
    "gitlab": _any_json,
    "github": _lines(_ANNOTATION),
    "prometheus": _lines(_METRIC),
}


def _command(case: Case) -> str:
    return case.arguments[0] if case.arguments else ""


def _format(case: Case) -> str:
    if _command(case) == "schema":
        return "json"
    values = [value for value in _values(case, "--format") if "=" not in value]
    return values[-1] if values else "text"


def _values(case: Case, option: str) -> list[str]:
    """The values of an option, however it is given."""
    words = case.arguments
    after = [words[at + 1] for at, word in enumerate(words[:-1]) if word == option]
    return [word.partition("=")[2] for word in words if word.startswith(f"{option}=")] + after
