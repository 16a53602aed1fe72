"""Whatever is refused in manifests changed at random is refused by a rule, of its type and at its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dractl.admission.admit import admit
from dractl.admission.framework.rule import declared, pattern_of
from dractl.admission.framework.server import Admission, Server
from dractl.admission.status_update import admit_status
from dractl.admission.update import admit_update, stored_object
from dractl.api import gates, release
from dractl.api.errors import FieldError
from dractl.api.release import Minor
from dractl.versions.layout import internal_text
from dractl.versions.registry import Standing, look_up
from dractl.versions.table import Kind
from tests.admission.mutation import Mutator
from tests.admission.seeds import STEMS, has_seeds, seeds

CASES = 150


def admissions(minor: Minor, stem: str) -> Iterator[Admission]:
    """What a server makes of new, changed and reported objects."""
    mutator = Mutator(seeds(stem, minor), 3, minor)
    for _ in range(CASES):
        server = Server(minor, gates.resolve(minor, mutator.gates()), {}, "*")
        new, old = mutator.pair()
        kind, before = _kind(minor, new), _kind(minor, old)
        if kind is None or before is None or kind.type != before.type:
            continue
        yield admit(server, kind, new)
        write = admit_status if stem.endswith("-status") else admit_update
        yield write(server, kind, new, stored_object(server, kind, old))


def _kind(minor: Minor, manifest: dict[str, Any]) -> Kind | None:
    found = look_up(minor, manifest)
    return found.kind if found.standing is Standing.KNOWN else None


def complaint(minor: Minor, kind: Kind, error: FieldError) -> str:
    """What the row of an error does not know of it; empty if nothing."""
    rows = [row for row in declared().get(error.rule, []) if row.applies(minor)]
    if len(rows) != 1 or kind.kind not in _with_templates(rows[0].kinds):
        return f"{error.rule} is no rule of {kind.kind}"
    if minor != release.NEWEST:
        # Type and place are those of the row but for the manners of the minor.
        return "" if error.message else f"{error.rule} says nothing"
    if error.type not in rows[0].types:
        return f"{error.rule} has no {error.type}"
    texts = {str(error.path), internal_text(kind.api_version, kind.kind, error.path)}
    if kind.kind == "ResourceClaimTemplate":
        texts = {text.replace("spec.spec.", "spec.", 1) for text in texts}
    if not {pattern_of(text) for text in texts} & {pattern_of(at) for at in rows[0].at}:
        return f"{error.rule} does not speak of {texts}"
    return "" if error.message else f"{error.rule} says nothing"


def _with_templates(kinds: tuple[str, ...]) -> tuple[str, ...]:
    return (*kinds, "ResourceClaimTemplate") if "ResourceClaim" in kinds else kinds


@pytest.mark.slow
@pytest.mark.parametrize(("minor", "stem"), [(m, s) for m in release.KNOWN for s in STEMS if has_seeds(s, m)])
def test_errors_are_those_of_the_table(minor: Minor, stem: str) -> None:
    found = [(admission.kind, error) for admission in admissions(minor, stem) for error in admission.errors]
    assert {complaint(minor, kind, error) for kind, error in found} == {""}
    assert len(found) > 10
