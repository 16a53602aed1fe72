"""Documents to findings: decode, admit, place, count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from dractl.admission.admit import Admission, Server, admit
from dractl.api.arguments import FieldValidation
from dractl.api.errors import FieldError
from dractl.api.gates import GateSet
from dractl.cel.common.work import WORK
from dractl.cluster.namespaces import Labels, Namespaces, namespace_in
from dractl.finding import Finding
from dractl.lint import changes, notes
from dractl.lint.base import placing
from dractl.lint.capped import Cap, Unlisted
from dractl.lint.cel.selectors import selectors_in
from dractl.lint.earlier import Earlier
from dractl.lint.report import Report, Summary
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded, PathError
from dractl.source.text import SourceError
from dractl.versions.layout import steps_in_version
from dractl.versions.registry import DRA_GROUP, Standing, look_up, type_meta
from dractl.versions.table import Kind, tables
from dractl.workflows.like_devices import LikeDevices
from dractl.workflows.spreading import Verdict, verdicts

if TYPE_CHECKING:
    from dractl.lint.base.elsewhere import Elsewhere, External

__all__ = [
    "Admitted",
    "Check",
    "Counted",
    "EarlierState",
    "Judged",
    "Labels",
    "Namespaces",
    "PrototypeFindings",
    "admit_all",
    "judge_all",
    "namespace_in",
    "summary_of",
    "validate",
]

Check = Callable[[Document], Iterable[Finding]]
"""A check of one document in addition to the verdict of the server."""

PrototypeFindings = Mapping[Document, Sequence[Finding]]
"""Documents that no API server serves, with the findings of the code that validates them."""


class Admitted:
    """A document with what the server makes of it; ``admission`` is None if its kind is not read."""

    __slots__ = ("admission", "document", "findings")

    def __init__(self, document: Document, admission: Admission | None, findings: list[Finding]) -> None:
        """Hold a document and its findings."""
        self.document = document
        self.admission = admission
        self.findings = findings


class EarlierState(NamedTuple):
    """What an update starts from: the objects of an earlier state, and whether the status is written."""

    earlier: Earlier
    subresource: str = ""


def admit_all(
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    past: EarlierState | None = None,
    field_validation: FieldValidation = "strict",
    around: Iterable[Document] = (),
) -> list[Admitted]:
    """Every document among ``loaded`` with what a server with ``gates`` makes of it, in order.

    With a ``past`` an object that it holds is updated; the others are created. ``field_validation`` other
    than ``strict`` drops unknown and duplicate fields. ``around`` are further objects, for their namespaces.
    """
    everything = list(loaded)
    namespaces = Namespaces(namespace_labels, (*around, *everything))
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    like = LikeDevices()

    def verdict(document: Document) -> Verdict:
        reduced = like.without_known(document) if past is None else None
        if reduced is not None:
            admission, findings = _verdict(reduced, gates, namespaces, now, past, field_validation)
            if admission is not None and like.complete(document, reduced, admission, findings):
                return admission, []
        admission, findings = _verdict(document, gates, namespaces, now, past, field_validation)
        if admission is not None:
            like.learn(document, admission, findings)
        return admission, findings

    documents = [item for item in everything if isinstance(item, Document)]
    # What an update starts from remembers which objects were asked for, which other processes cannot tell it.
    found = verdicts(gates.minor, documents, verdict) if past is None else map(verdict, documents)
    return [Admitted(document, *one) for document, one in zip(documents, found, strict=True)]


_WITHOUT_WARNINGS = frozenset(
    {"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourcePoolStatusRequest"}
)
"""The kinds that no server warns about."""


def _verdict(
    document: Document,
    gates: GateSet,
    namespaces: Namespaces,
    now: str,
    past: EarlierState | None,
    field_validation: FieldValidation,
) -> Verdict:
    lookup = look_up(gates.minor, document.value)
    if lookup.standing is not Standing.KNOWN or lookup.kind is None:
        return None, _with_version_fix(notes.about_lookup(document, lookup), document, gates, now)
    labels = namespaces.around(namespace_in(document.value))
    server = Server(gates.minor, gates, labels, now)
    kind = lookup.kind
    admission, about_past = _judge(server, kind, document, past)
    if admission.problems:
        from dractl.lint.decode_errors import explain as mistakes  # only where something does not decode

        def judge(value: object) -> Admission:
            return _judge(server, kind, Document(value, file=document.file), past)[0]

        if field_validation == "strict":
            findings = mistakes.explained(document, admission, judge)
        else:
            from dractl.lint.decode_errors import dropped_fields

            findings = mistakes.explained(document, admission, judge, is_lenient=True)
            findings = dropped_fields.downgraded(findings, field_validation)
            admission.problems = [problem for problem in admission.problems if problem.kind == "fatal"]
    else:
        findings = [_of_error(document, kind, error) for error in admission.errors]
    about = notes.about_admission(document, admission, namespace_known=labels is not None)
    findings += _with_version_fix(about, document, gates, now)
    if admission.accepted and kind.kind not in _WITHOUT_WARNINGS:
        from dractl.lint import server_warnings  # many inputs have no such objects

        findings += server_warnings.about_warnings(server, document, admission)
    if past is None and not admission.problems:
        from dractl.lint import later_minors, unallocatable  # the others are loaded by now

        findings += later_minors.about_later(server, document, admission)
        findings += unallocatable.about_unallocatable(document, admission)
    selectors = list(selectors_in(admission)) if admission.accepted else ()
    if selectors:
        from dractl.lint.cel import standalone as cel_alone  # many inputs have no selectors

        findings += cel_alone.about_selectors(document, admission, selectors, gates)
    return admission, findings + about_past


_WITH_FIX = frozenset({"device/attr-version"})
"""Rules of the API server whose findings may have a fix."""

_VERSION_RULES = frozenset({"version/not-served-by-default", "version/unserved"})


def _of_error(document: Document, kind: Kind, error: FieldError) -> Finding:
    found = placing.of_error(document, kind, error, after_decode=False)
    if error.rule not in _WITH_FIX:
        return found
    from dractl.lint.fixes.value_fixes import FIXERS  # nearly all objects are right

    steps = steps_in_version(kind.api_version, kind.kind, (error.place or error.path).steps())
    return found._replace(fix=FIXERS[error.rule](document, steps, error.bad_value))


def _with_version_fix(findings: list[Finding], document: Document, gates: GateSet, now: str) -> list[Finding]:
    """The findings, with the fix of the API version where they are about that."""
    if not any(finding.rule in _VERSION_RULES for finding in findings):
        return findings
    from dractl.lint.fixes.version_fixes import served_version, version_fix, with_version

    minor = gates.minor
    version = served_version(document.value, minor)
    if version is None:
        return findings
    # A body of the newer version under the name of the older one only needs the name.
    kind = tables(minor).kinds[version, str(type_meta(document.value).kind)]
    as_it_is = admit(Server(minor, gates, None, now), kind, with_version(document.value, version))
    fix = version_fix(document, minor, fits_as_it_is=as_it_is.accepted and not as_it_is.problems)
    return [finding._replace(fix=fix) if finding.rule in _VERSION_RULES else finding for finding in findings]


def _judge(
    server: Server, kind: Kind, document: Document, past: EarlierState | None
) -> tuple[Admission, list[Finding]]:
    """The document admitted as an update of its version in ``past``, otherwise as new, with its findings."""
    about_past: list[Finding] = []
    admission = None
    if past is not None:
        admission, about_past = changes.admit_change(server, kind, document, past.earlier, past.subresource)
    if admission is None:
        duplicates = frozenset(document.duplicates)
        admission = admit(server, kind, document.value, duplicates=duplicates, sorts_keys=True)
    return admission, about_past


_SAY_NOTHING_ALONE = frozenset({"ResourceClaim", "ResourceClaimTemplate", "DeviceClass"})


def _across(
    admitted: Sequence[Admitted], gates: GateSet, external: Sequence[External] = ()
) -> dict[int, list[Finding]]:
    """What does not fit together among the documents, by their number."""
    kinds = [entry.admission.kind.kind for entry in admitted if entry.admission is not None]
    if not kinds or (len(kinds) == 1 and kinds[0] in _SAY_NOTHING_ALONE and not _has_quota(admitted)):
        return {}
    from dractl.lint.cross_checks import findings_across  # one claim alone need not load it

    return findings_across(((entry.document, entry.admission) for entry in admitted), gates, external)


def _has_quota(admitted: Iterable[Admitted]) -> bool:
    values = (entry.document.value for entry in admitted)
    return any(isinstance(value, dict) and value.get("kind") == "ResourceQuota" for value in values)


class Counted(Protocol):
    """What a summary looks at."""

    @property
    def item(self) -> Document | SourceError:
        """The document or text."""

    @property
    def is_prototype(self) -> bool:
        """Whether it is validated as an object of a prototype API."""

    @property
    def is_object(self) -> bool:
        """Whether it has a verdict."""


class Judged(NamedTuple):
    """A document or an unreadable text, with its listed findings.

    ``errors`` are the first errors of the run of the kinds that it has, listed or not.
    """

    item: Document | SourceError
    admission: Admission | None
    findings: list[Finding]
    errors: tuple[Finding, ...]
    is_prototype: bool = False

    @property
    def is_object(self) -> bool:
        """Whether it has a verdict: its kind is read, or it is refused for what it seems to be."""
        if not isinstance(self.item, Document):
            return False
        return self.is_prototype or self.admission is not None or bool(self.errors)

    @property
    def is_partial(self) -> bool:
        """Whether the object, such as a pod, is only checked for structure and DRA fields."""
        return self.admission is not None and self.admission.kind.group != DRA_GROUP


@WORK.run()
def judge_all(  # noqa: PLR0913 - what a request, its server and its cluster are made of
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    checks: Iterable[Check] = (),
    past: EarlierState | None = None,
    prototypes: PrototypeFindings | None = None,
    *,
    field_validation: FieldValidation = "strict",
    elsewhere: Elsewhere | None = None,
    cap: Cap,
) -> list[Judged]:
    """The findings of each document and unreadable text in ``loaded``, in order; see :func:`validate`.

    ``cap`` keeps as many findings as a run lists, and counts the others.
    """
    further = tuple(checks)
    everything = [item for item in loaded if not isinstance(item, PathError)]
    known = prototypes or {}
    own = [item for item in everything if not (isinstance(item, Document) and item in known)]
    documents = (item for item in own if isinstance(item, Document))
    world = elsewhere.around(documents) if elsewhere is not None else []
    admitted = admit_all(own, gates, namespace_labels, past, field_validation, world)
    around = admit_all(world, gates, namespace_labels) if world else []
    across = _across([*admitted, *around], gates, elsewhere.external if elsewhere is not None else ())
    entries = enumerate(admitted)
    judged: list[Judged] = []

    def add(item: Document | SourceError, admission: Admission | None, found: Sequence[Finding]) -> None:
        kept = cap.kept(len(judged), found)
        judged.append(Judged(item, admission, kept, cap.errors(found), item in known))

    for item in everything:
        if isinstance(item, SourceError):
            add(item, None, [placing.of_source_error(item)])
            continue
        if item in known:
            if past is not None:
                # It still exists, although other code validates it.
                before = past.earlier.self_of(item)
                if before is not None and before.value != item.value:
                    add(item, None, [*known[item], changes.about_prototype(item)])
                    continue
            add(item, None, known[item])
            continue
        number, entry = next(entries)
        findings = [*entry.findings, *across.get(number, ())]
        for check in further:
            findings += check(entry.document)
        entry.findings = []
        add(item, entry.admission, findings)
    return judged


def validate(
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    checks: Iterable[Check] = (),
    past: EarlierState | None = None,
    prototypes: PrototypeFindings | None = None,
    *,
    field_validation: FieldValidation = "strict",
    elsewhere: Elsewhere | None = None,
) -> Report:
    """The verdict of a server with ``gates`` on every document, taken as new or, with a ``past``, as changed.

    ``loaded`` may hold text that could not be read; paths that could not be opened are the caller's matter.
    What ``checks`` find in a document follows its verdict. Those of ``prototypes`` have theirs already.
    ``field_validation`` is that of the requests, as in the API. ``elsewhere`` has what exists besides the
    input: checks across objects look at it, too.
    """
    cap = Cap()
    judged = judge_all(
        loaded,
        gates,
        namespace_labels,
        checks,
        past,
        prototypes,
        field_validation=field_validation,
        elsewhere=elsewhere,
        cap=cap,
    )
    findings = [finding for entry in judged for finding in entry.findings]
    if past is not None:
        findings += cap.kept(len(judged), changes.about_gone(past.earlier))
    admissions = [entry.admission for entry in judged if entry.is_object]
    return Report(gates, summary_of(judged, findings, cap.unlisted), findings, admissions, cap.unlisted)


def summary_of(
    judged: Sequence[Counted], findings: Iterable[Finding], unlisted: Sequence[Unlisted]
) -> Summary:
    """The counts about documents, and about the ``findings`` that are reported or only counted."""
    objects = sum(1 for entry in judged if entry.is_object)
    documents = sum(1 for entry in judged if isinstance(entry.item, Document))
    counts = Summary(
        files=len({entry.item.file for entry in judged}),
        objects=objects,
        skipped=documents - objects,
        errors=0,
        warnings=0,
        prototypes=sum(1 for entry in judged if entry.is_prototype),
    )
    return counts.about(findings, unlisted)
