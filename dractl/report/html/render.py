"""Draws a page with Jinja2: every text is escaped, and nothing of it runs.

The only style and the only script are those of the templates, which the Content-Security-Policy names by
their hashes; nothing is loaded. Nothing here reads or writes files but the templates of this package.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING

from dractl.report.html.model import Page
from dractl.report.style import sentence, text_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["render"]


def render(page: Page, playground: str = "", *, has_script: bool = True) -> str:
    """``page`` as one HTML document that needs no other file; without its script it has no filters.

    ``playground`` is the link that opens the input there; without one the page does not mention it.
    """
    from markupsafe import Markup, escape

    environment = _environment()
    style, script = (_source(environment, name) for name in ("page.css", "page.js"))
    text = environment.get_template("page.html.j2").render(
        page=page,
        playground=escape(playground),  # as markup it is not cut like the texts of strangers
        style=Markup(style),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704
        style_hash=_hash(style),
        script_hash=_hash(script) if has_script else "none",
        has_script=has_script,
    )
    return text_of(filter(str.strip, text.splitlines()))


@cache
def _environment() -> Environment:
    import jinja2  # an optional dependency, which only pages need

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("dractl.report.html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["in_parts"] = _in_parts
    return environment


def _in_parts(text: str) -> Markup:
    """A name that may go on in the next line behind a slash or colon, before it would break inside a word."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(part) for part in _ENDS.split(sentence(text)))


_ENDS = re.compile(r"(?<=[/:])(?=\w)")


def _visible(value: object) -> object:
    """A value as templates print it: in a text, a visible sign replaces each control character.

    Markup, which only the templates themselves make, stays.
    """
    return sentence(value) if type(value) is str else value


def _source(environment: Environment, name: str) -> str:
    """A file of the templates as the document contains it: without empty lines."""
    loader = environment.loader
    source = "" if loader is None else loader.get_source(environment, name)[0]
    return "\n".join(filter(str.strip, source.splitlines()))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
