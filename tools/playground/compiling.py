"""Compiles modules for the interpreter that runs this: the one of the page, which Node.js has started.

The page then compiles nothing at its start, which takes half of the time.
"""

from __future__ import annotations

import io
import marshal
import warnings
import zipfile
from importlib.util import MAGIC_NUMBER

__all__ = ["compiled"]

_UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""Marks a file that Python does not compare with its source, and the place of the hash."""

_DATE = (1980, 1, 1, 0, 0, 0)


def compiled(archive: bytes, optimize: int = 0) -> bytes:
    """A ZIP archive like ``archive``, each module in it replaced by its code; all else stays.

    ``optimize`` is that of :func:`compile`: with 2 without assertions and docstrings.
    """
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(archive)) as source,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target,
    ):
        for name in sorted(source.namelist()):
            content = source.read(name)
            if name.endswith(".py"):
                target.writestr(
                    zipfile.ZipInfo(f"{name}c", _DATE), _code(name, content, optimize), zipfile.ZIP_DEFLATED
                )
            elif not name.endswith("/"):
                target.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _code(name: str, source: bytes, optimize: int) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            MAGIC_NUMBER
            + _UNCHECKED
            + marshal.dumps(compile(source, name, "exec", dont_inherit=True, optimize=optimize))
        )
