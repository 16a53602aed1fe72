"""CEL device selectors: parse, evaluate; the door is dractl.cel.compile."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

__all__: list[str] = []


class _CallablePackage(ModuleType):
    """This package, which is also the public function ``dractl.cel``.

    Python sets a package as attribute of its parent, so the function cannot have that name for itself.
    """

    def __call__(self, *args: object, **options: object) -> object:
        """Call the public function."""
        return _function()(*args, **options)

    @property
    def __signature__(self) -> object:
        """The signature of the public function, for ``help`` and ``inspect``."""
        found: object = import_module("inspect").signature(_function())
        return found


def _function() -> Callable[..., object]:
    """The public function, which is found by name because it is on a floor above."""
    found: Callable[..., object] = import_module("dractl.public_questions").cel
    return found


sys.modules[__name__].__class__ = _CallablePackage
