"""Texts of others in Markdown: nothing in them is read as markup, and nobody is mentioned."""

from __future__ import annotations

import re

__all__ = ["cell_code", "code", "escaped"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~@])")


def escaped(text: str) -> str:
    """``text`` in which nothing is read as markup, nor as the mention of a person or an issue."""
    return _SPECIAL.sub(r"\\\1", text).replace("\\@", "@\u200b").replace("\\#", "&#35;")


def code(text: str) -> str:
    """``text`` as code on a line of its own, such as an item of a list."""
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if "`" in text else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def cell_code(text: str) -> str:
    """``text`` as code in a cell of a table."""
    return code(text).replace("|", "\\|")
