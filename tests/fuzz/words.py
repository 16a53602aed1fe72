"""The words that mutations put into files: Kubernetes' own, those of YAML, JSON and CEL, and traps."""

from __future__ import annotations

from typing import Any

__all__ = [
    "BOMBS",
    "BYTES",
    "CEL",
    "DIALECTS",
    "FILE_NAMES",
    "GATES",
    "KINDS",
    "MINORS",
    "NAMES",
    "NUMBERS",
    "PATHS",
    "QUANTITIES",
    "SCALARS",
    "SCHEMAS",
    "STEPS",
    "TRAPS",
    "VERSIONS",
]

MINORS = ("1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37", "1.38")

VERSIONS = (
    "resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3",
    "resource.k8s.io/v1alpha2", "resource.k8s.io/v1alpha1", "v1", "apps/v1", "batch/v1", "dractl.test/1",
    "devmgmtproto.k8s.io/v1alpha1", "devmgmtproto.k8s.io/v2", "resource.k8s.io/", "/", "",
    "resource.k8s.io/v1/x",
)  # fmt: skip
KINDS = (
    "ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice", "DeviceTaintRule", "Pod",
    "Node", "Namespace", "List", "ResourceClaimList", "PodList", "Deployment", "StatefulSet", "DaemonSet",
    "ReplicaSet", "Job", "CronJob", "ResourceClass", "ResourceClaimParameters", "ResourceClassParameters",
    "PodSchedulingContext", "ResourcePoolStatusRequest", "DevicePool", "DeviceDriver", "DeviceClaim",
    "DeviceClaimGroup", "DeviceClassList", "ResourcePool", "Quota", "NamedResources", "", "pod",
)  # fmt: skip
DIALECTS = (
    "kubecon", "proto-pools", "proto-status", "proto-list", "proto-oneof", "proto-group", "dra-evo",
    "dra-evo-classic", "dra-evo-netpool", "dra-evo-content", "dra-evo-attrs", "dra-evo-groups",
    "dra-evo-shape", "dra-evo-cel", "dra-evo-named", "dra-evo-templates", "nv-named", "nv-mixin",
)  # fmt: skip
GATES = (
    "DRAAdminAccess", "DRAPrioritizedList", "DRAPartitionableDevices", "DRADeviceTaints",
    "DRADeviceTaintRules", "DRAConsumableCapacity", "DRADeviceBindingConditions",
    "DRAResourceClaimDeviceStatus", "DRAExtendedResource", "DRAListTypeAttributes", "DRADerivedAttributes",
    "DynamicResourceAllocation", "DRAControlPlaneController", "DRASchedulerFilterTimeout",
    "DRANodeAllocatableResources", "AllAlpha", "AllBeta",
)  # fmt: skip

TRAPS = (
    "\x1b[2J\x1b]0;x\x07", "\u202egpu", "\u2066a\u2069", "\u200b", "\u2028::error::x", "\u0085::error::x",
    "\r::error title=a::b", "\n::error title=a::b", "::error file=a::b",
    "##vso[task.setvariable variable=a]b", "##[error]a", "\u009b31m", "\U000e0041", "\ufeff", "\ufffe",
    "\U0010ffff", "e\u0301" * 50, "\ud83d", "\x00", "\x7f", "İ", "ß", "%s%n{0}{a.b}", "{{ .Values.x }}",
    "${jndi:x}", "$(id)", "`id`", "__class__", "[bold]x[/]",
)  # fmt: skip
"""Texts that steer a terminal, command a CI, or mean something to a careless program."""

NAMES = (
    "", "a", "A", "-", "--", "a/b", "../a", "/", ".", "a" * 63, "a" * 64, "a" * 253, "a" * 10_000, "a.b",
    "a_b", "0", "null", "true", "~", "gpu-0", "node-a", "default", "example.com/gpu", "a\n", "a b", "*",
    "é", "kubernetes.io/hostname", "gpu.example.com/model", "x:y", "#", "-1", "1e3", "0x10", *TRAPS,
)  # fmt: skip

NUMBERS: tuple[Any, ...] = (
    0, -1, 1, 2, 3, 8, 32, 128, 129, 1000, 100_000, 10**6, 10**9, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1,
    2**63, 2**64, -(2**63), -(2**63) - 1, 10**30, 10**400, 0.5, -0.0, 1e308, 1e-320, float("inf"),
    float("nan"), 1.0,
)  # fmt: skip
QUANTITIES = (
    "0", "1", "-1", "100m", "1n", "1Gi", "8Ei", "9223372036854775807", "9223372036854775808",
    "9223372036854775807Ei", "1e18", "1e30", "1e-30", "1E", "1e999999999", "1e-999999999", "." * 3, "+1",
    "1_0", "0x10", "９", "1" * 1000, "0." + "1" * 1000, "1 Gi", "1gi", "Infinity", "NaN", "",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (
    None, True, False, [], {}, [None], [{}], {"": None}, [[]], [[[]]], {"a": {"b": {"c": []}}}, "", "x", 0,
    -1, 1.5, ["a", "a"], {"name": None}, {"name": []}, [1, "1", True], {"<<": 1}, {"=": 1}, "2001-01-01",
    "12:30",
)  # fmt: skip

CEL = (
    "device", "device.driver", "device.attributes", "device.capacity",
    'device.attributes["gpu.example.com"].model', 'device.attributes["gpu.example.com"]',
    'device.capacity["gpu.example.com"].memory', "true", "false", "null", "0", "1", "-1",
    "9223372036854775807", "-9223372036854775808", "1u", "18446744073709551615u", "1e308", "0.0", "[]",
    "{}", "[1,2,3]", '{"a": 1}', '""', "''", "'a'", "b'a'", 'r"\\d"', "'''a'''", "==", "!=", "<", ">",
    "<=", ">=", "+", "-", "*", "/", "%", "&&", "||", "!", "?", ":", "(", ")", "[", "]", "{", "}", ".",
    ".?", "[?", ",", "in", "has(", "size(", ".size()", ".exists(x, x > 0)", ".all(x, true)",
    ".map(x, [x, x])", ".filter(x, x)", ".exists_one(x, x)", ".matches('(a+)+$')", ".find('a')",
    ".findAll('.')", ".split('')", ".replace('', 'aa')", ".join('')", ".sort()", ".sum()", ".indexOf('')",
    ".lowerAscii()", ".charAt(0)", ".substring(1, 0)", ".format([1])",
    "'%s %d %f %x %e'.format([1, 2, 3.0, 4, 5.0])", "quantity('1Gi')", "quantity('1e999999999')",
    "semver('1.2.3')", "semver('v1', true)", "url('https://a/b?c=d')", "ip('::1')", "cidr('10.0.0.0/8')",
    "duration('1h')", "timestamp('2024-01-01T00:00:00Z')", "type(", "dyn(", "int(", "uint(", "double(",
    "string(", "bytes(", "bool(", "optional.of(1)", "optional.none()", ".orValue(1)", ".hasValue()",
    ".value()", "cel.bind(x, 1, x)", "sets.contains([1], [1])", "lists.range(100000)",
    "math.greatest(1, 2)", "base64.encode(", ".isLessThan(", ".compareTo(", ".asInteger()", ".add(",
    ".sub(", ".includes('a')", "google.protobuf.Struct{}", "/*", "//", "\\u0000", "'\\", "'\\ud800'",
    "`a-b`", "_", "__", "@", "#",
)  # fmt: skip
BOMBS = (
    "(a+)+$", "(a|aa)+$", "(.*)*x", "((a{0,100}){0,100}){0,10}", "a{1000}", "(?:a{1,32}){1,32}",
    "[a-z]{1,1000}b", "(?i)(" + "|".join("ab" * n for n in range(1, 40)) + ")*$", "\\pL+" * 50,
    "^(([a-z])+.)+[A-Z]([a-z])+$", "(" * 200, "x*" * 300 + "y", "\\C", "(?P<a>b)", "[[:alpha:]]",
    "\\x{10FFFF}", "[^\\x00-\\x{10FFFF}]", "(?s-m:.)*", "\\Qa\\E", "[",
)  # fmt: skip
"""Regular expressions that are dear to match, or that engines read differently."""

BYTES = tuple(
    word.encode("utf-8", "surrogatepass")
    for word in (
        "---\n", "--- ", "...\n", "\n...\n---\n", "- ", "? ", ": ", "&a ", "*a", "<<: *a\n", "!!binary ",
        "!!python/name:os.system ", "!!set ", "!<tag:yaml.org,2002:str> ", "!!float ", "!!timestamp ",
        "!!map", "|\n", "|2-\n", ">+\n", "%YAML 1.1\n", "%TAG ! !x\n", "{", "}", "[", "]", ",", '"', "'",
        "#", "\t", "\\", "\\x41", "\\ud800", "\\u0000", "null", "~", "yes", "off", "0o17", "0b1", ".inf",
        "1_0", "1:30", "\n\n", "\r\n", "\r", "\u2028", "\u0085", "apiVersion: v1\n", "kind: Pod\n",
        "kind: List\nitems:\n", "metadata: {name: a}\n", "spec:\n", "devices:\n", "requests:\n",
        "exactly: ", "firstAvailable: ", "allocationMode: All\n", "count: 99999999999999999999\n",
        "expression: ", "schema: dractl.test/1\n", "schema: dractl.scenario/1\nsteps:\n", "{{ x }}",
        "$schema", "$ref", *TRAPS,
    )
)  # fmt: skip

STEPS = (
    "apply", "delete", "complete", "fail", "scale", "cordon", "uncordon", "drain", "taint", "untaint",
    "taintDevice", "untaintDevice", "publish", "withdraw", "conditions", "timeout", "expect", "about",
)  # fmt: skip

PATHS = (
    "-",
    "--",
    "",
    ".",
    "..",
    "../outside.yaml",
    "/etc/hostname",
    "/proc/self/environ",
    "/dev/stdin",
    "/dev/null",
    "a" * 300,
)
"""Where a file of a stranger may point to; the folder above the case holds outside.yaml."""

FILE_NAMES = (
    "::error title=approved::all checks passed.yaml", "##vso[task.setvariable variable=x]y.yaml",
    "a\n::error::b.yaml", "a\x1b[2Jb.yaml", "a\u202eb.yaml", "a b.yaml", "é.yaml", "\udcff.yaml",
    "-n.yaml", "a.YAML", "[a].yaml", "a=b,c.yaml", "a\r::error::b.yml", "a\u2028b.json", "a\u009bb.yaml",
    "a\u200bb.yaml", "%0A.yaml", "~.yaml", "a:1:2.yaml",
)  # fmt: skip

SCHEMAS: tuple[Any, ...] = (
    {"$ref": "#"}, {"$ref": "#/x"}, {"$ref": "http://localhost:1/x"}, {"$ref": "file:///etc/hostname"},
    {"$ref": 5}, {"$ref": "#/$defs/a"}, {"$schema": 5}, {"$schema": ["a"]},
    {"$schema": "http://json-schema.org/draft-03/schema#"}, {"$schema": "x"}, {"$id": 5},
    {"$id": "http://a/b", "$ref": "c"}, {"pattern": "^(a+)+$"}, {"pattern": "["},
    {"patternProperties": {"^(a|aa)+$": False}}, {"uniqueItems": True},
    {"contains": {}, "minContains": -1}, {"type": 5}, {"type": ["string", 5]}, {"enum": 1},
    {"required": "a"}, {"properties": []}, {"additionalProperties": 5}, {"items": [True, False]},
    {"multipleOf": 0}, {"multipleOf": 1e-300}, {"maximum": "a"}, {"minLength": 10**30},
    {"not": {"$ref": "#"}}, {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}, {"anyOf": []},
    {"if": {"$ref": "#"}}, {"$dynamicRef": "#a"}, {"$dynamicAnchor": "a", "$dynamicRef": "#a"},
    {"$recursiveRef": "#"}, {"format": "regex"}, {"format": 5}, {"unevaluatedProperties": False},
    {"unevaluatedItems": {"$ref": "#"}}, {"propertyNames": {"pattern": "(.*)*x"}}, {"const": float("nan")},
    {"dependentSchemas": {"a": {"$ref": "#"}}}, {"dependencies": {"a": 5}}, {"$anchor": 5},
    {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, {"$vocabulary": {"x": True}},
    {"contentMediaType": "x"}, True, False, None, [], 5, "x",
)  # fmt: skip
"""JSON Schemas, and what stands in place of one."""
