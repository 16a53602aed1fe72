"""A format of a command, and what ``--help`` prints about the formats of an option."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from dractl.report.style import Style

__all__ = ["Format", "View", "help_text", "html_format", "json_format", "metavar", "names", "to_json"]

Result = TypeVar("Result")


class HasDocument(Protocol):
    """A result with a JSON document."""

    def to_dict(self) -> Mapping[str, object]:
        """The JSON document."""


class View(NamedTuple):
    """How a result is shown: colours and width, and whether with more than what makes the exit code not 0.

    ``link`` opens the input in the playground; a page has it where it is not empty.
    """

    style: Style
    summary: bool = True
    link: str = ""


class Format(NamedTuple, Generic[Result]):
    """A format of a command: its name, what ``--help`` calls it, and its writer.

    A document is for programs: ``--quiet`` leaves nothing out of it. ``extra`` is the optional dependency of
    dractl that the writer needs, ``module`` the one that it imports.
    """

    name: str
    about: str
    write: Callable[[Result, View], str]
    is_document: bool = False
    extra: str = ""
    module: str = ""

    @property
    def is_missing(self) -> str:
        """What to install before the writer can run; empty if nothing is missing."""
        from importlib.util import find_spec  # few formats need a module that may be missing

        if not self.module or find_spec(self.module) is not None:
            return ""
        return f"requires {self.module}; run: pip install 'dractl[{self.extra}]'"

    def render(
        self,
        result: Result,
        style: Style,
        *,
        quiet: bool = False,
        failing: Callable[[Result], Result] | None = None,
        link: str = "",
    ) -> str:
        """The text of ``result``; if ``quiet``, of what ``failing`` keeps of it, unless it is a document.

        A page has the ``link`` to the playground, if there is one.
        """
        if self.is_document or not quiet:
            return self.write(result, View(style, link=link))
        return self.write(result if failing is None else failing(result), View(style, summary=False))


def names(formats: Sequence[Format[Result]]) -> tuple[str, ...]:
    """The names that ``--format`` takes; the first one is the default."""
    return tuple(row.name for row in formats)


_FEW = 3
"""So many formats fit the place of the value in ``--help``, which then needs no list of names."""


def metavar(formats: Sequence[Format[Result]]) -> str:
    """What ``--help`` shows for the value of ``--format``: the names of a few formats, or one word."""
    listed = names(formats)
    return f"{'|'.join(listed) if len(listed) <= _FEW else 'FORMAT'}[=FILE]"


def help_text(formats: Sequence[Format[Result]], *, several: bool = True) -> str:
    """The sentence of ``--help``: ``Print text, or a JSON document, or write it to FILE; repeatable.``.

    ``several``: the option takes more than one format, and a file for each. Many formats are listed by their
    names, because the place of the value does not have them.
    """
    listed = names(formats)
    *first, last = listed if len(listed) > _FEW else (row.about for row in formats)
    comma = "" if len(listed) > _FEW else ","
    text = f"{', '.join(first)}{comma} or {last}" if first else last
    return f"Print {text}, or write it to FILE; repeatable." if several else f"Print {text}."


def json_format(write: Callable[[Result, View], str]) -> Format[Result]:
    """The format ``json``."""
    return Format("json", "a JSON document", write, is_document=True)


def html_format(write: Callable[[Result, View], str]) -> Format[Result]:
    """The format ``html``."""
    return Format("html", "an HTML page", write, is_document=True, extra="html", module="jinja2")


def to_json(result: HasDocument, _: View) -> str:
    """Write the JSON document of a result."""
    from dractl.report import json_  # a run needs one format

    return json_.render(result.to_dict())
