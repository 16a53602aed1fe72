"""The fields of DRA evolution, resource.k8s.io/v1alpha2 as it was drafted, and of its branches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.legacy.prototypes.dialects.devmgmtproto import METADATA, object_shape
from dractl.legacy.prototypes.dialects.shape import ANY, BOOL, INT, MAP, QUANTITY, STRING, Shape

__all__ = ["GROUP", "SHAPES", "TEMPLATES"]

GROUP = "resource.k8s.io"


_ATTRIBUTE = {"name": STRING, "quantity": QUANTITY, "bool": BOOL, "string": STRING, "version": STRING}
_PLAIN_ATTRIBUTE = {name: of for name, of in _ATTRIBUTE.items() if name != "quantity"}
_CAPACITY = {"name": STRING, "capacity": QUANTITY}
_DEVICE = {"name": STRING, "attributes": [_ATTRIBUTE], "sharedCapacityConsumed": [_CAPACITY]}
_PLAIN_DEVICE = {"name": STRING, "attributes": [_ATTRIBUTE]}
_POOL = {
    "nodeName": STRING,
    "driverName": STRING,
    "sharedCapacity": [_CAPACITY],
    "devices": [_DEVICE],
}
_GROUP = {"name": STRING, "sharedCapacity": [_CAPACITY]}
_PARTITION = {"name": STRING, "attributes": [_ATTRIBUTE], "sharedCapacityConsumed": [_CAPACITY]}
_WRITTEN = {"value": ANY, "expression": STRING}
_COMPUTED = {
    "count": INT,
    "name": _WRITTEN,
    "attributes": [
        {
            "name": _WRITTEN,
            "quantity": _WRITTEN,
            "bool": _WRITTEN,
            "string": _WRITTEN,
            "version": _WRITTEN,
        }
    ],
    "sharedCapacityConsumed": [{"name": _WRITTEN, "capacity": _WRITTEN}],
}

_OPAQUE = {"opaque": {"driverName": STRING, "parameters": ANY}}
_REQUIREMENT = {"deviceSelector": STRING}
_REQUEST = {
    "name": STRING,
    "deviceClassName": STRING,
    "config": [_OPAQUE],
    "adminAccess": BOOL,
    "requirements": [_REQUIREMENT],
}
_CLAIM = {
    "requests": [_REQUEST],
    "constraints": [{"matchAttribute": STRING}],
    "config": [_OPAQUE],
    "shareable": BOOL,
}
_RESULT_CONFIG = {"admin": BOOL, **_OPAQUE}
_USERS = [{"apiGroup": STRING, "resource": STRING, "name": STRING, "uid": STRING}]
_STATUS = {
    "allocation": {
        "nodeName": STRING,
        "shareable": BOOL,
        "driverData": [
            {
                "driverName": STRING,
                "data": {
                    "config": [_RESULT_CONFIG],
                    "results": [{"requestName": STRING, "deviceName": STRING, "config": [_RESULT_CONFIG]}],
                },
            }
        ],
    },
    "reservedFor": _USERS,
}
_FLAT_STATUS = {
    "allocation": {
        "controllerName": STRING,
        "config": [_RESULT_CONFIG],
        "results": [
            {
                "driverName": STRING,
                "requestName": STRING,
                "devicePoolName": STRING,
                "deviceName": STRING,
                "config": [_RESULT_CONFIG],
            }
        ],
        "availableOnNodes": MAP,
        "shareable": BOOL,
    },
    "deallocationRequested": BOOL,
    "reservedFor": _USERS,
}
_CLASS = object_shape(config=[_OPAQUE], requirements=[_REQUIREMENT])
_POD_CONTAINER = {
    "name": STRING,
    "devices": ANY,
    "resources": {"claims": [{"name": STRING, "requestName": STRING}]},
}
_ENTRY = {
    "name": STRING,
    "resourceClaimName": STRING,
    "resourceClaimTemplateName": STRING,
}
_POD = {
    "metadata": METADATA,
    "spec": {
        "nodeName": STRING,
        "containers": [_POD_CONTAINER],
        "initContainers": [_POD_CONTAINER],
        "resourceClaims": [_ENTRY],
    },
}


def _claims(spec: dict[str, Any], status: dict[str, Any]) -> dict[str, Shape]:
    return {
        "ResourceClaim": object_shape(spec=spec, status=status),
        "ResourceClaimTemplate": object_shape(spec={"metadata": METADATA, "spec": spec}),
    }


_COMMON: dict[str, Shape] = {
    "DeviceClass": _CLASS,
    "Quota": object_shape(spec={"allowManagementAccess": BOOL}),
    "Pod": _POD,
    **_claims(_CLAIM, _STATUS),
}


def _with_pool(*, shares: bool = True, **changes: object) -> dict[str, Shape]:
    """The tables of a state; without ``shares`` its pools have nothing that devices share."""
    spec = {**_POOL, **changes}
    if not shares:
        del spec["sharedCapacity"]
        spec = {**spec, "devices": [_PLAIN_DEVICE], **changes}
    return {**_COMMON, "ResourcePool": object_shape(spec=spec)}


def _with_controllers(**changes: object) -> dict[str, Shape]:
    return {
        **_with_pool(shares=False, **changes),
        "DeviceClass": object_shape(config=[_OPAQUE], requirements=[_REQUIREMENT], suitableNodes=MAP),
        **_claims({**_CLAIM, "controllerName": STRING}, _FLAT_STATUS),
    }


_RANGE_VALUE = {"quantity": QUANTITY, "intRange": STRING}
_NAMED_ATTRIBUTE = {**_ATTRIBUTE, "int": INT}
_NAMED_REQUEST = {
    **_REQUEST,
    "resourceClassName": STRING,
    "count": {"minimum": INT, "maximum": INT},
    "match": [{"attribute": STRING}],
    "requirements": [{**_REQUIREMENT, "resource": {"name": STRING, "quantity": QUANTITY}}],
}
_NAMED_ENTRY = {**_ENTRY, "source": {"resourceClaimName": STRING, "resourceClaimTemplateName": STRING}}

SHAPES: Mapping[str, Mapping[str, Shape]] = {
    "dra-evo": _with_pool(),
    "dra-evo-classic": _with_controllers(),
    "dra-evo-netpool": _with_controllers(devicePool={"name": STRING, "nodeSelector": MAP}),
    "dra-evo-content": _with_pool(
        shares=False,
        sliceContent=STRING,
        devices=[{**_PLAIN_DEVICE, "attributes": [_PLAIN_ATTRIBUTE], "capacity": [_CAPACITY]}],
    ),
    "dra-evo-attrs": _with_pool(attributes=[_ATTRIBUTE]),
    "dra-evo-groups": _with_pool(
        sharedCapacity=[_GROUP], devices=[{**_DEVICE, "sharedCapacityConsumed": [_GROUP]}]
    ),
    "dra-evo-shape": _with_pool(
        shares=False,
        deviceShape={"attributes": [_ATTRIBUTE], "partitions": [_PARTITION], "sharedCapacity": [_CAPACITY]},
    ),
    "dra-evo-cel": _with_pool(
        shares=False,
        deviceShape={"attributes": [_ATTRIBUTE], "partitions": [_COMPUTED], "sharedCapacity": [_CAPACITY]},
    ),
    "dra-evo-named": {
        **_COMMON,
        **_claims({**_CLAIM, "requests": [_NAMED_REQUEST]}, _STATUS),
        "Pod": {
            "metadata": METADATA,
            "spec": {
                "nodeName": STRING,
                "containers": [_POD_CONTAINER],
                "initContainers": [_POD_CONTAINER],
                "resourceClaims": [_NAMED_ENTRY],
            },
        },
        "ResourcePool": object_shape(
            driverName=STRING,
            nodeName=STRING,
            namedDevices={
                "commonAttributes": [_NAMED_ATTRIBUTE],
                "sharedResources": [{"name": STRING, **_RANGE_VALUE}],
                "devices": [
                    {
                        "name": STRING,
                        "attributes": [_NAMED_ATTRIBUTE],
                        "resources": {
                            "fromSharedPool": [{"name": STRING, **_RANGE_VALUE}],
                            "local": [{"name": STRING, **_RANGE_VALUE}],
                        },
                    }
                ],
            },
        ),
    },
}
"""By dialect and kind."""

TEMPLATES: Shape = {
    "sharedAttributeGroups": [{"name": STRING, "attributes": [_ATTRIBUTE]}],
    "sharedCapacityTemplates": [{"name": STRING, "capacities": [MAP]}],
    "deviceTemplates": [MAP],
    "devices": [MAP],
    "attributes": [MAP],
    "sharedCapacityTemplateGroups": [MAP],
}
"""The sketch ``dra-evo-templates``, which has no types."""
