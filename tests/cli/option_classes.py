"""The classes with the options of all commands of dractl."""

from __future__ import annotations

from dractl.cli import cluster_options, options, reference_options
from dractl.cli.cluster import driver_options, migrate_options
from dractl.cli.live import snapshot_options
from dractl.cli.options import Options

__all__ = ["OPTION_CLASSES"]

OPTION_CLASSES: dict[str, type[Options]] = {
    name: getattr(module, name)
    for module in (
        options,
        cluster_options,
        reference_options,
        driver_options,
        migrate_options,
        snapshot_options,
    )
    for name in module.__all__
    if name.endswith("Options") and name != "Options"
}
"""Each by its name."""
