"""The static type check: every node gets its type, every call its overloads (``checker/checker.go``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

from dractl.cel.checker.advice import nearest, unknown_function_message
from dractl.cel.checker.resolve import Declarations, Fitting, resolution
from dractl.cel.common import types
from dractl.cel.common.errors import CompileError
from dractl.cel.common.messages import CONSTANTS, MESSAGES, field_type, is_only_a_type
from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import (
    Call,
    Comprehension,
    Ident,
    ListNode,
    Literal,
    MapNode,
    Node,
    Select,
    StructNode,
    children_of,
)
from dractl.cel.common.type_words import in_all_words
from dractl.cel.common.types import DYN, Type, assignable, is_dynamic, substituted, unwrapped
from dractl.cel.common.values import Uint

_LITERALS: dict[type, Type] = {
    bool: types.BOOL,
    int: types.INT,
    Uint: types.UINT,
    float: types.DOUBLE,
    str: types.STRING,
    bytes: types.BYTES,
    type(None): types.NULL,
}


def check(tree: Node, declarations: Declarations, expression: str) -> list[Node]:
    """Give types and overloads to all nodes of ``tree``; the nodes, those under a node before it.

    Raises CompileError of kind ``type`` for the first thing that is wrong, where it is. ``expression`` is the
    text of the tree, for the messages.
    """
    checker = _Checker(declarations, expression)
    checker.check(tree)
    for node in checker.checked:
        found = node.type or DYN
        if found.parameters or found.kind == "param":
            node.type = substituted(checker.mapping, found, free_to_dyn=True)
    return checker.checked


def _fail(node: Node, message: str) -> NoReturn:
    raise CompileError("type", message, node.offset)


class _Checker:
    """One check: the substitutions of type parameters, and the variables in sight."""

    def __init__(self, declarations: Declarations, expression: str) -> None:
        self._declared = declarations
        self._expression = expression
        self.mapping: types.Mapping = {}
        self.checked: list[Node] = []
        self._scopes: list[dict[str, Type]] = []
        self._fresh = 0
        self._by_class: dict[type, Callable[..., Type]] = {
            Literal: self._literal,
            Ident: self._ident,
            Select: self._select,
            Call: self._call,
            ListNode: self._list,
            MapNode: self._map,
            StructNode: self._struct,
            Comprehension: self._comprehension,
        }

    def check(self, node: Node) -> Type:
        """The type of ``node``; one that hangs in the tree twice is checked once."""
        if node.type is None:
            node.type = self._by_class[type(node)](node)
            self.checked.append(node)
        return node.type

    def _resolved(self, node: Node) -> Type:
        return substituted(self.mapping, self.check(node))

    def _closed(self, found: Type) -> Type:
        return substituted(self.mapping, found, free_to_dyn=True)

    def _shown(self, found: Type) -> str:
        return in_all_words(self._closed(found))

    def _assignable(self, actual: Type, wanted: Type) -> bool:
        if actual is wanted and actual.kind != "param" and not actual.parameters:
            return True
        attempt = dict(self.mapping)
        if assignable(attempt, actual, wanted):
            self.mapping = attempt
            return True
        return False

    def _variable(self) -> Type:
        self._fresh += 1
        return Type("param", f"_{self._fresh}")

    @staticmethod
    def _literal(node: Literal) -> Type:
        return _LITERALS[type(node.value)]

    # Names and fields

    def _local(self, name: str) -> Type | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def _named(self, name: str, offset: int) -> tuple[Type, Ident] | None:
        """A variable or type of the environment, with the node that stands for it."""
        ident = Ident(offset, name)
        found = self._declared.variables.get(name)
        if found is None:
            named = self._declared.type_names.get(name)
            if name in CONSTANTS:
                ident.value, found = CONSTANTS[name], types.INT
            elif named is not None:
                ident.value, found = named, types.type_of(named)
            else:
                return None
        ident.type = found
        return found, ident

    def _ident(self, node: Ident) -> Type:
        local = self._local(node.name)
        if local is not None:
            return local
        found = self._named(node.name.removeprefix("."), node.offset)
        if found is None:
            _fail(node, self._unknown_name(node.name))
        node.name, node.value = found[1].name, found[1].value
        return found[0]

    def _unknown_name(self, name: str) -> str:
        if name in self._declared.functions:
            return f"{name} is a function and requires arguments in parentheses"
        known = [*self._declared.variables, *self._declared.type_names]
        known += [variable for scope in self._scopes for variable in scope]
        names = sorted(self._declared.variables)
        there = (
            f"the variables are {', '.join(names)}" if len(names) > 1 else f"the only variable is {names[0]}"
        )
        return f"unknown variable {name}; {nearest(name, known) or there}"

    def _select(self, node: Select) -> Type:
        chain = None if node.test_only else _dotted(node)
        if chain is not None and (chain[0] == "." or self._local(chain.partition(".")[0]) is None):
            found = self._named(chain.removeprefix("."), node.offset)
            if found is not None:
                node.resolved = found[1]
                return found[0]
            if is_only_a_type(chain.removeprefix(".")):
                _fail(node, f"{chain} is a message type, not a value")
            self._refuse_half_a_name(node, chain)
        result = self._field(node, node.operand, node.field, optional=False)
        return types.BOOL if node.test_only else substituted(self.mapping, result)

    def _refuse_half_a_name(self, node: Select, chain: str) -> None:
        """Raise CompileError for a chain whose first name is only the first half of variables' names."""
        operand = node.operand
        if isinstance(operand, Ident) and any(
            name.startswith(f"{operand.name}.") for name in self._declared.variables
        ):
            _fail(operand, self._unknown_name(chain))

    def _field(self, node: Node, operand: Node, field: str, *, optional: bool) -> Type:
        target, was_optional = unwrapped(self._resolved(operand))
        if target.kind == "map":
            result = target.parameters[1]
        elif target.kind == "struct":
            result = self._struct_field(node, target.name, field)
        elif target.kind == "param":
            self._assignable(DYN, target)
            result = DYN
        elif is_dynamic(target):
            result = DYN
        else:
            _fail(node, f".{field} selects a field, but {self._shown(target)} has no fields")
        return types.optional_of(result) if was_optional or optional else result

    def _struct_field(self, node: Node, name: str, field: str) -> Type:
        fields = self._declared.fields.get(name)
        if fields is None:
            message = field_type(name, field)
            if message is not None:
                return message
            _fail(node, f".{field} selects a field, but {self._shown(Type('struct', name))} has no fields")
        found = fields.get(field)
        if found is None:
            advice = nearest(field, fields) or f"valid fields: {', '.join(sorted(fields))}"
            _fail(node, f"unknown field {field}; {advice}")
        return found

    # Calls

    def _call(self, node: Call) -> Type:
        if node.function == "_?._":
            field = node.args[1]
            self.check(field)
            name = cast("str", field.value) if isinstance(field, Literal) else ""
            node.overloads = self._declared.functions[node.function]
            return substituted(self.mapping, self._field(node, node.args[0], name, optional=True))
        if not self._is_known(node):
            _fail(node, self._unknown_function(node))
        arguments = [self.check(arg) for arg in node.args]
        if node.target is not None:
            prefix = _dotted(node.target)
            name = f"{prefix}.{node.function}".removeprefix(".")
            if prefix is not None and name in self._declared.functions:
                node.target = None
                node.function = name
            else:
                if self._declared.operands_checked_twice and node.function == "value":
                    _refuse_open(node.target)
                arguments.insert(0, self.check(node.target))
        node.function = node.function.removeprefix(".")
        overloads = self._declared.functions[node.function]
        if node.function in {"_&&_", "_||_"}:
            return self._logic(node, overloads)
        return self._resolve(node, overloads, arguments)

    def _is_known(self, node: Call) -> bool:
        """Whether a function of the name exists, maybe within a namespace that the target is."""
        functions = self._declared.functions
        if node.function.removeprefix(".") in functions:
            return True
        prefix = None if node.target is None else _dotted(node.target)
        return prefix is not None and f"{prefix}.{node.function}".removeprefix(".") in functions

    def _unknown_function(self, node: Call) -> str:
        name, prefix = node.function, None if node.target is None else _dotted(node.target)
        if prefix is not None:
            first = prefix.removeprefix(".").partition(".")[0]
            if self._local(first) is None and first not in self._declared.variables:
                name = f"{prefix}.{name}"
        return unknown_function_message(name, self._declared.functions, self._declared.environment)

    def _logic(self, node: Call, overloads: tuple[Overload, ...]) -> Type:
        for arg in node.args:
            if not self._assignable(self.check(arg), types.BOOL):
                from dractl.cel.checker.no_overload import logic_problem  # only on the way to an error

                _fail(arg, logic_problem(node, self._shown(self.check(arg)), self._expression))
        node.overloads = overloads[:1]
        return types.BOOL

    def _resolve(self, node: Call, overloads: tuple[Overload, ...], arguments: list[Type]) -> Type:
        actual = tuple(arguments)
        known = resolution(self._declared, node.function, node.target is not None, actual)
        if known is not None:
            node.overloads = known.overloads
            return known.result
        fitting = Fitting(self.mapping, self._variable)
        for overload in overloads:
            if overload.method == (node.target is not None):
                fitting.add(overload, actual)
        if fitting.result is None:
            from dractl.cel.checker.no_overload import mistake_of  # only on the way to an error

            closed = [self._closed(found) for found in arguments]
            _fail(*mistake_of(node, overloads, closed, self._expression, self._declared.environment))
        self.mapping = fitting.mapping
        node.overloads = tuple(fitting.overloads)
        return fitting.result

    # Literals

    def _joined(self, previous: Type | None, current: Type) -> Type:
        """The common type of elements; those without one are for the validators to refuse."""
        if previous is None:
            return current
        if self._assignable(previous, current):
            return types.most_general(previous, current)
        return DYN

    def _element(self, node: Node, *, optional: bool) -> Type:
        found = self.check(node)
        if not optional:
            return found
        inner, was_optional = unwrapped(found)
        if not was_optional and not is_dynamic(inner):
            _fail(node, f"expected an optional value after ?, got {self._shown(inner)}")
        return inner

    def _list(self, node: ListNode) -> Type:
        element: Type | None = None
        for position, part in enumerate(node.elements):
            element = self._joined(element, self._element(part, optional=position in node.optional))
        return types.list_of(element or self._variable())

    def _map(self, node: MapNode) -> Type:
        key: Type | None = None
        value: Type | None = None
        for position, (key_node, value_node) in enumerate(node.entries):
            key = self._joined(key, self.check(key_node))
            found = self._element(value_node, optional=position in node.optional)
            value = self._joined(value, found)
        found = types.map_of(key or self._variable(), value or self._variable())
        if types.is_vast(found):
            _fail(node, "the type of this map is too large; its keys and values are maps of maps")
        return found

    def _struct(self, node: StructNode) -> Type:
        name = node.name.removeprefix(".")
        message, declared = MESSAGES.get(name), self._declared.fields.get(name)
        if message is None and declared is None:
            _fail(node, f"unknown message type {node.name}")
        result = types.DEVICE if message is None else message.type
        node.name = name
        for offset, field, value, optional in node.fields:
            wanted = field_type(name, field) if declared is None else declared.get(field)
            if wanted is None:
                raise CompileError("type", f"message type {name} has no field {field}", offset)
            if not self._assignable(wanted, self._element(value, optional=optional)):
                _fail(
                    value,
                    f"field {field} must be {self._shown(wanted)}, got {self._shown(self.check(value))}",
                )
        return result

    # Comprehensions

    def _comprehension(self, node: Comprehension) -> Type:
        self.check(node.range)
        accumulated = self.check(node.initial)
        variables = self._iterated(node, self._resolved(node.range))
        self._scopes.append({node.accumulator: accumulated})
        self._scopes.append(variables)
        self._assert(node.condition, types.BOOL)
        self._assert(node.step, accumulated)
        self._scopes.pop()
        self.check(node.result)
        self._scopes.pop()
        return self._resolved(node.result)

    def _iterated(self, node: Comprehension, found: Type) -> dict[str, Type]:
        """The types of the variables of a comprehension over a range of type ``found``."""
        second: Type = DYN
        if found.kind == "list":
            first = found.parameters[0]
            if node.variable2 is not None:
                first, second = types.INT, first
        elif found.kind == "map":
            first, second = found.parameters
        elif found.kind in {"dyn", "param"}:
            self._assignable(DYN, found)
            first = DYN
        else:
            _fail(node.range, f"{node.macro} requires a list or map, got {self._shown(found)}")
        variables = {node.variable: first}
        if node.variable2 is not None:
            variables[node.variable2] = second
        return variables

    def _assert(self, node: Node, wanted: Type) -> None:
        found = self.check(node)
        if not self._assignable(wanted, found):
            _fail(node, f"expected {self._shown(wanted)}, got {self._shown(found)}")


def _dotted(node: Node) -> str | None:
    """The dotted name that a chain of selections writes, or None."""
    fields: list[str] = []
    while isinstance(node, Select):
        if node.test_only:
            return None
        fields.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return None
    return ".".join([node.name, *reversed(fields)])


def _refuse_open(operand: Node) -> None:
    """Raise CompileError for an operand that has its type already, if that was open anywhere within."""
    stack = [operand]
    while stack:
        node = stack.pop()
        if node.type is not None and types.parameters_of((node.type,)):
            _fail(node, f"1.31 cannot infer this type within optMap() or optFlatMap(): {node.type}")
        stack += children_of(node)
