"""Fix the files of an input: each document by itself, then what only shows in view of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from dractl.cel.common.work import WORK
from dractl.finding import Finding
from dractl.fixing.better import Judgement, why_not
from dractl.fixing.mend import Budget, Mended, candidates, identity, mended
from dractl.fixing.model import Fixing, Question, Unfixed
from dractl.fixing.texts import Piece, files_of, moved, reloaded
from dractl.lint.capped import Cap
from dractl.lint.fixes.text_edits import with_fixes
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded, load_text
from dractl.source.text import SourceError
from dractl.workflows.validate import PrototypeFindings, admit_all, judge_all

__all__ = ["fix"]

_ROUNDS = 5
"""How often all objects are looked at together; each round fixes what the one before brought to light."""


def fix(loaded: Sequence[Loaded], question: Question, prototypes: PrototypeFindings | None = None) -> Fixing:
    """Apply the fixes of the findings about ``loaded`` to the texts that it was read from.

    A fix is kept if the object has fewer errors, or as many and fewer warnings, and no new error on any of
    the servers. Objects without a text and those of ``prototypes`` stay as they are, as do texts that cannot
    be read.
    """
    return _Run(loaded, question, prototypes or {}).result()


class _Judged(NamedTuple):
    """A piece with its findings for each server, and where it starts in the text of its file."""

    piece: Piece
    judgement: list[list[Finding]]
    text: str
    start: int


class _Run:
    def __init__(self, loaded: Sequence[Loaded], question: Question, prototypes: PrototypeFindings) -> None:
        self._loaded = loaded
        self._question = question
        self._prototypes = prototypes
        self._files = files_of(loaded)
        self._budget = Budget()
        self._fixed: list[Finding] = []
        self._unfixed: list[Unfixed] = []
        self._namespaces = [
            item
            for item in loaded
            if isinstance(item, Document)
            and isinstance(item.value, dict)
            and item.value.get("kind") == "Namespace"
        ]

    def result(self) -> Fixing:
        """All that can be fixed, fixed."""
        for piece in self._broken():
            self._keep(
                piece,
                mended(piece.text, partial(self._judge, piece.file), self._question, self._budget),
            )
        for _ in range(_ROUNDS):
            if not self._fixed_together():
                break
        files = tuple(file.result() for file in self._files.values())
        again = reloaded(self._loaded, self._files)
        return Fixing(files, tuple(self._fixed), tuple(self._unfixed), again)

    def _keep(self, piece: Piece, found: Mended) -> None:
        piece.text = found.text
        self._fixed += [moved(finding, piece.lines_before) for finding in found.fixed]
        self._unfixed += [
            Unfixed(moved(finding, piece.lines_before), reason) for finding, reason in found.unfixed
        ]

    # Each document by itself.

    def _broken(self) -> list[Piece]:
        """The pieces with something to fix."""
        documents = [
            item for item in self._loaded if isinstance(item, Document) and item not in self._prototypes
        ]
        found: dict[int, Piece] = {}
        for findings in self._admitted(documents):
            for document, of_one in zip(documents, findings, strict=True):
                if document.text is not None and any(map(self._question.fix_in, of_one)):
                    piece = self._files[id(document.text)].piece_of(document)
                    found[id(piece)] = piece
        return list(found.values())

    def _judge(self, file: str, text: str) -> Judgement:
        """The findings about the objects in a piece; none of them about other objects."""
        loaded = load_text(text, file)
        documents = [item for item in loaded if isinstance(item, Document)]
        broken = [item for item in loaded if isinstance(item, SourceError)]
        assert not broken, broken  # noqa: S101 - a fix was read again before
        return [
            [finding for of_one in findings for finding in of_one] for findings in self._admitted(documents)
        ]

    def _admitted(self, documents: Sequence[Document]) -> Iterator[list[list[Finding]]]:
        """For each server, the findings of each document, in order."""
        question = self._question
        for gates in question.servers:
            with WORK.run():
                admitted = admit_all(
                    [*documents, *self._namespaces],
                    gates,
                    question.labels,
                    question.past,
                    question.field_validation,
                )
            yield [
                [*entry.findings, *(found for check in question.checks for found in check(entry.document))]
                for entry in islice(admitted, len(documents))
            ]

    # All of them together.

    def _fixed_together(self) -> bool:
        """Fix what shows in view of other objects only; whether anything was fixed."""
        banned = [identity(unfixed.finding) for unfixed in self._unfixed]
        before = self._judged_together()
        tried: list[tuple[Piece, str, list[Finding]]] = []
        for piece, judgement, text, start in before.values():
            pairs = candidates(judgement, self._question, banned)
            for chosen in (pairs, pairs[:1]):
                end = start + len(piece.text)
                changed = with_fixes(text, [fix for _, fix in chosen], start, end) if chosen else None
                if changed is not None:
                    tried.append((piece, piece.text, [finding for finding, _ in chosen]))
                    piece.text = changed
                    break
        if not tried or not self._budget.spend(""):
            return False
        after = self._judged_together()
        is_better = False
        for piece, old, findings in tried:
            reason = why_not(before[id(piece)].judgement, after[id(piece)].judgement)
            if reason:
                piece.text = old
                self._unfixed += [Unfixed(finding, reason) for finding in findings]
            else:
                self._fixed += findings
                is_better = True
        return is_better

    def _judged_together(self) -> dict[int, _Judged]:
        """Each piece, by its identity, with the findings about its objects among all others."""
        loaded = reloaded(self._loaded, self._files)
        homes: dict[Document, tuple[Piece, str, int]] = {}
        prototypes: dict[Document, Sequence[Finding]] = {}
        starts = {key: file.starts() for key, file in self._files.items()}
        texts = {key: file.text for key, file in self._files.items()}
        for old, new in zip(self._loaded, loaded, strict=True):
            if not isinstance(old, Document) or not isinstance(new, Document):
                continue
            if old in self._prototypes:
                prototypes[new] = self._prototypes[old]
            elif old.text is not None:
                key = id(old.text)
                homes[new] = (starts[key][new.base], texts[key], new.base)
        question = self._question
        found: dict[int, _Judged] = {}
        for number, gates in enumerate(question.servers):
            judged = judge_all(
                loaded,
                gates,
                question.labels,
                question.checks,
                question.past,
                prototypes,
                field_validation=question.field_validation,
                cap=Cap(),
            )
            for entry in judged:
                if not isinstance(entry.item, Document) or entry.item not in homes:
                    continue
                piece, text, start = homes[entry.item]
                empty = [list[Finding]() for _ in question.servers]
                known = found.setdefault(id(piece), _Judged(piece, empty, text, start))
                known.judgement[number].extend(entry.findings)
        return found
