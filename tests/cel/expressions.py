"""Random CEL expressions by a grammar of types: mostly well typed, sometimes not, over the devices below.

The grammar is data. In a production ``<int>`` stands for an expression of that kind, ``<bool x:int>`` for one
that may use the variable ``x``, and the name of a list of words for one of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
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

_DOMAINS = (DOMAIN, DOMAIN, DOMAIN, OTHER, "nowhere.io")

WORDS: dict[str, tuple[str, ...]] = {
    "attributes": tuple(f'device.attributes["{domain}"]' for domain in _DOMAINS),
    "capacity": tuple(f'device.capacity["{domain}"]' for domain in _DOMAINS),
    "domain": tuple(f'"{domain}"' for domain in _DOMAINS),
    "id": ("s", "i", "b", "v", "neg", "ip", "missing", "words", "numbers", "flags", "releases"),
    "pattern": (
        '"^A[0-9]+"', '"[a-z]+"', r'"\\d+$"', '"(a|b)*c"', '"^(a+)+$"', '"(?i)GPU"', '"x{2,3}"', '"a??"',
        r'"\\bgpu\\b"', '"[^a-c]"', '"(?P<n>.)"', '""', '"^$"', '"[[:alpha:]]+"', r'"\\pL+"', '"a|ab|abc"',
        '"("', '"a{1001}"', '"(?<=a)b"', r'"\\1"', '"*"', '"[z-a]"', '"(?s)."', '"(?m)^g"', '"[0-9]{2,}-"',
        '"(?:ab?)+"', '".*?0"', r"r'\p{Greek}|\p{Latin}+'", r"'\\p{Nothing}'", r"r'[\w.-]+\.\w{2,}'",
        r"r'(?i)[^\PL]'", r"r'\Qa.b\E|\x41|\x{1F600}'", "'(|a)+'", "'(a|)*?b'", r"r'(?:\b|x)+'",
    ),
    "text": (
        '""', '"a"', "'gpu'", '"Ünïcode"', 'r"a\\b"', '"10Gi"', '"1.2.3"', '"10.0.0.1"', '"10.0.0.0/8"',
        '"::1"', '"a,b,,c"', '"2026-01-31T12:30:45.5Z"', '"1h30m"', '"true"', '"-5"', '"1e3"', '" trim\\t"',
        '"https://user@example.com:80/a b?x=1;y"', '"v1.2"', '"""multi\nline"""', '"\\u00e9\\x41\\101"',
        '"fe80::1%eth0"', '"::ffff:1.2.3.4"', '"2001:db8::/32"', '"10.0.0.1/8"', '"example.com/name"',
        '"a-"', '"/p?q=a%20b&q=2"', '"0x1p-2"', '"Infinity"', '"YWJj"', '"2026-02-29"', '"😀x"',
        '"01234567-89ab-cdef-0123-456789abcdef"', "'%s %d'", '"\\""', '"İI\u0131K\u212a"',
    ),
    "whole": (
        "0", "1", "-1", "2", "5", "42", "-7", "9223372036854775807", "-9223372036854775808", "0x1F", "100",
    ),
    "real": (
        "0.0", "1.5", "-2.25", "1e10", "1e-7", "3.0", "123456789.0", ".5", "-0.0", "1e308",
        "9007199254740993.0",
    ),
    "natural": ("0u", "1u", "42u", "18446744073709551615u", "0xFFu"),
    "amount": (
        '"1"', '"1.5Gi"', '"10Gi"', '"1500m"', '"0"', '"-3"', '"1e3"', '"100E"', '"0.1n"', '"1Pi"', '"x"',
        '"5Ki"', '"1k"', '"9223372036854775807"', '"9223372036854775808"', '"-1.5Ki"', '".5"', '"1e-10"',
    ),
    "release": (
        '"1.2.3"', '"1.10.3-beta.2"', '"2.0.0"', '"1.2"', '"v1.0.0"', '"0.0.0+b"', '"1.0.0-rc.1"',
        '"01.2.3"', '"1.2.3-01"', '"1.0.0-rc.1.x"', '"18446744073709551615.0.0"', '"V1"', '"1.2-a"',
    ),
    "raw": ("b''", "b'abc'", "b'\\xff\\x00'", "b'Ü'"),
    "moment": (
        '"2026-01-31T12:30:45.123Z"', '"1999-12-31T23:59:59+05:30"', '"0001-01-01T00:00:00Z"',
        '"9999-12-31T23:59:59.999999999Z"', '"1970-01-01T00:00:00-08:00"', '"2024-02-29T1:02:03Z"',
        '"2026-01-31"',
    ),
    "length": (
        '"1h"', '"90s"', '"1.5h"', '"-3m"', '"1ns"', '"0"', '"100ms"', '"1h-1s"', '"2562047h47m"', '"1d"',
    ),
    "zone": (
        '"UTC"', '"+02:30"', '"-05:00"', '"Europe/Berlin"', '"nowhere"', '""', '"02:00"',
        '"America/New_York"',
    ),
    "address": (
        '"10.0.0.1"', '"::1"', '"::ffff:1.2.3.4"', '"fe80::1"', '"224.0.0.1"', '"10.0.0.01"', '"127.0.0.1"',
    ),
    "network": (
        '"10.0.0.0/8"', '"10.1.2.3/8"', '"2001:db8::/32"', '"::/0"', '"0.0.0.0/0"', '"10.0.0.0/33"', '"x"',
    ),
    "site": (
        '"https://example.com:8080/p/%20?q=1&q=2#f"', '"/a/b?x=%zz"', '"https://[::1]:80/"', '"mailto:a@b"',
        '"x y"', '"http://user:pw@h/a b"', '"HTTP://EXAMPLE.com/%7Ea"',
    ),
    "named": (
        "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix",
        "labelValue", "uri", "dns1123SubdomainPrefix", "dns1035LabelPrefix", "uuid", "byte", "date",
        "datetime",
    ),
    "template": (
        "'%s'", "'%s-%s'", "'%d|%s'", "'%x%%%X'", "'%.2f %e'", "'%b %o'", "'%5d'", "'%.3e|%f'", "'%s %s %s'",
        "'%q'", "'%'",
    ),
    "order": ("==", "==", "!=", "<", "<=", ">", ">="),
    "same": ("==", "!="),
    "logic": ("&&", "||"),
    "sum": ("+", "-"),
    "math": ("+", "-", "*", "/", "%"),
    "fraction": ("+", "-", "*", "/"),
    "quantifier": ("all", "exists", "exists_one"),
    "pairs": ("all", "exists", "existsOne", "exists_one"),
    "affix": ("contains", "startsWith", "endsWith"),
    "found": ("indexOf", "lastIndexOf"),
    "extreme": ("max", "min"),
    "type": (
        "int", "string", "bool", "list", "type", "double", "map", "null_type", "net.IP", "optional_type",
    ),
    "checked": ("isQuantity", "isSemver", "isURL", "isIP", "isCIDR", "ip.isCanonical"),
    "subset": ("contains", "equivalent", "intersects"),
    "added": ("add", "sub"),
    "small": ("0", "1", "3", "5", "-1", "300"),
    "less": ("isLessThan", "isGreaterThan"),
    "flag": ("true", "false"),
    "date-part": ("getFullYear", "getMonth", "getDate", "getDayOfWeek", "getDayOfMonth", "getDayOfYear"),
    "time-part": ("getHours", "getMinutes", "getSeconds", "getMilliseconds"),
    "ip-part": (
        "isLoopback", "isGlobalUnicast", "isUnspecified", "isLinkLocalUnicast", "isLinkLocalMulticast",
    ),
    "url-part": ("getHost", "getScheme", "getPort", "getHostname", "getEscapedPath"),
    "field": ("driver", "attributes", "capacity", "allowMultipleAllocations", "name"),
    "part": ("major", "minor", "patch"),
    "key": ("a", "b", "c"),
    "rearranged": ("reverse", "distinct", "sort"),
    "end": ("first", "last"),
    "cased": ("lowerAscii", "upperAscii", "trim"),
}  # fmt: skip

PRODUCTIONS: dict[str, tuple[str, ...]] = {
    "bool": (
        "(<kind> <order> <kind>)", "(<int> <order> <int>)", "(<string> <order> <string>)",
        "(<any> <order> <any>)", "(<quantity> <same> <quantity>)", "(<version> <same> <version>)",
        "(<bytes> <order> <bytes>)", "(<time> <order> <time>)", "(<span> <order> <span>)",
        "(<double> <order> <int>)", "(<double> <order> <double>)", "(<uint> <order> <uint>)",
        "(<uint> <order> <int>)", "(<int> <order> <uint>)", "(<uint> <order> <double>)",
        "(<double> <order> <uint>)", "(<bool> <order> <bool>)", "(<map> <same> <map>)",
        "(<bool> <logic> <bool>)",
        "(<bool> <logic> <bool>)", "(<bool> <logic> <bool>)", "!(<bool>)", "(<bool> ? <bool> : <bool>)",
        "<int> in <ints>", "<string> in <strings>", "<any> in <ints>", "<any> in <strings>",
        "<string> in <map>", "<text> in <attributes>", "<domain> in device.attributes",
        "<version> in <versions>", "<any> in <any>", "<string>.<affix>(<string>)",
        "<string>.matches(<pattern>)", "matches(<string>, <pattern>)", "<optional>.hasValue()",
        "has(<attributes>.<id>)", "has(<map>.<key>)", "<ints>.<quantifier>(x, <bool x:int>)",
        "<strings>.<quantifier>(x, <bool x:string>)", "<any>.<quantifier>(x, <bool x:any>)",
        "<map>.<quantifier>(x, <bool x:string>)", "device.attributes.<quantifier>(d, <bool d:string>)",
        "<attributes>.<quantifier>(k, <bool k:string>)", "<ints>.<pairs>(k, x, <bool k:int x:int>)",
        "<map>.<pairs>(k, x, <bool k:string x:int>)", "<checked>(<string>)", "<checked>(<text>)",
        "isSemver(<string>, <flag>)", "sets.<subset>(<ints>, <ints>)", "sets.<subset>(<strings>, <strings>)",
        "<version>.<less>(<version>)", "<quantity>.<less>(<quantity>)", "<quantity>.isInteger()",
        "<ints>.isSorted()", "<strings>.isSorted()", "<others>.isSorted()", "bool(<string>)",
        "bool(<bool>)", "type(<any>) == <type>",
        "type(<kind>) == type(<kind>)", "cel.bind(z, <any>, <bool z:any>)",
        "cel.bind(z, <string>, <bool z:string>)", "cel.bind(z, <quantity>, <bool z:quantity>)",
        "cel.bind(z, <version>, <bool z:version>)", "cel.bind(z, <held>, <bool z:held>)", "<held>.hasValue()",
        "(<held> == <held>)", "[<quantity>, <quantity>].<quantifier>(x, <bool x:quantity>)",
        "<versions>.<quantifier>(x, <bool x:version>)", "[<held>, <held>].<quantifier>(x, <bool x:held>)",
        "ip.isCanonical(<address>)", "lists.range(300).<quantifier>(x, <bool x:int>)",
        "has(device.<field>)", "has(<attributes>.?<id>.<key>)", "<bool> // <text>\n",
        "device.`attributes`.size() == <int>", "device.?driver.hasValue()", "<any> in <map>",
        "[<kind>, <kind>,].size() == <int>", "<others>.<extreme>() == <others>[0]",
        "<ints>.includes(<int>)", "<any>.includes(<any>)",
        "<cidr>.containsIP(<ip>)", "<cidr>.containsIP(<address>)", "<cidr>.containsCIDR(<cidr>)",
        "<cidr>.containsCIDR(<network>)", "<ip>.<ip-part>()", "<ip> == <ip>", "<cidr> == <cidr>",
        "url(<site>) == url(<site>)", "format.<named>().validate(<string>).hasValue()",
        "format.named(<string>).hasValue()", "<optional> == <optional>", "<lists> == <lists>",
    ),
    "int": (
        "(<int> <math> <int>)", "(<int> <math> <int>)", "size(<sized>)", "<sized>.size()", "int(<kind>)",
        "-(<int>)", "int(<string>)", "int(<double>)", "int(<time>)", "<string>.<found>(<string>)",
        "<string>.<found>(<string>, <int>)", "<quantity>.asInteger()", "<quantity>.compareTo(<quantity>)",
        "sign(<quantity>)", "<version>.<part>()", "<version>.compareTo(<version>)", "<ints>.<extreme>()",
        "<ints>.sum()", "<ints>[<int>]", "<ints>.<found>(<int>)", "(<bool> ? <int> : <int>)",
        "<optional>.orValue(<int>)", "<optional>.value()", "<time>.<date-part>()",
        "<time>.<date-part>(<zone>)", "<time>.<time-part>(<zone>)", "<time>.<time-part>()",
        "<others>.<found>(<kind>)", "<uint> > 1u ? <int> : <int>", "[?<optional>].size()",
        "<span>.<time-part>()", "<map>.<key>",
        "<map>[<string>]", "<ip>.family()", "<cidr>.prefixLength()", "cel.bind(z, <int>, <int z:int>)",
        "<lists>[<int>][<int>]", "google.protobuf.Int64Value{value: <int>}",
        "format.<named>().validate(<string>).orValue([]).size()",
    ),
    "string": (
        "(<string> + <string>)", "<string>.<cased>()", "<string>.substring(<int>)", "<string>.charAt(<int>)",
        "<string>.substring(<int>, <int>)", "<string>.replace(<string>, <string>)",
        "<string>.replace(<string>, <text>, <int>)", "<string>.find(<pattern>)", "<strings>.join()",
        "<strings>.join(<text>)", "string(<kind>)", "string(<double>)", "string(<time>)", "string(<span>)",
        "string(<bytes>)", "<template>.format([<any>, <string>])", "<template>.format([<kind>, <kind>])",
        "'%s %d'.format([<strings>, <int>])", "'%s'.format([<map>])", "strings.quote(<string>)",
        "url(<site>).<url-part>()", "url(<string>).<url-part>()", "string(<ip>)", "string(<cidr>)",
        "(<bool> ? <string> : <string>)", "<strings>[<int>]", "<strings>.<extreme>()",
        "optional.of(<string>).orValue(<string>)",
    ),
    "ints": (
        "[]", "[<int>]", "[<int>, <int>]", "[<int>, <int>, <int>]", "[<int>, ?<optional>]",
        "(<ints> + <ints>)", "<ints>.<rearranged>()", "<ints>.slice(<int>, <int>)", "lists.range(<small>)",
        "<ints>.map(x, <int x:int>)", "<ints>.filter(x, <bool x:int>)", "<ints>.map(x, <bool x:int>, x + 1)",
        "<ints>.sortBy(x, <int x:int>)", "<ints>.sortBy(x, <string x:int>)", "<lists>.flatten()",
        "<ints>.transformList(k, x, <int k:int x:int>)", "<map>.transformList(k, x, <int k:string x:int>)",
        "<ints>.transformList(k, x, <bool k:int x:int>, <int k:int x:int>)", "<map>.map(k, <int k:string>)",
        "optional.unwrap([<optional>, <optional>])", "[<optional>].unwrapOpt()",
    ),
    "lists": (
        "[<ints>, <ints>]", "[[1], []]", "<ints>.map(x, <ints x:int>)", "(<lists> + <lists>)",
        "[<lists>, [<ints>]].flatten()", "[[<ints>], <lists>].flatten(<int>)",
        "<lists>.filter(x, <bool x:ints>)",
    ),
    "strings": (
        "[<string>]", "[<string>, <string>]", "[<string>, <string>, <text>]", "<string>.split(<string>)",
        "<string>.split(<text>, <int>)", "<string>.findAll(<pattern>)", "<string>.findAll(<pattern>, <int>)",
        "<strings>.map(x, <string x:string>)", "<strings>.<rearranged>()", "<map>.map(k, k)",
        "url(<site>).getQuery()[<string>]", "<strings>.filter(x, <bool x:string>)",
        "device.attributes.map(d, d)", "<attributes>.map(k, k)", "<strings>.sortBy(x, <int x:string>)",
    ),
    "versions": ("[<version>]", "[<version>, <version>]", "<attributes>.releases"),
    "quantity": (
        "quantity(<amount>)", "quantity(<amount>)", "<capacity>.m", "<capacity>.milli", "<capacity>.one",
        "<capacity>.zz", '<capacity>["m"]', "<quantity>.<added>(<quantity>)", "<quantity>.<added>(<int>)",
        "quantity(<string>)", '<capacity>.?zz.orValue(quantity("1"))', "(<bool> ? <quantity> : <quantity>)",
        "cel.bind(z, <quantity>, <quantity z:quantity>)", "[<quantity>].map(x, <quantity x:quantity>)[0]",
        "<capacity>.?m.orValue(<quantity>)",
        "optional.of(<quantity>).optMap(o, <quantity o:quantity>).value()",
    ),
    "version": (
        "semver(<release>)", "semver(<release>)", "semver(<release>, <flag>)", "<attributes>.v",
        "semver(<string>)", "<attributes>.releases[<int>]",
    ),
    "double": (
        "<real>", "(<double> <fraction> <double>)", "double(<int>)", "double(<string>)", "double(<uint>)",
        "<quantity>.asApproximateFloat()", "-(<double>)", "[<double>, <real>].<extreme>()",
        "[<double>, <double>].sum()", "double(<double>)",
    ),
    "uint": (
        "<natural>", "(<uint> <math> <uint>)", "uint(<int>)", "uint(<string>)", "uint(<double>)",
        "[<uint>, 1u].sum()", "uint(<uint>)", "[<uint>, <uint>].<extreme>()",
    ),
    "time": ("timestamp(<moment>)", "timestamp(<int>)", "(<time> <sum> <span>)", "timestamp(<string>)",
        "(<span> + <time>)", "timestamp(<time>)"),
    "span": (
        "duration(<length>)", "(<time> - <time>)", "(<span> <sum> <span>)", "duration(<string>)",
        "[<span>, <span>].sum()", "duration(<span>)",
    ),
    "bytes": ("<raw>", "bytes(<string>)", "(<bytes> + <bytes>)", "bytes(<bytes>)"),
    "others": (
        "[<bool>, <bool>]", "[<time>, <time>]", "[<span>, <span>]", "[<bytes>, <bytes>]",
        "[<double>, <double>]",
        "[<uint>, <uint>]", "[<any>, <any>]", "<attributes>.flags", "<attributes>.words",
    ),
    "held": (
        "optional.of(<kind>)", "optional.of(<version>)", "optional.of(<quantity>)", "<attributes>.?<id>",
        "<capacity>.?m", "optional.ofNonZeroValue(<kind>)", "<held>.optMap(o, <kind o:any>)",
        "<held>.optFlatMap(o, <held o:any>)", "<held>.or(<held>)", "(<bool> ? <held> : <held>)",
        "optional.of(<held>)",
        "<strings>.<end>()", "<versions>[?<int>]", "cel.bind(z, <held>, z)",
    ),
    "map": (
        "{'a': <int>, 'b': <int>}", "{}", "{<string>: <int>}", "{'a': 1, ?'b': <optional>}",
        "<map>.transformMap(k, x, <int k:string x:int>)", "<ints>.transformMapEntry(k, x, {string(x): k})",
        "<map>.transformMap(k, x, <bool k:string x:int>, x)", "{'a': 1, 'a': <int>}",
    ),
    "ip": ("ip(<address>)", "ip(<string>)", "<cidr>.ip()"),
    "cidr": ("cidr(<network>)", "cidr(<string>)", "<cidr>.masked()"),
    "optional": (
        "<attributes>.?<id>", 'device.attributes[?"gpu.example.com"].<id>', "{'a': 1}.?<key>",
        "<ints>[?<int>]", "optional.of(<int>)", "optional.none()", "optional.ofNonZeroValue(<int>)",
        "<ints>.<end>()", "<optional>.optMap(o, <int o:int>)", "<optional>.optFlatMap(o, <optional o:int>)",
        "<optional>.or(<optional>)", "<map>[?<string>]", "<attributes>[?<text>]",
        "<attributes>.?numbers[?<int>]",
    ),
    "any": (
        "<attributes>.<id>", "<attributes>.<id>", "<attributes>.<id>", '<attributes>["<id>"]', "dyn(<kind>)",
        "<attributes>.?<id>.orValue(<kind>)", "(<bool> ? <attributes>.<id> : <attributes>.<id>)",
        "<attributes>", "<held>.value()", "<held>.orValue(<any>)", "dyn(<held>)",
    ),
    "sized": ("<string>", "<ints>", "<strings>", "<map>", "<bytes>", "<any>", "device.attributes", "<lists>"),
    "kind": (
        "<bool>", "<int>", "<int>", "<string>", "<string>", "<ints>", "<strings>", "<quantity>", "<version>",
        "<double>", "<uint>", "<any>", "<any>", "<time>", "<span>", "<bytes>", "<map>", "<optional>", "<ip>",
        "<cidr>", "null", "<lists>", "<versions>", "<type>", "device", "url(<site>)", "format.<named>()",
        "<others>",
        "<held>",
    ),
}  # fmt: skip

_ATTRIBUTES, _CAPACITY = f'device.attributes["{DOMAIN}"]', f'device.capacity["{DOMAIN}"]'

LEAVES: dict[str, tuple[str, ...]] = {
    "bool": ("true", "false", f"{_ATTRIBUTES}.b", "device.allowMultipleAllocations"),
    "int": (*WORDS["whole"], f"{_ATTRIBUTES}.i", f"{_ATTRIBUTES}.neg"),
    "string": (*WORDS["text"], "device.driver", f"{_ATTRIBUTES}.s"),
    "ints": ("[]", "[1, 2, 3]", "[3, 1, 2]", f"{_ATTRIBUTES}.numbers"),
    "lists": ("[[1], [2, 3]]", "[[]]"),
    "strings": ("[]", '["a", "b"]', '["b", "a", "b"]', f"{_ATTRIBUTES}.words"),
    "versions": ('[semver("1.0.0")]', f"{_ATTRIBUTES}.releases"),
    "quantity": ('quantity("1.5Gi")', f"{_CAPACITY}.m"),
    "version": ('semver("1.2.3")', f"{_ATTRIBUTES}.v"),
    "double": WORDS["real"],
    "uint": WORDS["natural"],
    "time": ('timestamp("2026-01-31T12:30:45Z")',),
    "span": ('duration("90s")',),
    "bytes": WORDS["raw"],
    "map": ("{'a': 1, 'b': 2}", "{}"),
    "ip": ("ip('10.0.0.1')",),
    "cidr": ("cidr('10.0.0.0/8')",),
    "others": ("[true, false]", "[1u]", "[b'a', b'b']"),
    "held": ("optional.of(1)", "optional.none()", f"{_ATTRIBUTES}.?v", f"{_CAPACITY}.?m"),
    "optional": ("optional.of(1)", "optional.none()", f"{_ATTRIBUTES}.?i"),
    "any": ("null", "1", '"a"', f"{_ATTRIBUTES}.i"),
    "sized": ('"abc"', "[1]"),
    "kind": ("1", "'a'", "true"),
}

_PLACE = re.compile(r"<([a-z-]+)((?: [a-z]:[a-z]+)*)>")
_UNTYPED = 0.03
_SHALLOW = 0.12
_ODD = 0.03
_BROKEN = 0.02


class Generator:
    """Makes expressions; equal seeds make equal ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - nothing depends on it being secret
        self._variables: list[tuple[str, str]] = []

    def expression(self, depth: int = 4) -> str:
        """One expression, nearly always of type bool; a few are cut or joined so that they may not parse."""
        self._variables = []
        made = self.make("kind" if self._random.random() < _ODD else "bool", depth)
        return self._broken(made) if self._random.random() < _BROKEN else made

    def value(self, depth: int = 3) -> str:
        """One expression of any type that a derived attribute may have."""
        self._variables = []
        return self.make(self._pick(("bool", "int", "string", "version", "ints", "strings", "any")), depth)

    def make(self, kind: str, depth: int) -> str:
        """An expression of a kind, sometimes of another one."""
        if self._random.random() < _UNTYPED:
            kind = "kind"
        if depth <= 0 or self._random.random() < _SHALLOW:
            return self._leaf(kind)
        production = self._pick(PRODUCTIONS[kind])
        return _PLACE.sub(lambda match: self._filled(match[1], match[2], depth - 1), production)

    def _filled(self, name: str, variables: str, depth: int) -> str:
        if name in WORDS:
            return self._pick(WORDS[name])
        bound = [(text[0], text[2:]) for text in variables.split()]
        self._variables += bound
        # What only chooses among kinds does not make the expression deeper.
        made = self.make(name, depth + 1 if name in {"kind", "sized"} else depth)
        del self._variables[len(self._variables) - len(bound) :]
        return made

    def _leaf(self, kind: str) -> str:
        named = [name for name, variable in self._variables if variable == kind]
        if named and self._random.random() < 0.6:
            return self._pick(named)
        return self._pick(LEAVES[kind])

    def _broken(self, text: str) -> str:
        at = self._random.randrange(len(text))
        return (
            text[:at]
            + self._pick(("", "", "?", ".", ",", "(", "]", "'", "\\", "in", "1", "!", "-"))
            + text[at + 1 :]
        )

    def _pick(self, choices: Sequence[str]) -> str:
        return self._random.choice(choices)
