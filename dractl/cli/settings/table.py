"""The settings: a row for each key of a configuration file, with the option that it sets."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from dractl.records import NamedTuple

__all__ = ["COMMANDS", "OWN", "SHARED", "VARIABLES", "Form", "Setting", "applies", "option_of", "settings_of"]


class Form(StrEnum):
    """How the value of a setting is written in TOML."""

    TEXT = "a string"
    FLAG = "true or false"
    TEXTS = "a list of strings"
    GLOBS = "a list of globs"
    PATHS = "a list of paths"
    PATH = "a path"
    GATES = "a table of true and false"
    LABELS = "a table of tables of strings"
    RULES_BY_GLOB = "a table of lists of rule ids"
    PATHS_BY_NAME = "a table of paths"
    NUMBERS = "a table of numbers"


class Setting(NamedTuple):
    """A key, the form of its value, the field of the options that it sets, and what it means.

    ``choices`` are the only texts allowed; without any, all are.
    """

    key: str
    form: Form
    field: str
    about: str
    example: str
    choices: tuple[str, ...] = ()


SHARED: tuple[Setting, ...] = (
    Setting(
        "kube-version",
        Form.TEXT,
        "kube_version",
        "The Kubernetes minor or patch to follow; for validate also a range.",
        '"1.35"',
    ),
    Setting(
        "feature-gates",
        Form.GATES,
        "feature_gates",
        "Feature gates that differ from the defaults of the minor.",
        "{DRAPartitionableDevices = true}",
    ),
    Setting(
        "select", Form.TEXTS, "select", "Only report these rules; globs allowed.", '["request/*", "cel/*"]'
    ),
    Setting("ignore", Form.TEXTS, "ignore", "Report all rules except these.", '["across/class-missing"]'),
    Setting(
        "per-file-ignores",
        Form.RULES_BY_GLOB,
        "per_file_ignores",
        "Rules to ignore in files that a glob matches.",
        '{"examples/*" = ["document/count-zero"]}',
    ),
    Setting(
        "exclude", Form.GLOBS, "exclude", "Files and folders to ignore, also if they are named.", '["legacy"]'
    ),
    Setting(
        "external",
        Form.TEXTS,
        "external",
        "Objects that exist elsewhere, as `KIND/NAME` or `KIND/NAMESPACE/NAME`; globs allowed.",
        '["DeviceClass/*.nvidia.com"]',
    ),
    Setting(
        "config-schemas",
        Form.PATHS_BY_NAME,
        "config_schema",
        "JSON Schemas of opaque parameters, by `DRIVER/KIND`.",
        '{"gpu.example.com/GpuConfig" = "gpu.schema.json"}',
    ),
    Setting(
        "namespace-labels",
        Form.LABELS,
        "namespace_labels",
        "Labels of namespaces, for admin access.",
        '{monitoring = {"resource.kubernetes.io/admin-access" = "true"}}',
    ),
    Setting("strict", Form.FLAG, "strict", "Fail on warnings too.", "true"),
    Setting(
        "closed-world",
        Form.FLAG,
        "closed_world",
        "With `strict` also fail on references to objects that are not in the input.",
        "true",
    ),
    Setting(
        "world",
        Form.PATHS,
        "world",
        "Files or folders with objects of the cluster; their own findings are not reported.",
        '["cluster/"]',
    ),
    Setting(
        "baseline",
        Form.PATH,
        "baseline",
        "The file with the findings that are known.",
        '"dractl-baseline.json"',
    ),
    Setting(
        "dialect",
        Form.TEXT,
        "dialect",
        "The dialect of objects of a prototype API, if several fit.",
        '"NAME"',
    ),
)
"""The keys at the top of a file: each applies to the commands that have its option."""

VARIABLES: tuple[Setting, ...] = (
    Setting(
        "playground", Form.TEXT, "playground", "The address of the playground.", '"https://dra.example/"'
    ),
)
"""The settings of environment variables only: in a file, a stranger could choose who gets the links."""

_QUIET = Setting("quiet", Form.FLAG, "quiet", "Print only what causes a non-zero exit code.", "true")
_FORMAT = Setting(
    "format", Form.TEXT, "report_format", "The format on standard output, without a file.", '"github"'
)
_NATIVE = Setting("native", Form.FLAG, "native", "Also print the event of the scheduler.", "true")
_REPLICAS = Setting(
    "replicas", Form.NUMBERS, "replicas", "Numbers of pods of workloads, by name.", "{web = 3}"
)

OWN: Mapping[str, tuple[Setting, ...]] = {
    "validate": (
        Setting(
            "field-validation",
            Form.TEXT,
            "field_validation",
            "How unknown and duplicate fields are treated.",
            '"warn"',
            ("strict", "warn", "ignore"),
        ),
        Setting("allow-empty", Form.FLAG, "allow_empty", "Accept files without any document.", "true"),
        Setting("lenient", Form.FLAG, "lenient", "Only warn about fields of prototype examples.", "true"),
        Setting("jobs", Form.TEXT, "jobs", "The number of processes, or `auto`.", '"2"'),
        _FORMAT,
        _QUIET,
    ),
    "simulate": (
        Setting(
            "scheduler-version", Form.TEXT, "scheduler_version", "The release of the scheduler.", '"1.34"'
        ),
        Setting(
            "scheduler-feature-gates",
            Form.GATES,
            "scheduler_feature_gates",
            "Feature gates of the scheduler.",
            "{DRAPrioritizedList = true}",
        ),
        Setting("node-order", Form.TEXTS, "node_order", "Nodes to prefer, in order.", '["node-a"]'),
        _REPLICAS,
        Setting(
            "allocate-unreferenced",
            Form.FLAG,
            "allocate_unreferenced",
            "Also allocate claims that no pod refers to.",
            "true",
        ),
        _NATIVE,
        _FORMAT,
        _QUIET,
    ),
    "why": (_NATIVE, _FORMAT, _QUIET),
    "audit": (_FORMAT, _QUIET),
    "size": (
        _REPLICAS,
        Setting("like", Form.TEXTS, "like", "Nodes to count for the pending pods.", '["node-a"]'),
        _FORMAT,
        _QUIET,
    ),
    "upgrade": (_FORMAT, _QUIET),
    "diff": (_FORMAT, _QUIET),
    "driver": (_FORMAT, _QUIET),
    "replay": (_FORMAT, _QUIET),
    "advisories": (_FORMAT,),
    "test": (_FORMAT, _QUIET),
    "cel": (
        Setting(
            "env",
            Form.TEXT,
            "env",
            "Compile as the API server, as the scheduler, or both.",
            '"new"',
            ("new", "stored", "both"),
        ),
        _FORMAT,
        _QUIET,
    ),
    "possible": (_FORMAT, _QUIET),
    "convert": (_QUIET,),
    "migrate": (_FORMAT, _QUIET),
    "explain": (_FORMAT,),
    "gates": (_FORMAT,),
    "schema": (),
}
"""The keys that only the table of a command has, and all commands that obey a configuration."""

COMMANDS = tuple(OWN)

_ONLY_IN_TABLE = frozenset(
    {
        ("convert", "kube_version"),
        ("test", "kube_version"),
        ("test", "feature_gates"),
        ("schema", "dialect"),
        ("driver", "kube_version"),
    }
)
"""Options that mean something else than those of other commands; only the table of the command sets them."""


def settings_of(command: str, fields: tuple[str, ...]) -> dict[str, Setting]:
    """The settings of a command, by key; ``fields`` are those of its options."""
    return {row.key: row for row in (*SHARED, *VARIABLES, *OWN[command]) if row.field in fields}


def applies(command: str, setting: Setting, fields: tuple[str, ...]) -> bool:
    """Whether a key at the top of the file applies to a command."""
    return setting.field in fields and (command, setting.field) not in _ONLY_IN_TABLE


def option_of(field: str) -> str:
    """The option that sets a field of the options; ``report_format`` is the one of ``--format``."""
    return f"--{field.removeprefix('report_').replace('_', '-')}"
