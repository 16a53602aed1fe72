"""Compares warnings, their number and their texts, with those of the real Kubernetes code, minor by minor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from dractl.admission.framework.warning import warned
from dractl.api import release
from dractl.api.release import Minor
from tests import oracle
from tests.admission.excerpts import cases_of_rule
from tests.admission.seeds import STEMS, has_seeds, seeds
from tests.admission.test_differential import LABELS, Request, creates, updates
from tests.admission.warnings.objects import kind_of, warnings_about

# What docs/concepts/exactness.md lists as left out.
LEFT_OUT = re.compile(
    r"metadata\.annotations\[|volume \""
    r"|[\w.]*spec\.(volumes|hostAliases|imagePullSecrets|dnsConfig|terminationGracePeriodSeconds)\b"
    r"|[\w.]*spec\.\w*[cC]ontainers\[\d+\]\.(env|ports)\["
)

MINORS = [
    pytest.param(
        minor,
        marks=pytest.mark.skipif(
            oracle.binary(str(minor)) is None,
            reason=f"$DRACTL_ORACLE names no folder with the Kubernetes code of {minor}",
        ),
        id=str(minor),
    )
    for minor in release.KNOWN
]


def _compared(minor: Minor, requests: list[Request]) -> Iterator[tuple[list[str], list[str]]]:
    """The texts of the real code and of dractl for all objects that the real code accepts."""
    program = oracle.binary(str(minor))
    assert program is not None
    answers = oracle.ask(program, (request | {"detail": True} for request in requests))
    for request, answer in zip(requests, answers, strict=True):
        if any(answer.get(key) for key in ("error", "api_error", "errors", "decode_errors")):
            continue
        if answer.get("gvk") is None or not _has_kinds(minor, request):
            continue
        theirs = [text for text in answer.get("warning_texts") or () if not LEFT_OUT.match(text)]
        yield sorted(theirs), sorted(_texts(minor, request))


def _has_kinds(minor: Minor, request: Request) -> bool:
    return all(kind_of(minor, json.loads(request[key])) for key in ("manifest", "old") if key in request)


def _texts(minor: Minor, request: Request) -> list[str]:
    found = warnings_about(
        json.loads(request["manifest"]),
        minor=minor,
        old=json.loads(request["old"]) if "old" in request else None,
        subresource=request["subresource"],
        overrides=request["gates"],
        namespaces=request["namespace_labels"],
    )
    return [warning.text for warning in found]


def _stems(minor: Minor) -> list[str]:
    return [stem for stem in STEMS if has_seeds(stem, minor)]


def _seeds(minor: Minor) -> Iterator[Request]:
    for stem in _stems(minor):
        if not stem.endswith("-status"):
            for manifest in seeds(stem, minor):
                yield oracle.validate(json.dumps(manifest), namespace_labels=LABELS)


def _excerpts(minor: Minor) -> Iterator[Request]:
    for rows in warned().values():
        for row in rows:
            for case in cases_of_rule(row):
                manifest: dict[str, Any] = case.manifest
                if kind_of(minor, manifest) is not None:
                    yield oracle.validate(json.dumps(manifest), gates={})


@pytest.mark.parametrize("minor", MINORS)
def test_deprecated_versions_are_those_of_the_real_code(minor: Minor) -> None:
    program = oracle.binary(str(minor))
    assert program is not None
    requests = list(_seeds(minor))
    for request, answer in zip(requests, oracle.ask(program, requests), strict=True):
        kind = kind_of(minor, json.loads(request["manifest"]))
        assert kind is not None
        is_deprecated = bool(kind.deprecated_in) and minor.within(release.at(kind.deprecated_in), None)
        assert is_deprecated is bool(answer.get("deprecated")), (kind.api_version, kind.kind)
        assert not is_deprecated or not kind.served_by_default
        assert not is_deprecated or (kind.removed_in or None) == answer.get("removed_in")


@pytest.mark.parametrize("minor", MINORS)
def test_warnings_about_seeds_and_excerpts_are_those_of_the_real_code(minor: Minor) -> None:
    compared = list(_compared(minor, [*_seeds(minor), *_excerpts(minor)]))
    assert [(theirs, ours) for theirs, ours in compared if theirs != ours] == []
    assert any(theirs for theirs, _ in compared)


@pytest.mark.parametrize("minor", MINORS)
def test_warnings_about_new_objects_are_those_of_the_real_code(minor: Minor) -> None:
    stems = [stem for stem in _stems(minor) if not stem.endswith("-status")]
    requests = [request for stem in stems for request in creates(minor, stem)]
    compared = list(_compared(minor, requests))
    assert [(theirs, ours) for theirs, ours in compared if theirs != ours] == []
    assert any(theirs for theirs, _ in compared)


@pytest.mark.parametrize("minor", MINORS)
def test_warnings_about_changed_objects_are_those_of_the_real_code(minor: Minor) -> None:
    requests = [request for stem in _stems(minor) for request in updates(minor, stem)]
    compared = list(_compared(minor, requests))
    assert [(theirs, ours) for theirs, ours in compared if theirs != ours] == []
    assert compared
