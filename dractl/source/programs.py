"""Programs that dractl starts: those of the user's ``PATH``, never one of a checkout."""

from __future__ import annotations

import os

__all__ = ["checkout_of", "is_below", "program_of"]


def program_of(name: str, checkout: str | None) -> str | None:
    """The program in the absolute folders of ``PATH`` that are not below ``checkout``; None if missing."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    absolute = [folder for folder in folders if os.path.isabs(folder)]  # noqa: PTH117 - paths are texts here
    outside = [
        folder for folder in absolute if checkout is None or not is_below(os.path.realpath(folder), checkout)
    ]
    import shutil  # few runs start a program

    found = shutil.which(name, path=os.pathsep.join(outside)) if outside else None
    # On Windows, which() also looks in the working folder, and answers with a relative path.
    return found if found is not None and os.path.isabs(found) else None  # noqa: PTH117


def checkout_of(folder: str) -> str | None:
    """The nearest folder from ``folder``, an absolute path, upwards with ``.git`` in it; None if missing."""
    while not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return None
        folder = above
    return folder


def is_below(path: str, folder: str) -> bool:
    """Whether a path is ``folder`` or under it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
