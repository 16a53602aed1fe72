"""The ends of the help pages of dractl: what the exit codes of a command mean, and examples."""

from __future__ import annotations

__all__ = ["EXAMPLES", "EXIT_CODES"]

_COMMON_CODE_2 = "wrong usage, or no documents found"

EXIT_CODES = {
    "validate": (
        "no errors",
        "errors; warnings with --strict; changes with --diff",
        _COMMON_CODE_2,
    ),
    "simulate": (
        "everything that requests devices has them",
        "something is Pending, rejected or unreadable",
        _COMMON_CODE_2,
    ),
    "audit": (
        "every allocation is legal",
        "an allocation is illegal or cannot be checked, or a file is unreadable",
        _COMMON_CODE_2,
    ),
    "why": ("it has its devices, or nothing is Pending", "it is Pending", "wrong usage, or an unknown name"),
    "upgrade": ("nothing to do", "something to do before the upgrade", _COMMON_CODE_2),
    "migrate": (
        "migrated, or nothing to migrate",
        "something cannot be migrated, is lost or rejected, or a pod becomes Pending",
        _COMMON_CODE_2,
    ),
    "diff": ("nothing differs", "something differs", _COMMON_CODE_2),
    "advisories": (
        "no objects are given, or they reach no fault",
        "the objects reach a fault",
        _COMMON_CODE_2,
    ),
    "size": (
        "a copy fits, or added nodes take all pending pods",
        "no copy fits, or pods stay Pending with added nodes",
        _COMMON_CODE_2,
    ),
    "test": ("all cases pass", "a case fails", "wrong usage, or an invalid expectation file"),
    "cel": ("every expression compiles", "an expression is rejected", _COMMON_CODE_2),
    "possible": (
        "every pool can be used",
        "a pool is incomplete or invalid, or something is rejected or unreadable",
        _COMMON_CODE_2,
    ),
    "driver_check": (
        "no errors",
        "an error, or a warning with --strict",
        "wrong usage, or no ResourceSlice found",
    ),
    "convert": ("converted", "something would be lost or cannot be read", "wrong usage"),
    "explain": ("", "", "wrong usage, or an unknown field"),
    "rule": ("", "", "unknown rule"),
    "mcp": ("the client ended the session", "", "wrong usage"),
    "lsp": ("the editor ended the session", "", "wrong usage, or pygls is missing"),
    "gates": ("", "", "wrong usage, or an invalid combination of feature gates"),
    "completion": ("", "", "wrong usage"),
    "snapshot": ("written", "", "wrong usage, or the cluster cannot be read"),
    "replay": (
        "everything agrees",
        "a placement differs without an explanation",
        "wrong usage, or no recording",
    ),
}
"""What the exit codes of a command mean, from 0 on, for the end of its help."""

EXAMPLES = {
    "dractl": (
        "dractl validate manifests/",
        "dractl validate manifests/ --kube-version 1.33..1.37",
        "dractl simulate manifests/",
        "dractl convert manifests/ --to v1 --diff",
    ),
    "validate": (
        "dractl validate manifests/",
        "dractl validate manifests/ --kube-version 1.33..1.37 --strict",
        "dractl validate manifests/ --old released/",
        "dractl validate manifests/ --diff",
        "cat manifests/*.yaml | dractl validate -",
    ),
    "simulate": (
        "dractl simulate manifests/",
        "dractl simulate manifests/ --kube-version 1.34 --replicas web=3",
        "dractl simulate manifests/ --scenario drain.yaml",
    ),
    "audit": (
        "dractl audit manifests/",
        "dractl audit manifests/ --kube-version 1.35.4 --format json",
    ),
    "why": (
        "dractl why default/train cluster.yaml",
        "dractl why --all cluster.yaml",
        "dractl why default/train cluster.yaml --node node-a --device gpu-0",
    ),
    "upgrade": (
        "dractl upgrade manifests/ --from 1.34 --to 1.37",
        "dractl upgrade manifests/ --from 1.35.4 --to 1.36.1 --format json",
        "dractl upgrade manifests/ --from 1.33 --to 1.38 --write",
    ),
    "migrate": (
        "dractl migrate manifests/ --class nvidia.com/gpu=gpu.nvidia.com",
        "dractl migrate manifests/ --to extended-resource --diff",
        "dractl migrate manifests/ --kube-version 1.35 --write",
    ),
    "diff": (
        "dractl diff released/ manifests/ --with cluster.yaml",
        "dractl diff origin/main --format markdown -- manifests/",
        "dractl diff origin/main:manifests manifests/",
    ),
    "advisories": (
        "dractl advisories --kube-version 1.36.1",
        "dractl advisories manifests/ --kube-version 1.35.4",
    ),
    "size": (
        "dractl size manifests/ --pod default/train",
        "dractl size manifests/ --pod train=1 --pod chat=4",
        "dractl size manifests/ --like node-a --price node-a=12.50",
    ),
    "test": (
        "dractl test tests/",
        "dractl test tests/ --kube-version 1.34..1.37",
        "dractl test tests/ --update",
    ),
    "cel": (
        """dractl cel 'device.driver == "gpu.example.com"'""",
        """dractl cel 'device.driver == "gpu.example.com"' manifests/ --explain""",
        "dractl cel - manifests/ < selectors.txt",
    ),
    "convert": (
        "dractl convert manifests/ --to v1 --diff",
        "dractl convert manifests/ --to v1 --in-place",
        "dractl convert manifests/ --to v1beta1 --lossy --output old.yaml",
    ),
    "possible": (
        "dractl possible manifests/",
        "dractl possible manifests/ --driver gpu.example.com --format json",
    ),
    "driver": ("dractl driver check manifests/",),
    "driver_check": (
        "dractl driver check manifests/",
        "dractl driver check manifests/ --kube-version 1.34..1.38 --strict",
        "dractl driver check manifests/ --old released/ --format json",
    ),
    "explain": (
        "dractl explain resourceclaim.spec.devices.requests",
        "dractl explain resourceslice.spec.devices --recursive",
        "dractl explain adminAccess --kube-version 1.34",
    ),
    "rule": ("dractl rule request/name",),
    "rules": ("dractl rules --kind ResourceClaim", "dractl rules --kube-version 1.34 --format json"),
    "gates": (
        "dractl gates --kube-version 1.34",
        "dractl gates --feature-gates DRAPartitionableDevices=false",
    ),
    "mcp": ("dractl mcp", "dractl mcp --root manifests/"),
    "completion": (
        "dractl completion bash > dractl.bash",
        "dractl completion zsh --output _dractl",
    ),
    "lsp": ("dractl lsp",),
    "snapshot": ("dractl snapshot --output cluster.yaml", "dractl snapshot --hash-names --output shared/"),
    "replay": (
        "dractl replay events.jsonl --compare",
        "dractl replay events.jsonl --at +90 --output state.yaml",
    ),
    "schema": ("dractl schema ResourceClaim --kube-version 1.34", "dractl schema scenario"),
}
"""Command lines for the end of each help page."""
