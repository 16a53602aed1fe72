"""The table of settings: its examples are valid, its options exist, and its schema is that of editors."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

from dractl.cli.options import fields
from dractl.cli.settings.files import ConfigFile
from dractl.cli.settings.schema import config_schema
from dractl.cli.settings.table import OWN, SHARED, Setting, settings_of
from dractl.cli.settings.values import from_file
from dractl.source.bounds import Bounds
from tests.cli.option_classes import OPTION_CLASSES
from tests.rows import each_row

EACH = {
    name.removesuffix("Options").removesuffix("Check").lower(): kind for name, kind in OPTION_CLASSES.items()
}
ROWS = [*(("", row) for row in SHARED), *((command, row) for command, rows in OWN.items() for row in rows)]


@pytest.mark.parametrize(("command", "row"), ROWS, ids=[f"{command}.{row.key}" for command, row in ROWS])
def test_an_example_is_valid(command: str, row: Setting, tmp_path: Path) -> None:
    data = tomllib.loads(f"{row.key} = {row.example}\n")
    document = {command: data} if command else data
    jsonschema.validate(document, config_schema())
    file = ConfigFile("dractl.toml", "", (), str(tmp_path), Bounds(frozenset((str(tmp_path),))))
    assert from_file(row, data[row.key], file) not in (None, ())


@each_row("command", OWN)
def test_every_own_key_is_an_option_of_its_command(command: str) -> None:
    known = fields(EACH[command])
    assert [row.key for row in OWN[command] if row.field not in known] == []
    assert len(settings_of(command, known)) == len(set(settings_of(command, known)))


def test_every_shared_key_is_an_option_of_some_command() -> None:
    for row in SHARED:
        assert any(row.field in fields(EACH[command]) for command in OWN), row.key


def test_an_unknown_key_is_not_valid_in_an_editor() -> None:
    validator = jsonschema.Draft7Validator(config_schema())
    assert not validator.is_valid({"strikt": True})
    assert not validator.is_valid({"simulate": {"strikt": True}})
    assert not validator.is_valid({"strict": 1})
