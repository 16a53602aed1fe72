"""Random CEL expressions by a grammar of types: mostly well typed, sometimes not, over the devices below."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

DOMAIN, OTHER = "gpu.example.com", "other.org"

DEVICES: tuple[dict[str, Any], ...] = (
    {
        "driver": DOMAIN,
        "attributes": {
            "s": {"string": "A100-80 gpu"},
            "i": {"int": 42},
            "b": {"bool": True},
            "v": {"version": "1.10.3-beta.2+x"},
            "neg": {"int": -7},
            "ip": {"string": "10.0.0.1"},
            "words": {"strings": ["a", "b", "Ünïcode"]},
            "numbers": {"ints": [3, 1, 2]},
            "flags": {"bools": [True, False]},
            "releases": {"versions": ["1.0.0", "2.0.0-rc.1"]},
        },
        "capacity": {"m": {"value": "10Gi"}, "milli": {"value": "1500m"}, "one": {"value": "1"}},
    },
    {
        "driver": OTHER,
        "attributes": {
            f"{DOMAIN}/s": {"string": "https://example.com:8080/p/%20?q=1&q=2#f"},
            f"{DOMAIN}/i": {"int": 9223372036854775807},
            f"{DOMAIN}/v": {"version": "2.0.0"},
            f"{DOMAIN}/b": {"bool": False},
        },
        "capacity": {f"{DOMAIN}/m": {"value": "1.5Gi"}, f"{DOMAIN}/one": {"value": "1000m"}},
    },
    {"driver": DOMAIN, "attributes": {}, "capacity": {}, "allowMultipleAllocations": True},
)

_PATTERNS = (
    "^A[0-9]+",
    "[a-z]+",
    r"\\d+$",
    "(a|b)*c",
    "^(a+)+$",
    "(?i)GPU",
    "x{2,3}",
    "a??",
    r"\\bgpu\\b",
    "[^a-c]",
    "(?P<n>.)",
    "",
    "^$",
    "[[:alpha:]]+",
    r"\\pL+",
    "a|ab|abc",
    "(",
    "a{1001}",
    "(?<=a)b",
    r"\\1",
    "*",
    "[z-a]",
    "(?s).",
    "(?m)^g",
    "[0-9]{2,}-",
    "(?:ab?)+",
    ".*?0",
)
_STRINGS = (
    '""',
    '"a"',
    "'gpu'",
    '"Ünïcode"',
    'r"a\\b"',
    '"10Gi"',
    '"1.2.3"',
    '"10.0.0.1"',
    '"10.0.0.0/8"',
    '"::1"',
    '"a,b,,c"',
    '"2026-01-31T12:30:45.5Z"',
    '"1h30m"',
    '"https://user@example.com:80/a b?x=1;y"',
    '"v1.2"',
    '"true"',
    '"-5"',
    '"1e3"',
    '"""multi\nline"""',
    '"\\u00e9\\x41\\101"',
    '" trim\\t"',
)
_INTS = ("0", "1", "-1", "2", "5", "42", "-7", "9223372036854775807", "-9223372036854775808", "0x1F", "100")
_DOUBLES = ("0.0", "1.5", "-2.25", "1e10", "1e-7", "3.0", "123456789.0", ".5")
_UINTS = ("0u", "1u", "42u", "18446744073709551615u", "0xFFu")
_QUANTITIES = ("1", "1.5Gi", "10Gi", "1500m", "0", "-3", "1e3", "100E", "0.1n", "1Pi", "x", "5Ki", "1k")
_VERSIONS = ("1.2.3", "1.10.3-beta.2", "2.0.0", "1.2", "v1.0.0", "0.0.0+b", "1.0.0-rc.1")
_IDS = ("s", "i", "b", "v", "neg", "ip", "missing", "words", "numbers", "flags", "releases")


class Generator:
    """Makes expressions; equal seeds make equal ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - nothing depends on it being secret
        self._variables: list[tuple[str, str]] = []
        self._makers: dict[str, list[Callable[[int], str]]] = {
            "bool": [
                self._comparison,
                self._comparison,
                self._logic,
                self._logic,
                self._membership,
                self._text_test,
                self._presence,
                self._quantifier,
                self._checker,
                self._ternary("bool"),
                self._network_test,
                lambda d: f"!({self.make('bool', d)})",
                lambda d: (
                    f"sets.{self._pick(('contains', 'equivalent', 'intersects'))}"
                    f"({self.make('ints', d)}, {self.make('ints', d)})"
                ),
                lambda d: (
                    f"{self.make('version', d)}.{self._pick(('isLessThan', 'isGreaterThan'))}"
                    f"({self.make('version', d)})"
                ),
                lambda d: (
                    f"{self.make('quantity', d)}.{self._pick(('isLessThan', 'isGreaterThan'))}"
                    f"({self.make('quantity', d)})"
                ),
                lambda d: f"{self.make('quantity', d)}.isInteger()",
                lambda d: f"{self.make('ints', d)}.isSorted()",
                lambda d: f"bool({self.make('string', d)})",
                lambda d: (
                    f"type({self.make('any', d)}) == {self._pick(('int', 'string', 'bool', 'list', 'type'))}"
                ),
                lambda d: f"cel.bind(z, {self.make('any', d)}, {self._with('z', 'any', 'bool', d)})",
                lambda d: f"{self.make('ints', d)}.includes({self.make('int', d)})",
            ],
            "int": [
                lambda d: f"({self.make('int', d)} {self._pick(tuple('+-*/%'))} {self.make('int', d)})",
                lambda d: f"size({self.make(self._pick(('string', 'ints', 'strings')), d)})",
                lambda d: f"{self.make('string', d)}.size()",
                lambda d: (
                    f"int({self.make(self._pick(('string', 'double', 'uint', 'any', 'time', 'span')), d)})"
                ),
                lambda d: f"-({self.make('int', d)})",
                lambda d: (
                    f"{self.make('string', d)}.{self._pick(('indexOf', 'lastIndexOf'))}"
                    f"({self.make('string', d)})"
                ),
                lambda d: (
                    f"{self.make('string', d)}.{self._pick(('indexOf', 'lastIndexOf'))}"
                    f"({self.make('string', d)}, {self.make('int', d)})"
                ),
                lambda d: f"{self.make('quantity', d)}.asInteger()",
                lambda d: f"{self.make('quantity', d)}.compareTo({self.make('quantity', d)})",
                lambda d: f"sign({self.make('quantity', d)})",
                lambda d: f"{self.make('version', d)}.{self._pick(('major', 'minor', 'patch'))}()",
                lambda d: f"{self.make('version', d)}.compareTo({self.make('version', d)})",
                lambda d: f"{self.make('ints', d)}.{self._pick(('max', 'min', 'sum'))}()",
                lambda d: f"{self.make('ints', d)}[{self.make('int', d)}]",
                lambda d: f"{self.make('ints', d)}.indexOf({self.make('int', d)})",
                self._ternary("int"),
                lambda d: f"{self._optional(d)}.orValue({self.make('int', d)})",
                lambda d: (
                    f"{self.make('time', d)}"
                    f".{self._pick(('getFullYear', 'getMonth', 'getDate', 'getDayOfWeek'))}()"
                ),
                lambda d: (
                    f'{self.make("time", d)}.{self._pick(("getHours", "getDayOfYear"))}("{self._zone()}")'
                ),
                lambda d: (
                    f"{self.make('span', d)}.{self._pick(('getHours', 'getSeconds', 'getMilliseconds'))}()"
                ),
                lambda d: f"{{'a': 1, 'b': {self.make('int', d)}}}.{self._pick(('a', 'b', 'c'))}",
            ],
            "string": [
                lambda d: f"({self.make('string', d)} + {self.make('string', d)})",
                lambda d: f"{self.make('string', d)}.{self._pick(('lowerAscii', 'upperAscii', 'trim'))}()",
                lambda d: f"{self.make('string', d)}.substring({self.make('int', d)})",
                lambda d: f"{self.make('string', d)}.substring({self.make('int', d)}, {self.make('int', d)})",
                lambda d: f"{self.make('string', d)}.charAt({self.make('int', d)})",
                lambda d: (
                    f"{self.make('string', d)}.replace({self.make('string', d)}, {self.make('string', d)})"
                ),
                lambda d: (
                    f'{self.make("string", d)}.replace({self.make("string", d)}, "x", {self.make("int", d)})'
                ),
                lambda d: f"{self.make('string', d)}.find({self._pattern()})",
                lambda d: f"{self.make('strings', d)}.join({self._pick(('', self._pick(_STRINGS)))})",
                lambda d: (
                    f"string("
                    f"{self.make(self._pick(('int', 'bool', 'double', 'uint', 'time', 'span', 'any')), d)})"
                ),
                lambda d: (
                    f'"{self._pick(("%s", "%s-%s", "%d|%s"))}".format([{self.make("any", d)}, '
                    f"{self.make('string', d)}])"
                ),
                lambda d: f'"%s %d".format([{self.make("strings", d)}, {self.make("int", d)}])',
                lambda d: (
                    f"{self._pick(_INTS + _DOUBLES)} > 1 ? {self.make('string', d)}"
                    f" : {self.make('string', d)}"
                ),
                lambda d: f"strings.quote({self.make('string', d)})",
                lambda d: (
                    f"url({self.make('string', d)}).{self._pick(('getHost', 'getScheme', 'getPort'))}()"
                ),
                lambda d: f"url({self.make('string', d)}).{self._pick(('getHostname', 'getEscapedPath'))}()",
                lambda d: f"string(ip({self.make('string', d)}))",
                self._ternary("string"),
            ],
            "ints": [
                self._int_list,
                self._int_list,
                lambda d: f"({self.make('ints', d)} + {self.make('ints', d)})",
                lambda d: f"{self.make('ints', d)}.{self._pick(('reverse', 'distinct', 'sort'))}()",
                lambda d: f"{self.make('ints', d)}.slice({self.make('int', d)}, {self.make('int', d)})",
                lambda _: f"lists.range({self._pick(('0', '3', '5'))})",
                lambda d: f"{self.make('ints', d)}.map(x, {self._with('x', 'int', 'int', d)})",
                lambda d: f"{self.make('ints', d)}.filter(x, {self._with('x', 'int', 'bool', d)})",
                lambda d: f"{self.make('ints', d)}.map(x, {self._with('x', 'int', 'bool', d)}, x + 1)",
                lambda d: f"{self.make('ints', d)}.sortBy(x, {self._with('x', 'int', 'int', d)})",
                lambda d: f"{self.make('ints', d)}.transformList(k, x, {self._with('x', 'int', 'int', d)})",
                lambda d: f"[{self.make('ints', d)}, [7]].flatten()",
            ],
            "strings": [
                self._string_list,
                self._string_list,
                lambda d: f"{self.make('string', d)}.split({self.make('string', d)})",
                lambda d: f'{self.make("string", d)}.split(",", {self.make("int", d)})',
                lambda d: f"{self.make('string', d)}.findAll({self._pattern()})",
                lambda d: f"{self.make('string', d)}.findAll({self._pattern()}, {self.make('int', d)})",
                lambda d: f"{self.make('strings', d)}.map(x, {self._with('x', 'string', 'string', d)})",
                lambda d: f"{self.make('strings', d)}.{self._pick(('sort', 'reverse', 'distinct'))}()",
            ],
            "quantity": [
                lambda _: f'quantity("{self._pick(_QUANTITIES)}")',
                lambda _: f'device.capacity["{self._domain()}"].{self._pick(("m", "milli", "one", "zz"))}',
                lambda _: f'device.capacity["{self._domain()}"]["m"]',
                lambda d: (
                    f"{self.make('quantity', d)}.{self._pick(('add', 'sub'))}({self.make('quantity', d)})"
                ),
                lambda d: f"{self.make('quantity', d)}.{self._pick(('add', 'sub'))}({self.make('int', d)})",
                lambda _: f'device.capacity["{DOMAIN}"].?zz.orValue(quantity("1"))',
                lambda d: f"quantity({self.make('string', d)})",
            ],
            "version": [
                lambda _: f'semver("{self._pick(_VERSIONS)}")',
                lambda _: f'semver("{self._pick(_VERSIONS)}", {self._pick(("true", "false"))})',
                lambda _: f'device.attributes["{self._domain()}"].v',
                lambda d: f"semver({self.make('string', d)})",
            ],
            "double": [
                lambda _: self._pick(_DOUBLES),
                lambda d: f"({self.make('double', d)} {self._pick(tuple('+-*/'))} {self.make('double', d)})",
                lambda d: f"double({self.make(self._pick(('int', 'string', 'uint')), d)})",
                lambda d: f"{self.make('quantity', d)}.asApproximateFloat()",
            ],
            "uint": [
                lambda _: self._pick(_UINTS),
                lambda d: f"({self.make('uint', d)} {self._pick(tuple('+-*/%'))} {self.make('uint', d)})",
                lambda d: f"uint({self.make(self._pick(('int', 'string', 'double')), d)})",
            ],
            "time": [
                lambda _: 'timestamp("2026-01-31T12:30:45.123Z")',
                lambda _: 'timestamp("1999-12-31T23:59:59+05:30")',
                lambda d: f"timestamp({self.make('int', d)})",
                lambda d: f"({self.make('time', d)} {self._pick(('+', '-'))} {self.make('span', d)})",
            ],
            "span": [
                lambda _: f'duration("{self._pick(("1h", "90s", "1.5h", "-3m", "1ns", "0", "100ms"))}")',
                lambda d: f"({self.make('time', d)} - {self.make('time', d)})",
                lambda d: f"({self.make('span', d)} + {self.make('span', d)})",
            ],
            "any": [
                self._attribute,
                self._attribute,
                self._attribute,
                lambda _: f'device.attributes["{self._domain()}"]["{self._pick(_IDS)}"]',
                lambda d: f"dyn({self.make(self._kind(), d)})",
            ],
        }

    def expression(self, depth: int = 4) -> str:
        """One expression, nearly always of type bool."""
        self._variables = []
        if self._random.random() < 0.03:
            return self.make(self._pick(("any", "int", "string", "quantity")), depth)
        return self.make("bool", depth)

    def make(self, kind: str, depth: int) -> str:
        """An expression of a kind, sometimes of another one."""
        if self._random.random() < 0.03:
            kind = self._kind()
        if depth <= 0 or self._random.random() < 0.12:
            return self._leaf(kind)
        made: str = self._pick(tuple(self._makers[kind]))(depth - 1)
        return made

    def _pick(self, choices: Any) -> Any:
        return self._random.choice(choices)

    def _kind(self) -> str:
        kinds: tuple[str, ...] = (
            "bool",
            "int",
            "string",
            "ints",
            "strings",
            "quantity",
            "version",
            "double",
            "uint",
        )
        found: str = self._pick((*kinds, "any", "time", "span"))
        return found

    def _domain(self) -> str:
        found: str = self._pick((DOMAIN, DOMAIN, DOMAIN, OTHER, "nowhere.io"))
        return found

    def _zone(self) -> str:
        found: str = self._pick(("UTC", "+02:30", "-05:00", "Europe/Berlin", "nowhere"))
        return found

    def _leaf(self, kind: str) -> str:
        named = [name for name, variable in self._variables if variable == kind]
        if named and self._random.random() < 0.6:
            found: str = self._pick(named)
            return found
        leaves: dict[str, tuple[str, ...]] = {
            "bool": ("true", "false", f'device.attributes["{DOMAIN}"].b', "device.allowMultipleAllocations"),
            "int": (*_INTS, f'device.attributes["{DOMAIN}"].i', f'device.attributes["{DOMAIN}"].neg'),
            "string": (*_STRINGS, "device.driver", f'device.attributes["{DOMAIN}"].s'),
            "ints": ("[]", "[1, 2, 3]", "[3, 1, 2]", f'device.attributes["{DOMAIN}"].numbers'),
            "strings": ("[]", '["a", "b"]', '["b", "a", "b"]', f'device.attributes["{DOMAIN}"].words'),
            "quantity": ('quantity("1.5Gi")', f'device.capacity["{DOMAIN}"].m'),
            "version": ('semver("1.2.3")', f'device.attributes["{DOMAIN}"].v'),
            "double": _DOUBLES,
            "uint": _UINTS,
            "time": ('timestamp("2026-01-31T12:30:45Z")',),
            "span": ('duration("90s")',),
            "any": ("null", "1", '"a"', f'device.attributes["{DOMAIN}"].i'),
        }
        leaf: str = self._pick(leaves[kind])
        return leaf

    def _with(self, name: str, kind: str, result: str, depth: int) -> str:
        self._variables.append((name, kind))
        made = self.make(result, depth)
        self._variables.pop()
        return made

    def _attribute(self, _depth: int) -> str:
        return f'device.attributes["{self._domain()}"].{self._pick(_IDS)}'

    def _optional(self, depth: int) -> str:
        return str(
            self._pick(
                (
                    f'device.attributes["{self._domain()}"].?{self._pick(_IDS)}',
                    f'device.attributes[?"{self._domain()}"].{self._pick(_IDS)}',
                    f"{{'a': 1}}.?{self._pick(('a', 'z'))}",
                    f"{self.make('ints', depth)}[?{self.make('int', depth)}]",
                    f"optional.of({self.make('int', depth)})",
                    "optional.none()",
                    f"optional.ofNonZeroValue({self.make('int', depth)})",
                    f"{self.make('ints', depth)}.{self._pick(('first', 'last'))}()",
                    f"optional.of(1).optMap(o, {self._with('o', 'int', 'int', depth)})",
                )
            )
        )

    def _comparison(self, depth: int) -> str:
        kind = self._kind()
        operator = self._pick(("==", "==", "!=", "<", "<=", ">", ">="))
        return f"({self.make(kind, depth)} {operator} {self.make(kind, depth)})"

    def _logic(self, depth: int) -> str:
        return f"({self.make('bool', depth)} {self._pick(('&&', '||'))} {self.make('bool', depth)})"

    def _membership(self, depth: int) -> str:
        kind = self._pick((("int", "ints"), ("string", "strings"), ("any", "ints"), ("any", "strings")))
        if self._random.random() < 0.3:
            return f'{self._pick(_STRINGS)} in device.attributes["{self._domain()}"]'
        return f"{self.make(kind[0], depth)} in {self.make(kind[1], depth)}"

    def _text_test(self, depth: int) -> str:
        method = self._pick(("contains", "startsWith", "endsWith", "matches"))
        argument = self._pattern() if method == "matches" else self.make("string", depth)
        return f"{self.make('string', depth)}.{method}({argument})"

    def _pattern(self) -> str:
        return f'"{self._pick(_PATTERNS)}"'

    def _presence(self, depth: int) -> str:
        if self._random.random() < 0.4:
            return f"{self._optional(depth)}.hasValue()"
        return f"has({self._attribute(depth)})"

    def _quantifier(self, depth: int) -> str:
        macro = self._pick(("all", "exists", "exists_one"))
        if self._random.random() < 0.2:
            return f"device.attributes.{macro}(d, {self._with('d', 'string', 'bool', depth)})"
        if self._random.random() < 0.2:
            name = {"exists_one": "existsOne"}.get(macro, macro)
            return f"{self.make('ints', depth)}.{name}(k, x, {self._with('x', 'int', 'bool', depth)})"
        kind, element = self._pick((("ints", "int"), ("strings", "string"), ("any", "any")))
        return f"{self.make(kind, depth)}.{macro}(x, {self._with('x', element, 'bool', depth)})"

    def _checker(self, depth: int) -> str:
        function = self._pick(("isQuantity", "isSemver", "isURL", "isIP", "isCIDR"))
        return f"{function}({self.make('string', depth)})"

    def _network_test(self, depth: int) -> str:
        return str(
            self._pick(
                (
                    f'cidr("10.0.0.0/8").containsIP({self.make("string", depth)})',
                    f"ip({self.make('string', depth)}).{self._pick(('isLoopback', 'isGlobalUnicast'))}()",
                    f"cidr({self.make('string', depth)}).prefixLength() == 8",
                    f"format.dns1123Label().validate({self.make('string', depth)}).hasValue()",
                    (
                        f"format.{self._pick(('uri', 'uuid', 'date', 'byte', 'datetime', 'labelValue'))}()"
                        f".validate({self.make('string', depth)}).hasValue()"
                    ),
                )
            )
        )

    def _int_list(self, depth: int) -> str:
        return f"[{', '.join(self.make('int', depth) for _ in range(self._random.randrange(4)))}]"

    def _string_list(self, depth: int) -> str:
        return f"[{', '.join(self.make('string', depth) for _ in range(self._random.randrange(4)))}]"

    def _ternary(self, kind: str) -> Callable[[int], str]:
        def made(depth: int) -> str:
            return f"({self.make('bool', depth)} ? {self.make(kind, depth)} : {self.make(kind, depth)})"

        return made
