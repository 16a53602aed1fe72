"""Comments in manifests that silence rules, as in ``# dractl: ignore[request/name] an old name``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dractl.api.wording import did_you_mean
from dractl.finding import Finding, Location, Severity
from dractl.lint.suppression.rules import INVALID, NO_REASON, UNUSED
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.split import chunks
from dractl.source.text import SourceText
from dractl.source.yaml_nodes import scan

__all__ = ["Ignores"]

_MARK = "dractl:"
_DIRECTIVE = re.compile(r"#\s*dractl:\s*(?P<verb>[\w-]+)\s*(?P<rest>.*)")
_IGNORE = re.compile(r"\[(?P<rules>[^\]]*)\]\s*(?P<reason>.*)")
_LINE, _FILE = "ignore", "ignore-file"
_REASON_PUNCTUATION = " \t:;,.-#"

_EVERYWHERE = frozenset(
    {
        *(
            "binding",
            "cel",
            "class",
            "claim",
            "config",
            "constraint",
            "counterset",
            "ctr",
            "decode",
            "device",
        ),
        *("document", "meta", "oldclaim", "oldclass", "oldparams", "oldslice", "pod", "policy", "quantity"),
        *("request", "rule", "shape", "slice", "template", "tmeta", "version", "gate"),
    }
)
"""Groups of rules that each run checks; others need more files, an earlier state, or options."""

_NOT_EVERYWHERE = frozenset({"config/schema"})


class _Comment(NamedTuple):
    """A comment that silences rules: in a whole file (line 0) or on one line."""

    file: str
    line: int
    rules: tuple[str, ...]
    place: Location


class Ignores:
    """The comments of an input; remembers which of them were of use."""

    def __init__(self, documents: Iterable[Document], known_rules: Iterable[str]) -> None:
        """Look for comments in the texts of ``documents``; ``known_rules`` are all ids."""
        self._known = frozenset(known_rules)
        self._by_place: dict[tuple[str, int], list[_Comment]] = {}
        self._named: dict[str, set[str]] = {}
        self._used: set[tuple[_Comment, str]] = set()
        self._starts: dict[tuple[str, int], int] = {}
        self._wrong: list[Finding] = []
        for file, text in _texts(documents).items():
            for comment in self._comments(file, text):
                self._by_place.setdefault((file, comment.line), []).append(comment)
                self._named.setdefault(file, set()).update(comment.rules)

    def silences(self, finding: Finding) -> bool:
        """Whether a comment names the rule of a finding at its place; each such comment was of use."""
        where = finding.location
        if where is None:
            return False
        found = False
        # No comment can be inside of a text of several lines, so one at its first line counts.
        start = self._starts.get((where.file, where.line), where.line)
        for line in dict.fromkeys((where.line, start, 0)):
            for comment in self._by_place.get((where.file, line), ()):
                for rule in comment.rules:
                    if rule in finding.ids:
                        self._used.add((comment, rule))
                        found = True
        return found

    def names(self, finding: Finding) -> bool:
        """Whether a comment in the file of a finding names its rule: lines move while it is fixed."""
        where = finding.location
        return where is not None and not self._named.get(where.file, set()).isdisjoint(finding.ids)

    def findings(self) -> Iterator[Finding]:
        """What is wrong with the comments, once all findings were asked about; unused ones are the last."""
        yield from self._wrong
        for comments in self._by_place.values():
            for comment in comments:
                for rule in comment.rules:
                    if (comment, rule) not in self._used and _is_certain(rule):
                        where = "in this file" if comment.line == 0 else "at this place"
                        yield _about(
                            comment.place,
                            UNUSED,
                            f"{rule} has no finding {where}",
                            "remove it from the comment",
                        )

    def _comments(self, file: str, text: str) -> Iterator[_Comment]:
        source = SourceText(text, file)
        for start, end in chunks(text):
            if text.find(_MARK, start, end) < 0:
                continue
            scanned = scan(text[start:end])
            if scanned is None:
                continue
            next_lines = _next_lines(source, {source.place(start + at)[0] for at, _ in scanned.comments})
            self._note_scalars(source, start, scanned.scalars)
            for at, comment in scanned.comments:
                directive = _DIRECTIVE.search(comment)
                if directive is None:
                    continue
                offset = start + at + directive.start()
                line, column = source.place(offset)
                place = Location(file, line, column, source.line(line))
                found = self._read(directive, place)
                if found is None:
                    continue
                target = 0
                if directive["verb"] == _LINE:
                    is_alone = not text[offset - column + 1 : start + at].strip()
                    target = next_lines[line] if is_alone else line
                yield _Comment(file, target, found, place)

    def _note_scalars(self, source: SourceText, start: int, scalars: Iterable[tuple[int, int]]) -> None:
        """Remember where the texts of several lines start."""
        for first, last in scalars:
            line, end = source.place(start + first)[0], source.place(start + last)[0]
            for other in range(line + 1, end + 1):
                self._starts.setdefault((source.file, other), line)

    def _read(self, directive: re.Match[str], place: Location) -> tuple[str, ...] | None:
        """The rules that a comment names; None if it is not for dractl, or not valid as a whole."""
        verb, rest = directive["verb"], directive["rest"]
        parts = _IGNORE.match(rest)
        if verb not in (_LINE, _FILE) or parts is None:
            if verb.startswith("ignore") or rest.startswith("["):
                message = f"unknown comment for dractl: {verb}"
                hint = "write `# dractl: ignore[RULE] REASON` or `# dractl: ignore-file[RULE] REASON`"
                self._wrong.append(_about(place, INVALID, message, hint))
            return None
        named = [name.strip() for name in parts["rules"].split(",")]
        for name in named:
            if name not in self._known:
                hint = did_you_mean(name, self._known) or "dractl rules lists the ids"
                message = f"unknown rule {name}" if name else "a rule id is missing"
                self._wrong.append(_about(place, INVALID, message, hint))
        known = tuple(dict.fromkeys(name for name in named if name in self._known))
        if known and not parts["reason"].strip(_REASON_PUNCTUATION):
            hint = f"write `# dractl: {verb}[{', '.join(known)}] REASON`"
            self._wrong.append(_about(place, NO_REASON, "the comment has no reason", hint))
        return known


def _texts(documents: Iterable[Document]) -> Mapping[str, str]:
    """The texts with a comment for dractl, by file; JSON has no comments."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for document in documents:
        file = document.file
        if file in seen:
            continue
        seen.add(file)
        text = document.text
        if text is not None and _MARK in text and not file.lower().endswith(".json"):
            found[file] = text
    return found


def _next_lines(source: SourceText, lines: set[int]) -> dict[int, int]:
    """For each line with a comment the next one that is not a comment alone.

    Found from the last line to the first, so that a file of comments takes no longer than its lines.
    """
    found: dict[int, int] = {}
    for line in sorted(lines, reverse=True):
        following = line + 1
        is_comment = following in lines and source.line(following).lstrip().startswith("#")
        found[line] = found[following] if is_comment else following
    return found


def _is_certain(rule: str) -> bool:
    """Whether each run checks a rule, so that a comment about it without a finding is surely unused."""
    if rule in _NOT_EVERYWHERE or rule.endswith("-immutable"):
        return False
    return rule.partition("/")[0] in _EVERYWHERE


def _about(place: Location, rule: str, message: str, hint: str) -> Finding:
    return Finding(rule, Severity.WARNING, None, "", None, message, hint, (), None, place)
