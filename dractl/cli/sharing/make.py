"""From the files of a run to their link, and to what the user should know about it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.cli.inputs import Inputs
from dractl.cli.options import fields
from dractl.cli.server import UsageError
from dractl.cli.settings.table import option_of
from dractl.cli.sharing.link import Link
from dractl.finding import SITE
from dractl.records import NamedTuple
from dractl.report.style import path
from dractl.report.text import counted
from dractl.sharing.fragment import SharedFile, SharedWorld, ShareError, View, encode, too_large
from dractl.sharing.names import shared_names
from dractl.source.document import Document
from dractl.source.text import SourceError, decode

if TYPE_CHECKING:
    from dractl.cli.cluster_options import SimulateOptions, WhyOptions
    from dractl.cli.options import CelOptions, ValidateOptions

    Sharing = ValidateOptions | SimulateOptions | WhyOptions | CelOptions
    """The options of a command that has ``--share``."""

__all__ = ["PLAYGROUND", "link_to"]

PLAYGROUND = f"{SITE}play/"
"""The playground of the published documentation."""

_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?@!$&'()*+,;=%\[\]-]+")

_HEAD = ("apiVersion", "kind")
_SECRET = "Secret"  # noqa: S105 - a kind

_NOT_SHARED = (
    "namespace_labels",
    "dialect",
    "lenient",
    "old",
    "since",
    "subresource",
    "field_validation",
    "config_schema",
    "select",
    "ignore",
    "per_file_ignores",
    "baseline",
    "external",
    "scheduler_version",
    "scheduler_feature_gates",
    "node_order",
    "replicas",
    "allocate_unreferenced",
    "scenario",
)
"""The fields of options that change a result, and that no link holds."""


def _address_in(options: Sharing) -> str:
    """The address of the playground; raises UsageError for one that a browser would not open."""
    given = options.playground
    if given is None:
        return PLAYGROUND
    if not _ADDRESS.fullmatch(given):
        raise UsageError("--playground", "must be an http or https address without a fragment")
    return given


def link_to(
    inputs: Inputs | None,
    options: Sharing,
    gates: GateSet,
    view: View,
    more: tuple[SharedFile, ...] = (),
) -> Link:
    """The link to ``more`` files and then what was read, with the release and gates of the run.

    Raises UsageError for an invalid address, for no file, and for more than a link can hold.
    """
    address = _address_in(options)
    contents = {} if inputs is None else inputs.contents
    size = sum(map(len, contents.values()))
    if size > budgets.SHARED_SIZE.value * 1024 * 1024:
        raise UsageError("--share", too_large(size))
    collected = _collected(contents, _by_file(inputs))
    names = shared_names(list(collected.texts), [file.name for file in more])
    texts = (*collected.texts.values(), *(file.text for file in more))
    own = len(collected.texts)
    pairs = tuple(map(SharedFile, names, texts))
    files = (*pairs[own:], *pairs[:own])
    if not files:
        raise UsageError("--share", "the input has no text that a link could hold")
    try:
        link = f"{address}#{encode(SharedWorld(files, gates.minor.version, gates.overrides, view))}"
    except ShareError as error:
        raise UsageError("--share", str(error)) from None
    notices = (*collected.notices, *_notices(options, files, link))
    return Link(link, () if options.quiet else notices)


class _Collected(NamedTuple):
    """The texts of files by name, and what to print about the others and about secrets."""

    texts: Mapping[str, str]
    notices: Sequence[str]


def _collected(contents: Mapping[str, bytes], documents: Mapping[str, Sequence[Document]]) -> _Collected:
    texts: dict[str, str] = {}
    notices = []
    for name, data in contents.items():
        source = decode(data, name)
        known = documents.get(name, ())
        if isinstance(source, SourceError):
            notices.append(f"--share: the link leaves out {path(name)}: it is not text")
        elif known and not any(map(_is_used, known)):
            notices.append(f"--share: the link leaves out {path(name)}: dractl uses no object of it")
        else:
            texts[name] = source.text
            if any(_kind(item) == _SECRET for item in known):
                notices.append(f"warning: --share: {path(name)} has a Secret, which the link holds too")
    return _Collected(texts, notices)


def _by_file(inputs: Inputs | None) -> Mapping[str, Sequence[Document]]:
    """The documents of each file that has some."""
    found: defaultdict[str, list[Document]] = defaultdict(list)
    for item in () if inputs is None else (*inputs.world, *inputs.loaded):
        if isinstance(item, Document):
            found[item.file].append(item)
    return found


def _is_used(document: Document) -> bool:
    """Whether dractl looks at a document: it is an object of Kubernetes, and no Secret."""
    value: object = document.value
    return isinstance(value, dict) and not value.keys().isdisjoint(_HEAD) and _kind(document) != _SECRET


def _kind(document: Document) -> object:
    value: object = document.value
    return value.get("kind") if isinstance(value, dict) else None


def _notices(options: Sharing, files: tuple[SharedFile, ...], link: str) -> list[str]:
    kind = type(options)
    found = [
        f"--share: the playground has no {option_of(field)}, so its result can differ"
        for field in _NOT_SHARED
        if field in fields(kind) and getattr(options, field) != getattr(kind, field)
    ]
    if len(link) > budgets.SHARED_LINK.value:
        found.append(f"warning: {budgets.SHARED_LINK.message(size=f'{len(link):,}')}")
    text = f"the text of {counted(len(files), 'file')}"
    return [*found, f"the link holds {text}; whoever has it can read {'it' if len(files) == 1 else 'them'}"]
