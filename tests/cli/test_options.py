from __future__ import annotations

from typing import Any

import pytest

from dractl.cli.commands import app, driver
from dractl.cli.options import ConvertOptions, Options, ValidateOptions, fields
from dractl.cli.reference_options import RuleOptions
from dractl.report.formats import COMMANDS, names
from tests.cli.option_classes import OPTION_CLASSES

EACH = list(OPTION_CLASSES.values())


def _plain(command: str) -> str:
    return command.replace(" ", "").replace("_", "")


def _options_of(command: str) -> type[Options]:
    (found,) = (each for each in EACH if each.__name__.lower() == f"{_plain(command)}options")
    return found


def test_fields_come_in_order_or_by_name() -> None:
    given = ConvertOptions(["a.yaml"], "resource.k8s.io/v1", diff=True)
    assert (given.paths, given.to, given.diff) == (["a.yaml"], "resource.k8s.io/v1", True)
    assert (given.kube_version, given.exclude, given.lossy) == (None, (), False)


@pytest.mark.parametrize(
    ("values", "named", "wrong"),
    [
        ([], {}, "id"),
        (["a"], {"kind": "Pod"}, "kind"),
        (["a"], {"id": "b"}, "id"),
        (["a", "text", None, "more"], {}, "4 values"),
    ],
    ids=["missing", "unknown", "twice", "too many"],
)
def test_what_does_not_fit_is_refused(values: list[Any], named: dict[str, Any], wrong: str) -> None:
    with pytest.raises(TypeError, match=rf"RuleOptions: unexpected or missing options: {wrong}$"):
        RuleOptions(*values, **named)


def test_options_are_frozen() -> None:
    given = ValidateOptions(["a.yaml"])
    with pytest.raises(AttributeError, match=r"ValidateOptions\.strict is read-only"):
        given.strict = True  # type: ignore[misc]
    assert given.strict is False


@pytest.mark.parametrize("command", COMMANDS)
def test_the_first_format_is_the_default(command: str) -> None:
    found: Any = _options_of(command)
    first = names(COMMANDS[command])[0]
    assert found.report_format in (first, (first,))


def test_every_command_takes_its_options_from_one_class() -> None:
    rows = (*app.registered_commands, *driver.registered_commands)
    commands = [each.callback.__name__ for each in rows if each.callback]
    assert sorted(map(_plain, commands)) == sorted(
        each.__name__.removesuffix("Options").lower() for each in EACH
    )
    with_format = {_plain(each) for each in commands if "report_format" in fields(_options_of(each))}
    assert with_format == set(map(_plain, COMMANDS))
