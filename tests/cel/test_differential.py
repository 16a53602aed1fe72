"""Random expressions, judged by the real Kubernetes code where it is at hand (``$DRACTL_ORACLE``)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dractl.api import gates, release
from dractl.cel.compile import Environment, Selector, compile_selector
from tests import oracle
from tests.cel.differential import cases, compare, devices_of
from tests.cel.expressions import Generator

MINORS = ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")


def _batches() -> Iterator[object]:
    """A few hundred cases of each minor; more of the newest, for which all costs have to be right."""
    for minor in MINORS:
        missing = oracle.binary(minor) is None
        why = f"the real code of {minor} is not at hand: $DRACTL_ORACLE names no folder with oracle-{minor}"
        for seed in range(4 if minor == MINORS[-1] else 1):
            yield pytest.param(
                minor, seed, id=f"{minor}-{seed}", marks=pytest.mark.skipif(missing, reason=why)
            )


@pytest.mark.parametrize(("minor", "seed"), list(_batches()))
def test_random_expressions_get_the_real_verdict(minor: str, seed: int) -> None:
    figures = compare(minor, cases(minor, seed, 400))
    assert figures.differences == []
    assert figures.counts["expressions"] == 400


def test_the_generator_makes_all_sorts_of_expressions() -> None:
    generator = Generator(0)
    texts = [generator.expression() for _ in range(300)]
    environment = Environment(release.NEWEST, gates.resolve(release.NEWEST), stored=True)
    compiled = [text for text in texts if isinstance(compile_selector(text, environment), Selector)]
    assert 0.5 < len(compiled) / len(texts) < 0.95
    assert len(set(texts)) > 250


def test_equal_seeds_make_equal_expressions() -> None:
    assert [Generator(5).expression() for _ in range(3)] == [Generator(5).expression() for _ in range(3)]


def test_cases_try_both_environments_and_all_gates_of_the_minor() -> None:
    tried = cases("1.36", 0, 20)
    assert {case.stored for case in tried} == {True, False}
    assert {gate for case in tried for gate in case.gates} == {
        "DRAListTypeAttributes",
        "DRAConsumableCapacity",
    }
    assert {tuple(case.gates) for case in cases("1.33", 0, 20)} == {()}


@pytest.mark.parametrize(("minor", "lists"), [("1.35", {False}), ("1.36", {False, True}), ("1.37", {True})])
def test_devices_have_lists_only_where_the_minor_knows_them(minor: str, lists: set[bool]) -> None:
    found = {
        any("strings" in value for value in devices_of(minor, case)[0]["attributes"].values())
        for case in cases(minor, 0, 20)
    }
    assert found == lists
