"""From tokens to a tree, by the grammar of cel-go, its macros expanded on the way."""

from __future__ import annotations

from typing import NoReturn

from dractl.cel.common.errors import CompileError
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.tree import Call, Ident, ListNode, Literal, MapNode, Node, Select, StructNode
from dractl.cel.parser.macros import Macro
from dractl.cel.parser.tokens import Token, bytes_value, number_value, string_value, tokens_of

MAX_DEPTH = 250
"""How deep cel-go lets grammar rules, and then the operators of the tree, nest."""

RESERVED = frozenset(
    [
        "as",
        "break",
        "const",
        "continue",
        "else",
        "false",
        "for",
        "function",
        "if",
        "import",
        "in",
        "let",
        "loop",
        "package",
        "namespace",
        "null",
        "return",
        "true",
        "var",
        "void",
        "while",
    ]
)
_RELATIONS = frozenset({"<", "<=", ">=", ">", "==", "!=", "in"})
_CALCULATIONS = {"*": 2, "/": 2, "%": 2, "+": 1, "-": 1}
_ENDING = frozenset({")", "]", ","})
Macros = dict[tuple[str, int, bool], Macro]


def parse(
    expression: str, macros: Macros, *, quoted_fields: bool, surrogates: bool = False
) -> tuple[Node, int]:
    """The tree of ``expression`` and how deep it nests.

    ``macros`` are those of the environment, by name, number of arguments and whether they are methods;
    ``quoted_fields`` allows field names in back quotes, ``surrogates`` their escapes in strings.
    Raises CompileError of kind ``syntax``.
    """
    tokens, depth = tokens_of(expression)
    with deep_stack(depth):
        tree = _Parser(tokens, macros, quoted_fields=quoted_fields, surrogates=surrogates).parse()
    return tree, max(depth, tree.height)


class _Parser:
    """One pass over the tokens; a method per grammar rule, in the order of ``CEL.g4``."""

    __slots__ = (
        "_calc_depth", "_depth", "_macros", "_next", "_quoted", "_relation_depth", "_surrogates", "_tokens"
    )  # fmt: skip

    def __init__(self, tokens: list[Token], macros: Macros, *, quoted_fields: bool, surrogates: bool) -> None:
        self._tokens = tokens
        self._next = 0
        self._macros = macros
        self._quoted = quoted_fields
        self._surrogates = surrogates
        self._depth = self._relation_depth = self._calc_depth = 0

    def parse(self) -> Node:
        tree = self._expression()
        if self._kind() != "end":
            self._unexpected("an operator or the end of the expression")
        return tree

    def _kind(self) -> str:
        return self._tokens[self._next].kind

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next += 1
        return token

    def _accept(self, kind: str) -> bool:
        if self._tokens[self._next].kind == kind:
            self._next += 1
            return True
        return False

    def _expect(self, kind: str, meaning: str) -> Token:
        if self._tokens[self._next].kind != kind:
            self._unexpected(meaning)
        return self._take()

    def _unexpected(self, expected: str) -> NoReturn:
        token = self._tokens[self._next]
        found = "the end of the expression" if token.kind == "end" else f"`{token.text}`"
        raise CompileError("syntax", f"expected {expected}, found {found}", token.offset)

    def _too_deep(self) -> NoReturn:
        raise CompileError(
            "syntax",
            f"the expression is nested more than {MAX_DEPTH} levels deep",
            self._tokens[self._next].offset,
        )

    def _checked(self, node: Node) -> Node:
        if node.height > MAX_DEPTH:
            self._too_deep()
        return node

    def _expression(self) -> Node:
        token = self._tokens[self._next]
        if (
            token.kind == "string"
            and self._depth < MAX_DEPTH
            and self._tokens[self._next + 1].kind in _ENDING
        ):
            # Most arguments are strings, which need not go through all the rules.
            self._next += 1
            return Literal(token.offset, string_value(token, surrogates=self._surrogates))
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._too_deep()
        node = self._logic("||")
        if self._kind() == "?":
            offset = self._take().offset
            first = self._logic("||")
            self._expect(":", "`:` and an alternative")
            second = self._expression()
            node = self._checked(Call(offset, "_?_:_", [node, first, second], counts=1))
        self._depth -= 1
        return node

    def _logic(self, operator: str) -> Node:
        """``||`` and ``&&``: flat in the grammar, and balanced in the tree so that long chains stay low."""
        operand = self._conjunction if operator == "||" else self._relation
        node = operand()
        if self._kind() != operator:
            return node
        terms, offsets = [node], []
        while self._kind() == operator:
            offsets.append(self._take().offset)
            terms.append(operand())
        return _balanced(f"_{operator}_", terms, offsets, 0, len(offsets) - 1)

    def _conjunction(self) -> Node:
        return self._logic("&&")

    def _relation(self) -> Node:
        self._relation_depth += 1
        if self._relation_depth > MAX_DEPTH:
            self._too_deep()
        node = self._calculation(0)
        while self._kind() in _RELATIONS:
            operator = self._take()
            self._relation_depth += 1
            if self._relation_depth > MAX_DEPTH:
                self._too_deep()
            right = self._calculation(0)
            self._relation_depth -= 1
            name = "@in" if operator.kind == "in" else f"_{operator.kind}_"
            node = self._checked(Call(operator.offset, name, [node, right], counts=1))
        self._relation_depth -= 1
        return node

    def _calculation(self, precedence: int) -> Node:
        self._calc_depth += 1
        if self._calc_depth > MAX_DEPTH:
            self._too_deep()
        node = self._unary()
        while True:
            binding = _CALCULATIONS.get(self._kind(), -1)
            if binding < max(precedence, 1):
                break
            operator = self._take()
            right = self._calculation(binding + 1)
            node = self._checked(Call(operator.offset, f"_{operator.kind}_", [node, right], counts=1))
        self._calc_depth -= 1
        return node

    def _unary(self) -> Node:
        kind = self._kind()
        if kind not in {"!", "-"}:
            return self._member()
        start = self._next
        while self._accept(kind):
            pass
        count = self._next - start
        if kind == "-" and count == 1 and self._kind() in {"int", "float"}:
            self._next = start
            return self._member()
        offset = self._tokens[start].offset
        node = self._member()
        return Call(offset, f"{kind}_", [node]) if count % 2 else node

    def _member(self) -> Node:
        node = self._primary()
        while True:
            kind = self._kind()
            if kind == ".":
                self._take()
                node = self._checked(self._selected(node))
            elif kind == "[":
                offset = self._take().offset
                optional = self._accept("?")
                index = self._expression()
                self._expect("]", "`]`")
                name = "_[?_]" if optional else "_[_]"
                node = self._checked(Call(offset, name, [node, index], counts=1))
            else:
                return node

    def _selected(self, operand: Node) -> Node:
        optional = self._accept("?")
        token = self._take()
        if token.kind == "quoted" and self._quoted:
            field = token.text[1:-1]
        elif token.kind == "name":
            field = token.text
            if not optional and self._kind() == "(":
                self._take()
                args = self._arguments()
                return self._expanded(token.offset, field, args, operand) or Call(
                    token.offset, field, args, operand, counts=1
                )
        else:
            self._next -= 1
            if token.text in RESERVED:
                raise CompileError(
                    "syntax", f"{token.text} is a keyword; use `[{token.text!r}]` to select it", token.offset
                )
            self._unexpected("a field name")
        if optional:
            return Call(token.offset, "_?._", [operand, Literal(token.offset, field)], counts=1)
        return Select(token.offset, operand, field)

    def _arguments(self) -> list[Node]:
        args: list[Node] = []
        if self._accept(")"):
            return args
        while True:
            args.append(self._expression())
            if not self._accept(","):
                break
        self._expect(")", "`,` or `)`")
        return args

    def _expanded(self, offset: int, name: str, args: list[Node], target: Node | None) -> Node | None:
        macro = self._macros.get((name, len(args), target is not None))
        expanded = macro(offset, target, args) if macro else None
        if expanded is not None and target is not None:
            # The limit is one of the text, so the call counts and not what it turns into.
            expanded.height = 1 + max(node.height for node in (target, *args))
        return expanded

    def _primary(self) -> Node:
        token = self._take()
        kind = token.kind
        if kind == "name":
            return self._named(token, "")
        if kind == "string":
            return Literal(token.offset, string_value(token, surrogates=self._surrogates))
        if kind in {"int", "uint", "float", "-"}:
            return self._number(token)
        if kind == "(":
            node = self._expression()
            self._expect(")", "`)`")
            return node
        if kind == "[":
            return self._list(token.offset)
        if kind == "{":
            return self._map(token.offset)
        if kind in {"true", "false", "null"}:
            return Literal(token.offset, {"true": True, "false": False, "null": None}[kind])
        if kind == "bytes":
            return Literal(token.offset, bytes_value(token))
        if kind == "." and self._kind() == "name":
            return self._named(self._take(), ".")
        self._next -= 1
        return self._unexpected("a value")

    def _named(self, token: Token, dot: str) -> Node:
        struct = self._struct(token, dot)
        if struct is not None:
            return struct
        if token.text in RESERVED:
            raise CompileError("syntax", f"{token.text} is a reserved word", token.offset)
        name = dot + token.text
        if self._kind() != "(":
            return Ident(token.offset, name)
        self._take()
        args = self._arguments()
        return self._expanded(token.offset, name, args, None) or Call(token.offset, name, args)

    def _struct(self, token: Token, dot: str) -> Node | None:
        """A message literal, if the dotted name at ``token`` is followed by an opening brace."""
        position = self._next
        names = [token.text]
        while self._tokens[position].kind == "." and self._tokens[position + 1].kind == "name":
            names.append(self._tokens[position + 1].text)
            position += 2
        if self._tokens[position].kind != "{":
            return None
        self._next = position + 1
        fields: list[tuple[int, str, Node, bool]] = []
        while self._kind() not in {"}", ","}:
            optional = self._accept("?")
            field = self._take()
            if field.kind != "name" and not (field.kind == "quoted" and self._quoted):
                self._next -= 1
                self._unexpected("a field name")
            self._expect(":", "`:`")
            text = field.text.strip("`")
            fields.append((field.offset, text, self._expression(), optional))
            if not self._accept(","):
                break
        self._accept(",")
        self._expect("}", "`,` or `}`")
        return StructNode(token.offset, dot + ".".join(names), fields)

    def _list(self, offset: int) -> Node:
        elements: list[Node] = []
        optional: set[int] = set()
        while self._kind() not in {"]", ","}:
            if self._accept("?"):
                optional.add(len(elements))
            elements.append(self._expression())
            if not self._accept(",") or self._kind() == "]":
                break
        else:
            if not elements:
                self._accept(",")
        self._expect("]", "`,` or `]`")
        return ListNode(offset, elements, frozenset(optional))

    def _map(self, offset: int) -> Node:
        entries: list[tuple[Node, Node]] = []
        optional: set[int] = set()
        while self._kind() not in {"}", ","}:
            if self._accept("?"):
                optional.add(len(entries))
            key = self._expression()
            self._expect(":", "`:` and a value")
            entries.append((key, self._expression()))
            if not self._accept(",") or self._kind() == "}":
                break
        else:
            if not entries:
                self._accept(",")
        self._expect("}", "`,` or `}`")
        return MapNode(offset, entries, frozenset(optional))

    def _number(self, token: Token) -> Node:
        sign = ""
        offset = token.offset
        if token.kind == "-":
            token = self._take()
            if token.kind not in {"int", "float"}:
                self._next -= 1
                self._unexpected("a number")
            sign = "-"
        return Literal(offset, number_value(token, sign, offset))


def _balanced(function: str, terms: list[Node], offsets: list[int], low: int, high: int) -> Node:
    """The terms joined as ``logicManager.balancedTree`` joins them."""
    middle = (low + high + 1) // 2
    left = terms[middle] if middle == low else _balanced(function, terms, offsets, low, middle - 1)
    right = terms[middle + 1] if middle == high else _balanced(function, terms, offsets, middle + 1, high)
    return Call(offsets[middle], function, [left, right])
