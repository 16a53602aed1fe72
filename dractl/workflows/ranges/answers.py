"""Why something waits under several Kubernetes minors: each answer once, with the minors that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps

from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.workflows.questions import Why
from dractl.workflows.ranges.groups import Shared, grouped

__all__ = ["SCHEMA", "Answered", "WhyMatrix"]

SCHEMA = "dractl.why-matrix/1"

_NOT_PENDING = "not Pending"


class Answered(NamedTuple):
    """What one minor answers about a subject: an answer, or the message in its place."""

    subject: str
    why: Why | None
    message: str = ""

    def to_dict(self) -> JsonDict:
        """The subject, with the document of the answer or the message."""
        return {
            "subject": self.subject,
            "answer": None if self.why is None else self.why.to_dict(),
            "message": self.message or None,
        }


class WhyMatrix(NamedTuple):
    """The answers of several minors, oldest first; a text is why a minor has none."""

    answers: Mapping[Minor, Sequence[Why] | str]
    overrides: Mapping[str, bool]

    @property
    def is_found(self) -> bool:
        """Whether each minor has what was asked about."""
        return not any(isinstance(found, str) for found in self.answers.values())

    @property
    def ok(self) -> bool:
        """Whether nothing waits in any minor."""
        return not any(
            entry.explanation is not None
            for found in self.answers.values()
            if not isinstance(found, str)
            for entry in found
        )

    def by_subject(self) -> list[dict[Minor, Answered]]:
        """The answers of all minors about each subject, in the order of the newest minor."""
        listed = {
            minor: {} if isinstance(found, str) else {entry.subject: entry for entry in found}
            for minor, found in self.answers.items()
        }
        subjects = dict.fromkeys(subject for minor in reversed(listed) for subject in listed[minor])
        return [
            {minor: _answered(subject, self.answers[minor], listed[minor]) for minor in self.answers}
            for subject in subjects
        ]

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl why … --kube-version 1.33..1.37 --format json``."""
        groups: list[Shared[Answered]] = [
            group
            for of_minor in self.by_subject()
            for group in grouped(of_minor, lambda found: dumps(found.to_dict(), sort_keys=True))
        ]
        return {
            "schema": SCHEMA,
            "kubeVersions": [minor.version for minor in self.answers],
            "featureGates": dict(sorted(self.overrides.items())),
            "answers": [{"kubeVersions": each.kube_versions, **each.result.to_dict()} for each in groups],
        }


def _answered(subject: str, found: Sequence[Why] | str, by_subject: Mapping[str, Why]) -> Answered:
    if isinstance(found, str):
        return Answered(subject, None, found)
    why = by_subject.get(subject)
    return Answered(subject, why, "" if why is not None else _NOT_PENDING)
