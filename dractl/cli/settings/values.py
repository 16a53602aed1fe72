"""Values of settings to values of options: from TOML data, and from the texts of environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sized

from dractl.api.wording import choose_from, did_you_mean
from dractl.cli.settings.files import ConfigFile
from dractl.cli.settings.table import Form, Setting
from dractl.records import NamedTuple

__all__ = ["ValueFormError", "from_file", "from_variable"]

_MOST_ENTRIES = 200
"""In a list or table. A stranger's file must not slow a run; Python caches the patterns of as many globs."""

_MOST_GLOBS = 100
_LONGEST = 1_000
_MOST_WILDCARDS = 10


class ValueFormError(ValueError):
    """A value of a form that the setting does not have; the message completes "KEY must be"."""


def from_file(setting: Setting, value: object, file: ConfigFile) -> object:
    """The value of the option for a value in a file; raises ValueFormError."""
    found = _READERS[setting.form](value, _Reader(setting, file))
    if setting.field == "report_format":
        text = str(found)
        if "=" in text:
            raise ValueFormError("must name a format without a file")
        return (text,)
    return _chosen(setting, found)


def from_variable(setting: Setting, text: str) -> object:
    """The value of the option for the text of an environment variable; raises ValueFormError."""
    if setting.form is Form.FLAG:
        found = _WORDS.get(text.strip().lower())
        if found is None:
            raise ValueFormError("must be true or false")
        return found
    if setting.form in (Form.TEXT, Form.PATH):
        return _chosen(setting, text)
    if setting.form is Form.PATHS:
        return tuple(filter(None, text.split(os.pathsep)))
    return tuple(text.split())


_WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


class _Reader(NamedTuple):
    """What a value is read with."""

    setting: Setting
    file: ConfigFile

    def wrong(self, value: object) -> ValueFormError:
        return ValueFormError(f"must be {self.setting.form}, not {_kind(value)}")

    def text(self, value: object) -> str:
        if not isinstance(value, str):
            raise self.wrong(value)
        if not value or not value.isprintable():
            raise ValueFormError("must not have empty strings or control characters")
        if len(value) > _LONGEST:
            raise ValueFormError(f"must not have strings of more than {_LONGEST:,} characters")
        return value

    def texts(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self.wrong(value)
        self._limit(value)
        return tuple(map(self.text, value))

    def table(self, value: object) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self.wrong(value)
        self._limit(value)
        for key in value:
            self.text(key)
        return value

    def _limit(self, value: Sized) -> None:
        has_globs = self.setting.form in (Form.GLOBS, Form.RULES_BY_GLOB)
        most = _MOST_GLOBS if has_globs else _MOST_ENTRIES
        if len(value) > most:
            raise ValueFormError(f"must have at most {most} entries")

    def path(self, value: object) -> str:
        """A path as it leads from the working folder; raises ValueFormError if it leads out of bounds."""
        full = os.path.join(self.file.folder, self.text(value))  # noqa: PTH118
        if not self.file.bounds.holds(os.path.realpath(full)):
            roots = ", ".join(sorted(self.file.bounds.folders))
            raise ValueFormError(f"must not lead out of {roots}: {value}")
        relative = os.path.relpath(full)
        return full if relative.startswith("..") else relative

    def globs(self, text: str) -> tuple[str, ...]:
        """Globs for absolute paths: of the folder of the file, and of all folders in it."""
        if text.count("*") > _MOST_WILDCARDS:
            raise ValueFormError(f"must not have globs with more than {_MOST_WILDCARDS} wildcards")
        folder = re.sub(r"([*?[])", r"[\1]", self.file.folder.replace(os.sep, "/")).rstrip("/")
        if text.startswith(("/", "./")):
            return (f"{folder}/{text.lstrip('./')}",)
        return (f"{folder}/{text}", f"{folder}/*/{text}")


def _text(value: object, reader: _Reader) -> object:
    return reader.text(value)


def _flag(value: object, reader: _Reader) -> object:
    if not isinstance(value, bool):
        raise reader.wrong(value)
    return value


def _texts(value: object, reader: _Reader) -> object:
    return reader.texts(value)


def _globs(value: object, reader: _Reader) -> object:
    return tuple(glob for text in reader.texts(value) for glob in reader.globs(text))


def _paths(value: object, reader: _Reader) -> object:
    return tuple(map(reader.path, reader.texts(value)))


def _path(value: object, reader: _Reader) -> object:
    return reader.path(value)


def _gates(value: object, reader: _Reader) -> object:
    if isinstance(value, list):
        return reader.texts(value)
    found = reader.table(value)
    if not all(isinstance(is_on, bool) for is_on in found.values()):
        raise reader.wrong(next(each for each in found.values() if not isinstance(each, bool)))
    return tuple(f"{name}={'true' if is_on else 'false'}" for name, is_on in found.items())


def _labels(value: object, reader: _Reader) -> object:
    namespaces = {name: reader.table(labels) for name, labels in reader.table(value).items()}
    return tuple(
        f"{name}:{','.join(f'{key}={reader.text(text)}' for key, text in labels.items())}"
        for name, labels in namespaces.items()
    )


def _rules_by_glob(value: object, reader: _Reader) -> object:
    return tuple(
        f"{glob}:{','.join(reader.texts(rules))}"
        for text, rules in reader.table(value).items()
        for glob in reader.globs(text)
    )


def _paths_by_name(value: object, reader: _Reader) -> object:
    return tuple(f"{name}={reader.path(path)}" for name, path in reader.table(value).items())


def _numbers(value: object, reader: _Reader) -> object:
    found = reader.table(value)
    for number in found.values():
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise reader.wrong(number)
    return tuple(f"{name}={number}" for name, number in found.items())


_READERS: Mapping[Form, Callable[[object, _Reader], object]] = {
    Form.TEXT: _text,
    Form.FLAG: _flag,
    Form.TEXTS: _texts,
    Form.GLOBS: _globs,
    Form.PATHS: _paths,
    Form.PATH: _path,
    Form.GATES: _gates,
    Form.LABELS: _labels,
    Form.RULES_BY_GLOB: _rules_by_glob,
    Form.PATHS_BY_NAME: _paths_by_name,
    Form.NUMBERS: _numbers,
}


def _chosen(setting: Setting, value: object) -> object:
    if setting.choices and value not in setting.choices:
        advice = did_you_mean(str(value), setting.choices) or choose_from(setting.choices)
        raise ValueFormError(f"cannot be {value!r}; {advice}")
    return value


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a string"),
    (int, "a number"),
    (float, "a number"),
    (list, "a list"),
    (dict, "a table"),
)


def _kind(value: object) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "a date or time")
