"""A plugin for mypy: a key that the type of an API object does not have is an error.

mypy itself says so of ``request["exactl"]`` only; ``request.get("exactl")`` is an object to it, and
``"exactl" in request`` is as good as any test.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.errorcodes import TYPEDDICT_ITEM
from mypy.plugin import MethodContext, Plugin
from mypy.plugins.default import typed_dict_get_callback
from mypy.typeops import try_getting_str_literals
from mypy.types import Type, TypedDictType, get_proper_type

__all__ = ["TypedKeys", "plugin"]


class TypedKeys(Plugin):
    """Looks at ``get`` and ``in`` of every TypedDict."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """The check for a method, if it is one of the two; mypy has only one hook for each."""
        return _HOOKS.get(fullname)


def _get(ctx: MethodContext) -> Type:
    _check_key(ctx)
    return typed_dict_get_callback(ctx)


def _contains(ctx: MethodContext) -> Type:
    # mypy collects the errors of ``in`` and forgets them, as any text may be looked for in a mapping.
    errors = ctx.api.msg.errors
    watchers, errors._watchers = errors._watchers, []
    _check_key(ctx)
    errors._watchers = watchers
    return ctx.default_return_type


def _check_key(ctx: MethodContext) -> None:
    owner = get_proper_type(ctx.type)
    if not isinstance(owner, TypedDictType) or not ctx.args or not ctx.args[0]:
        return
    key = ctx.args[0][0]
    for text in try_getting_str_literals(key, ctx.arg_types[0][0]) or ():
        if text not in owner.items:
            name = owner.fallback.type.name
            ctx.api.fail(f'TypedDict "{name}" has no key "{text}"', key, code=TYPEDDICT_ITEM)


_HOOKS: dict[str, Callable[[MethodContext], Type]] = {
    "typing.Mapping.get": _get,
    "typing.Mapping.__contains__": _contains,
}


def plugin(_version: str) -> type[Plugin]:
    """The plugin, as mypy asks for it."""
    return TypedKeys
