"""What a checker refuses, as short lines for tests to compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dractl.admission.admit import admit  # noqa: F401 - completes the table of rules
from dractl.admission.framework.context import Context
from dractl.api import gates, release
from dractl.api.errors import FieldError
from dractl.api.path import FieldPath
from dractl.api.release import Minor

SPEC = FieldPath("spec")


def refused(
    check: Callable[[Context], None],
    overrides: Mapping[str, bool] | None = None,
    minor: Minor | str = release.NEWEST,
) -> set[str]:
    """The errors of ``check`` as ``RULE TYPE PATH``, the type without its prefix."""
    return {
        f"{error.rule} {error.type.value.removeprefix('FieldValue')} {error.path}"
        for error in _errors(check, overrides, minor)
    }


def bad_values(
    check: Callable[[Context], None],
    overrides: Mapping[str, bool] | None = None,
    minor: Minor | str = release.NEWEST,
) -> list[Any]:
    """The bad values of the errors of ``check``, in order."""
    return [error.bad_value for error in _errors(check, overrides, minor)]


def _errors(
    check: Callable[[Context], None], overrides: Mapping[str, bool] | None, minor: Minor | str
) -> list[FieldError]:
    minor = release.at(minor) if isinstance(minor, str) else minor
    ctx = Context(minor, gates.resolve(minor, overrides))
    check(ctx)
    return ctx.errors
