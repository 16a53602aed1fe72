"""Which API server a file is for: from the settings of the editor, and from a comment in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dractl.api import release
from dractl.api.gates import GateError, GateSet, parse_overrides, resolve
from dractl.records import NamedTuple

__all__ = ["Settings", "SettingsError", "settings_for", "settings_of"]

_MODELINE = re.compile(r"^\s*(?:#|//)\s*dractl:\s*(.*)")
_MODELINE_WITHIN = 50
_KEYS = ("kube-version", "feature-gates")
_DEBOUNCE = 300


class SettingsError(ValueError):
    """Settings that name no server; ``line`` is that of the comment, from 0, or None."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Keep the message and the line."""
        super().__init__(message)
        self.line = line


class Settings(NamedTuple):
    """The gates of the server, which know its minor; what is left out of the workspace; the pause in ms."""

    gates: GateSet
    exclude: tuple[str, ...] = ()
    debounce: int = _DEBOUNCE


def settings_of(given: object) -> Settings:
    """The settings that an editor sends: ``kubeVersion``, ``featureGates``, ``exclude``, ``debounce``.

    Every source of settings goes through here. Raises SettingsError.
    """
    values: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    nested = values.get("dractl")
    if isinstance(nested, Mapping):
        values = nested
    gates = values.get("featureGates")
    if isinstance(gates, Mapping):
        gates = ",".join(f"{name}={str(on).lower()}" for name, on in gates.items())
    version = values.get("kubeVersion") or str(release.NEWEST)
    exclude = values.get("exclude")
    debounce = values.get("debounce")
    return Settings(
        _gates(str(version), gates if isinstance(gates, str) else "", None),
        tuple(str(glob) for glob in exclude) if isinstance(exclude, Sequence) else (),
        debounce if isinstance(debounce, int) and 0 <= debounce <= 10_000 else _DEBOUNCE,
    )


def settings_for(lines: Sequence[str], settings: Settings) -> Settings:
    """The settings of a file, whose comment ``# dractl: kube-version=1.34 feature-gates=A=true`` counts more.

    Raises SettingsError.
    """
    for number, line in enumerate(lines[:_MODELINE_WITHIN]):
        found = _MODELINE.match(line[:1000])
        if found is not None:
            return settings._replace(gates=_of_modeline(found[1], settings.gates, number))
    return settings


def _of_modeline(text: str, gates: GateSet, number: int) -> GateSet:
    pairs = {}
    for part in text.split():
        key, equals, value = part.partition("=")
        if key not in _KEYS or not equals:
            raise SettingsError(f"expected {' or '.join(f'{key}=…' for key in _KEYS)}, got {part}", number)
        pairs[key] = value
    overrides = ",".join(f"{name}={str(on).lower()}" for name, on in gates.overrides.items())
    version = pairs.get("kube-version", gates.minor.version)
    return _gates(version, pairs.get("feature-gates", overrides), number)


def _gates(version: str, overrides: str, line: int | None) -> GateSet:
    try:
        return resolve(release.parse(version), parse_overrides(overrides))
    except (release.UnknownMinorError, GateError) as error:
        raise SettingsError(str(error), line) from None
