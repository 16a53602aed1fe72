"""``python -m tests.record [MINOR…]``: writes down what the real code says about every case of the project.

A case for each excerpt on the pages of the rules is made anew, and for each bad one of a new object also one
in which a valid object becomes like it. All others keep what they say and only get their verdicts. Needs the
programs that ``tests.oracle`` tells of. Without MINOR all of them are asked; the verdict of a minor that is
not asked, or that does not have the kind or gates of the case, stays as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dractl.admission.framework.rule import declared
from dractl.api import gates, release
from dractl.versions.registry import Standing, look_up
from tests import oracle
from tests.admission.excerpts import Case, cases
from tests.paths import ROOT
from tests.reading import read_yaml, written_yaml

FOLDER = ROOT / "testdata" / "conformance"

_EXPECT = "expect:"

Verdicts = dict[str, list[list[str]]]


class Recorded(NamedTuple):
    """A case: its file, what stands there before the verdicts, and the verdicts so far."""

    path: Path
    head: str
    verdicts: Verdicts

    def request(self) -> dict[str, Any]:
        """The question to a program."""
        case = read_yaml(self.head)
        texts = {key: _as_json(case[key]) for key in ("manifest", "old") if key in case}
        return oracle.validate(
            texts["manifest"],
            old=texts.get("old"),
            subresource=case.get("subresource", ""),
            gates=case.get("gates"),
            namespace_labels=case.get("namespace_labels"),
        )

    def write(self) -> None:
        """The file, with the verdicts as lines of their own."""
        lines = [f"{_EXPECT}  # recorded by python -m tests.record"]
        for minor, verdict in sorted(self.verdicts.items()):
            lines.append(f'  "{minor}":' + ("" if verdict else " []"))
            lines += [f"  - {json.dumps(entry, ensure_ascii=False)}" for entry in verdict]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.head + "\n".join(lines) + "\n", encoding="utf-8")


def _as_json(text: str) -> str:
    return json.dumps(read_yaml(text), ensure_ascii=False)


def from_pages(minors: Collection[release.Minor] = release.KNOWN) -> dict[Path, str]:
    """What the cases of the excerpts say before their verdicts, by file; equal good ones only once.

    Only excerpts for ``minors``: those of a rule that is gone are for the last minor that had it.
    """
    found: dict[Path, str] = {}
    seen: set[str] = set()
    for case in (case for case in cases() if case.minor in minors):
        text = f"{case.manifest} {case.old} {case.namespaces}"
        if case.good and text in seen:
            continue
        seen.add(text)
        name = case.rule.id.replace("/", "-")
        if case.rule.until and len(declared()[case.rule.id]) > 1:
            name += f"-until-{case.rule.until}"
        folder = FOLDER / case.kind.kind.lower()
        found[folder / f"{name}{'-good' if case.good else ''}.yaml"] = _head(case)
        if not case.good and (update := case.as_update()) is not None:
            found[folder / f"{name}-update.yaml"] = _head(update)
    return found


def _head(case: Case) -> str:
    about = f"{case.rule.summary.removesuffix('.')} ({'kept' if case.good else 'broken'})"
    said: dict[str, Any] = {"about": about, "rule": case.rule.id}
    said |= {"gates": case.gates} if case.gates else {}
    said |= {"namespace_labels": case.namespaces} if case.namespaces else {}
    lines = [written_yaml(said, width=200).rstrip(), *_block("manifest", case.manifest)]
    if case.old is not None:
        lines += _block("old", case.old)
    if case.is_status:
        lines.append("subresource: status")
    return "\n".join(lines) + "\n"


def _block(key: str, value: dict[str, Any]) -> list[str]:
    """The lines of a key whose value is an object as YAML text."""
    text = written_yaml(value, default_flow_style=None, width=110, allow_unicode=True)
    return [f"{key}: |", *(f"  {line}" for line in text.splitlines())]


def on_disk() -> Iterator[Recorded]:
    """All cases about manifests that there are as files."""
    for path in sorted(FOLDER.rglob("*.yaml")):
        head, marker, verdicts = path.read_text(encoding="utf-8").partition(f"\n{_EXPECT}")
        if marker and "manifest:" in head:
            yield Recorded(path, head + "\n", read_yaml(_EXPECT + verdicts)["expect"] or {})


def _all() -> list[Recorded]:
    pages, files = from_pages(), {case.path: case for case in on_disk()}
    for path, head in pages.items():
        if path not in files or files[path].head != head:
            files[path] = Recorded(path, head, {})
    return [files[path] for path in sorted(files)]


def _applies(minor: release.Minor, request: dict[str, Any]) -> bool:
    """Whether a server of ``minor`` knows the kind and starts with the gates."""
    try:
        gates.resolve(minor, request["gates"])
    except gates.GateError:
        return False
    return look_up(minor, json.loads(request["manifest"])).standing is Standing.KNOWN


def verdict(minor: str, request: dict[str, Any], answer: dict[str, Any]) -> list[list[str]]:
    """The verdict as a case keeps it: the decode errors, otherwise the types and places of the errors."""
    row = oracle.row(minor, request, answer)
    return [["decode", *problem] for problem in row["decode"]] or row["errors"]


def main(wanted: list[str]) -> int:
    """Write all files with the verdicts of the minors ``wanted``; 2 without a program of the newest patch."""
    minors = [release.parse(text) for text in wanted] or release.KNOWN
    programs = {minor: program for minor in minors if (program := oracle.binary(str(minor)))}
    if not programs:
        sys.stderr.write(f"${oracle.ENVIRONMENT} names no folder with programs to ask\n")
        return 2
    for minor, program in programs.items():
        version, newest = oracle.version(program), [*release.patches_of(minor).values()][-1]
        if version != f"v{newest}":
            sys.stderr.write(f"{program} is of {version}; verdicts of {minor} are those of {newest}\n")
            return 2
    todo = _all()
    for minor, program in programs.items():
        asked = [(case, request) for case in todo if _applies(minor, request := case.request())]
        answers = oracle.ask(program, [request for _, request in asked])
        for (case, request), answer in zip(asked, answers, strict=True):
            # A server of 1.34 to 1.36 dies of some requests; that is no verdict.
            if not answer.get("error", "").startswith("panic"):
                case.verdicts[str(minor)] = verdict(str(minor), request, answer)
    judged = [case for case in todo if case.verdicts]
    for case in judged:
        case.write()
    sys.stdout.write(f"{len(judged)} cases written; {len(todo) - len(judged)} have no verdict and no file\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
