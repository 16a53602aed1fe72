"""Expressions in a link are DeviceClasses that say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dractl
from dractl.api import release
from dractl.sharing.selectors import classes_of
from tests.reading import read_all_yaml


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=3))
def test_a_class_has_the_expression(expressions: list[str]) -> None:
    (file,) = classes_of(expressions, release.NEWEST)
    found = [value["spec"]["selectors"][0]["cel"]["expression"] for value in read_all_yaml(file.text)]
    assert found == expressions


@pytest.mark.parametrize("minor", release.KNOWN[1:], ids=str)
def test_a_class_is_valid_in_each_minor(minor: release.Minor) -> None:
    (file,) = classes_of(['device.driver == "a"', "true"], minor)
    report = dractl.validate(file.text, kube_version=str(minor))
    assert report.ok
    assert not any(found.rule.startswith(("document/", "decode/", "cel/")) for found in report.findings)


def test_a_release_without_classes_has_none() -> None:
    assert classes_of(["true"], release.KNOWN[0]) == ()
