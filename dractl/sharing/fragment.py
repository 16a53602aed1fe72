"""The fragment of a link: ``v1.`` and the compressed JSON of files, a release and its gates.

A browser keeps the fragment of an address to itself, so no server receives what is in it.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from typing import Literal, get_args

from dractl.api import budgets
from dractl.records import NamedTuple

__all__ = ["VIEWS", "ShareError", "SharedFile", "SharedWorld", "View", "decode", "encode", "too_large"]

View = Literal["findings", "placements", "why", "selectors", "picture"]

VIEWS: tuple[View, ...] = get_args(View)
"""What the playground can open with."""

_PREFIX = "v1."
_RAW_DEFLATE = -15
_UNIT = 1024 * 1024
_ALPHABET = re.compile(r"[A-Za-z0-9_-]*")
_VERSION = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}(\.[0-9]{1,4})?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_GATE = re.compile(r"[A-Za-z0-9]{1,200}")
_LONGEST_NAME = 1_000


class ShareError(ValueError):
    """Files that no link can hold, or a fragment that is not that of a link; the message gives the reason."""


class SharedFile(NamedTuple):
    """A file in a link: its name, a relative path, and its text."""

    name: str
    text: str


class SharedWorld(NamedTuple):
    """What a link opens: files, and the release, the feature gates and the view to open them with.

    Empty values mean those of the playground itself.
    """

    files: tuple[SharedFile, ...]
    kube_version: str = ""
    feature_gates: Mapping[str, bool] = {}
    view: View | Literal[""] = ""


def encode(world: SharedWorld) -> str:
    """The fragment that holds ``world``, without the ``#``.

    It is base64url without padding of raw DEFLATE of JSON in UTF-8. Raises ShareError for what
    :func:`decode` would not accept.
    """
    _check(world)
    document: dict[str, object] = {"files": [file._asdict() for file in world.files]}
    if world.kube_version:
        document["kubeVersion"] = world.kube_version
    if world.feature_gates:
        document["featureGates"] = dict(world.feature_gates)
    if world.view:
        document["view"] = world.view
    try:
        data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise ShareError("a file has characters that UTF-8 cannot represent") from None
    if len(data) > _limit():
        raise ShareError(too_large(len(data)))
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE)
    packed = packer.compress(data) + packer.flush()
    return _PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(fragment: str) -> SharedWorld:
    """What ``fragment`` holds, with or without its ``#``; raises ShareError for anything but a valid one.

    Never makes more of it than the largest world: a fragment is a stranger's.
    """
    text = fragment.removeprefix("#")
    if not text.startswith(_PREFIX):
        raise ShareError(f"the link must begin with #{_PREFIX}, or was made by a newer version")
    document = _parsed(_unpacked(text.removeprefix(_PREFIX)))
    world = SharedWorld(
        _files_in(document),
        _text(document, "kubeVersion"),
        _gates_in(document),
        _view(_text(document, "view")),
    )
    _check(world)
    return world


def too_large(size: int) -> str:
    """The message for files of ``size`` bytes."""
    return budgets.SHARED_SIZE.message(size=f"{size / _UNIT:.1f}")


def _limit() -> int:
    return budgets.SHARED_SIZE.value * _UNIT


def _unpacked(text: str) -> bytes:
    # Four characters stand for three bytes, and DEFLATE adds a few bytes to data that it cannot compress.
    if len(text) > 2 * _limit():
        raise ShareError("the link is longer than any valid one")
    if not _ALPHABET.fullmatch(text):
        raise ShareError("the link has characters that are not base64url")
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacker = zlib.decompressobj(_RAW_DEFLATE)
        data = unpacker.decompress(packed, _limit() + 1)
    except (binascii.Error, zlib.error):
        raise ShareError("the link is damaged; copy all of it") from None
    if len(data) > _limit():
        raise ShareError(budgets.SHARED_SIZE.message(size=f"more than {budgets.SHARED_SIZE.value}"))
    if not unpacker.eof or unpacker.unused_data:
        raise ShareError("the link is damaged; copy all of it")
    return data


def _parsed(data: bytes) -> Mapping[str, object]:
    try:
        document: object = json.loads(data.decode())
    except (ValueError, RecursionError):  # of text, of JSON, of an endless integer
        raise ShareError("the link does not hold valid JSON") from None
    if not isinstance(document, dict):
        raise ShareError("the link must hold a JSON object")
    return document


def _files_in(document: Mapping[str, object]) -> tuple[SharedFile, ...]:
    entries = document.get("files")
    if not isinstance(entries, list):
        raise ShareError("files must be a list")
    return tuple(map(_file, entries))


def _file(entry: object) -> SharedFile:
    if not isinstance(entry, dict):
        raise ShareError("files must hold objects, each with its name and text")
    name, text = entry.get("name"), entry.get("text")
    if not isinstance(name, str) or not isinstance(text, str):
        raise ShareError("the name and the text of a file must be strings")
    return SharedFile(name, text)


def _text(document: Mapping[str, object], key: str) -> str:
    found = document.get(key, "")
    if not isinstance(found, str):
        raise ShareError(f"{key} must be a string")
    return found


def _gates_in(document: Mapping[str, object]) -> Mapping[str, bool]:
    found = document.get("featureGates", {})
    if not isinstance(found, dict) or not all(isinstance(is_on, bool) for is_on in found.values()):
        raise ShareError("featureGates must be an object of true and false")
    return found


def _view(name: str) -> View | Literal[""]:
    for view in VIEWS:
        if view == name:
            return view
    if name:
        raise ShareError(f"view must be one of {', '.join(VIEWS)}")
    return ""


def _check(world: SharedWorld) -> None:
    """Raise ShareError for a world that no link may hold."""
    if not world.files:
        raise ShareError("files must not be empty")
    if len(world.files) > budgets.SHARED_FILES.value:
        raise ShareError(budgets.SHARED_FILES.message(size=f"{len(world.files):,}"))
    names = [file.name for file in world.files]
    for name in names:
        if not _is_relative(name):
            raise ShareError("the name of a file must be a relative path without .. and control characters")
    if len(set(names)) < len(names):
        raise ShareError("two files have the same name")
    if world.kube_version and not _VERSION.fullmatch(world.kube_version):
        raise ShareError("kubeVersion must be a version such as 1.36 or 1.36.1")
    for gate in world.feature_gates:
        if not _GATE.fullmatch(gate):
            raise ShareError("featureGates must name gates by letters and digits")
    if world.view:
        _view(world.view)
    for text in (text for file in world.files for text in file):
        if not _is_storable(text):
            raise ShareError("a file has characters that UTF-8 cannot represent")


def _is_relative(name: str) -> bool:
    parts = name.split("/")
    is_plain = len(name) <= _LONGEST_NAME and not _CONTROL.search(name) and "\\" not in name
    return is_plain and not {"", ".", ".."} & set(parts)


def _is_storable(text: str) -> bool:
    """Whether a text has no lone surrogate, as JSON may spell one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
