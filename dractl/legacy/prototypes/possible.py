"""The door to the possible sets of prototypes: documents in, partition models out."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cluster.partitions import partition_model
from dractl.cluster.pools import PoolRules
from dractl.legacy.prototypes.allocation.inventory import inventory_of
from dractl.legacy.prototypes.allocation.possible import model_of
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.run import left_out_of, refused_in
from dractl.legacy.prototypes.validate import check
from dractl.source.document import Document
from dractl.workflows.extensions import PartitionModel, PartitionModels

__all__ = ["models_in"]

_RULES = PoolRules(partitionable_devices=True, compatibility_groups=False)


def models_in(documents: Sequence[Document], dialect: str | None) -> PartitionModels:
    """The pools of prototypes among ``documents``, and their bare models, as partition models.

    Objects with an error that no lenient reading mends are left out.
    """
    checked = check(documents, dialect, lenient=True)
    left = refused_in(checked)
    items = checked.directory.reading.items
    bare = {item: model for item in items if (model := model_of(item)) is not None}
    models = [
        PartitionModel("", item.metadata.get("name") or item.document.file, *model)
        for item, model in bare.items()
    ]
    for entry, pool in inventory_of(Directory(checked.directory.reading, left)).pools:
        models.append(PartitionModel(entry.driver, entry.name, *partition_model(pool, _RULES)))
    # What is wrong with attributes makes no difference to a bare model.
    unread = {item: reason for item, reason in left.items() if item not in bare}
    return PartitionModels(
        frozenset(item.origin for item in items), tuple(models), tuple(left_out_of(checked, unread))
    )
