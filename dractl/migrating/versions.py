"""Objects in the newest API version that a minor serves, and the documents of files that have changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from dractl.api.path import path_text
from dractl.api.release import Minor
from dractl.conversion.documents import change_of
from dractl.conversion.result import ConvertedFile
from dractl.conversion.run import convert
from dractl.conversion.target import Target
from dractl.migrating.model import VERSION, Found, Left, Migrated
from dractl.migrating.reading import metadata_text, place, text_at
from dractl.source.document import Document
from dractl.source.load import Loaded, load_text
from dractl.upgrading.subjects import best_version
from dractl.versions.registry import DRA_GROUP, look_up

__all__ = ["followed_by", "in_newest", "loaded_after"]


def loaded_after(loaded: Iterable[Loaded], files: Mapping[int, ConvertedFile]) -> list[Loaded]:
    """``loaded`` with the documents of the changed ``files``, which are known by their text before."""
    found: list[Loaded] = []
    seen: set[int] = set()
    for item in loaded:
        text = id(item.text) if isinstance(item, Document) else 0
        if text not in files:
            found.append(item)
        elif text not in seen:
            seen.add(text)
            found += load_text(files[text].after, files[text].name)
    return found


def followed_by(
    files: Mapping[int, ConvertedFile], later: Mapping[int, ConvertedFile]
) -> dict[int, ConvertedFile]:
    """The files after a ``later`` step: what that changed of their new texts, it changed of them."""
    found = dict(files)
    origins = {id(file.after): key for key, file in files.items()}
    for key, file in later.items():
        origin = origins.get(key)
        if origin is None:
            found[key] = file
        else:
            first = found[origin]
            found[origin] = first._replace(after=file.after, notes=(*first.notes, *file.notes))
    return found


def in_newest(
    documents: Sequence[Document], written: Iterable[Document], minor: Minor, skipped: Collection[str]
) -> tuple[dict[int, ConvertedFile], Found]:
    """The files in which ``documents`` are in the version that ``minor`` serves, by their text before.

    What would lose a field stays, and is listed; rules of the names ``skipped`` stay without that. Places are
    those of the same objects as they were ``written``.
    """
    found = Found()
    wanted: dict[str, list[Document]] = {}
    origins = {_identity(document): document for document in written}
    for document in documents:
        api_version, kind = text_at(document.value, "apiVersion"), text_at(document.value, "kind")
        is_rule = kind == "DeviceTaintRule" and text_at(document.value, "metadata", "name") in skipped
        if not api_version.startswith(f"{DRA_GROUP}/") or is_rule:
            continue
        origin = origins.get(_identity(document), document)
        there = best_version(minor, kind)
        if there is None:
            reason = look_up(minor, document.value).message
            found = found.plus(Found(left=(Left(place(origin, ("apiVersion",)), VERSION, reason),)))
        elif there.api_version != api_version:
            reason = _losses(document, Target(there.api_version, minor))
            if reason:
                action = f"see dractl convert --to {there.api_version.rpartition('/')[2]} --diff --lossy"
                left = Left(place(origin, ("apiVersion",)), VERSION, reason, action)
                found = found.plus(Found(left=(left,)))
                continue
            wanted.setdefault(there.api_version, []).append(document)
            message = f"{api_version} to {there.api_version}"
            found = found.plus(Found((Migrated(place(origin, ("apiVersion",)), VERSION, message),)))
    return _converted(documents, wanted, minor), found


def _losses(document: Document, target: Target) -> str:
    """What a document would lose; empty if nothing."""
    return "; ".join(
        f"{path_text(loss.steps)}: {loss.reason}" if loss.steps else loss.reason
        for loss in change_of(document, target).losses
    )


def _converted(
    documents: Iterable[Document], wanted: Mapping[str, Collection[Document]], minor: Minor
) -> dict[int, ConvertedFile]:
    """The files after each conversion in turn."""
    files: dict[int, ConvertedFile] = {}
    current: list[Loaded] = list(documents)
    for api_version, chosen in wanted.items():
        keys = {_key(document) for document in chosen}
        texts = {id(item.text) for item in current if isinstance(item, Document) and _key(item) in keys}
        here = [item for item in current if isinstance(item, Document) and id(item.text) in texts]
        chosen_now = {id(item) for item in here if _key(item) in keys}
        done = convert(here, Target(api_version, minor), wanted=partial(_is_one_of, chosen_now))
        by_text = dict(zip(dict.fromkeys(id(item.text) for item in here), done.files, strict=True))
        current = loaded_after(current, by_text)
        files = followed_by(files, by_text)
    return files


def _is_one_of(chosen: Collection[int], document: Document) -> bool:
    return id(document) in chosen


def _identity(document: Document) -> tuple[str, str, str, str]:
    namespace, name = metadata_text(document, "namespace"), metadata_text(document, "name")
    return document.file, text_at(document.value, "kind"), namespace, name


def _key(document: Document) -> tuple[str, int, tuple[str | int, ...]]:
    return document.file, document.index, document.prefix
