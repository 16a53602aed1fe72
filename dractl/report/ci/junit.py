"""What every JUnit document has in common.

The format is four elements, which the standard library writes; a library for it would be one more thing to
install wherever dractl is.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from dractl.api import characters

__all__ = ["clean", "document"]

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no XML document may hold, not even escaped."""


def clean(text: str) -> str:
    """``text`` without what XML forbids."""
    return _FORBIDDEN.sub("\ufffd", text)


def document(root: ET.Element) -> str:
    """The document of an element, indented."""
    ET.indent(root)
    written = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{characters.referenced(written)}\n'
