"""The fields of bare models without apiVersion: those of partitionable devices, and the first prototype."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.legacy.prototypes.dialects.dra_evolution import TEMPLATES
from dractl.legacy.prototypes.dialects.shape import BOOL, INT, QUANTITY, STRING, MapOf, Shape

__all__ = ["SHAPES"]

_ITEM = {"name": STRING, "quantity": QUANTITY, "intRange": STRING}
_GROUP = {"name": STRING, "items": [_ITEM]}
_OLD_ATTRIBUTE = {
    "name": STRING,
    "quantity": QUANTITY,
    "bool": BOOL,
    "int": INT,
    "intSlice": {"ints": [INT]},
    "string": STRING,
    "stringSlice": {"strings": [STRING]},
    "version": STRING,
}
_NAMED = {
    "namedResources": {
        "instances": [{"name": STRING, "attributes": [_OLD_ATTRIBUTE], "resources": [_GROUP]}],
        "sharedLimits": [_GROUP],
    }
}

_VALUE = {"int": INT, "bool": BOOL, "string": STRING, "version": STRING}
_PARTS = {"attributes": MapOf(_VALUE), "capacity": MapOf({"quantity": QUANTITY})}
_NAMES = [{"name": STRING}]
_MIXINS = {
    "deviceMixins": [{"name": STRING, "partitionable": _PARTS}],
    "devices": [
        {"name": STRING, "partitionable": {**_PARTS, "includes": _NAMES, "consumesCapacityFrom": _NAMES}}
    ],
}

_ATTRIBUTE = {
    "name": STRING, "stringValue": STRING, "intValue": INT, "quantityValue": QUANTITY, "semVerValue": STRING,
}  # fmt: skip
_CAPACITY = {
    "name": STRING,
    "counter": {"capacity": INT},
    "quantity": {"capacity": QUANTITY},
    "block": {"capacity": QUANTITY, "size": QUANTITY},
    "accessMode": {
        "allowReadOnlyShared": BOOL,
        "allowReadWriteShared": BOOL,
        "allowWriteExclusive": BOOL,
        "readOnlyShared": INT,
        "readWriteShared": INT,
        "writeExclusive": INT,
        "readWriteExclusive": INT,
    },
    "topologies": [{"name": STRING, "type": STRING, "groupInResource": BOOL}],
}
_RESOURCE = {"name": STRING, "attributes": [_ATTRIBUTE], "capacities": [_CAPACITY]}
_NODE = {
    "name": STRING,
    "pools": [{"name": STRING, "driver": STRING, "attributes": [_ATTRIBUTE], "resources": [_RESOURCE]}],
}
_REQUEST = {
    "capacity": STRING,
    "counter": {"request": INT},
    "quantity": {"request": QUANTITY},
    "accessMode": {"request": STRING},
}
_ALIGNED = [{"type": STRING, "policy": STRING}]
_CLAIMS = {
    "name": STRING,
    "claims": [
        {
            "name": STRING,
            "driver": STRING,
            "constraints": STRING,
            "topologies": _ALIGNED,
            "capacities": [_REQUEST],
        }
    ],
    "topologies": _ALIGNED,
}

_RECORDED = {
    "nodeName": STRING,
    "allocations": [
        {
            "holder": STRING,
            "claim": STRING,
            "driver": STRING,
            "pool": STRING,
            "resource": STRING,
            "topologies": [STRING],
            "capacity": STRING,
            "amount": STRING,
        }
    ],
}
"""What dractl writes into a pod of the first prototype, which kept no state."""

SHAPES: Mapping[str, Mapping[str, Shape]] = {
    "nv-named": {"": _NAMED},
    "nv-mixin": {"": _MIXINS},
    "dra-evo-templates": {"": TEMPLATES},
    "kubecon": {
        "node": _NODE,
        "": {
            "podClaim": _CLAIMS,
            "containerClaims": [_CLAIMS],
            "topologies": _ALIGNED,
            "status": _RECORDED,
        },
    },
}
"""By dialect and kind; a bare model has no kind."""
