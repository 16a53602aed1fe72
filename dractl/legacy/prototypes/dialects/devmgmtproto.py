"""The fields of devmgmtproto.k8s.io/v1alpha1, one table for each of the shapes that the version had.

The tables of the last state (``proto-oneof``) give the names that everything after reading uses; the other
states are brought to them by ``dractl.legacy.prototypes.dialects.mending``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.legacy.prototypes.dialects.shape import ANY, BOOL, INT, MAP, QUANTITY, STRING, MapOf, Shape

__all__ = ["ANY_CASE", "GROUP", "METADATA", "SHAPES", "WRITTEN"]

GROUP = "devmgmtproto.k8s.io"

METADATA: dict[str, Any] = {
    "name": STRING,
    "generateName": STRING,
    "namespace": STRING,
    "uid": STRING,
    "resourceVersion": STRING,
    "creationTimestamp": STRING,
    "deletionTimestamp": STRING,
    "deletionGracePeriodSeconds": INT,
    "generation": INT,
    "selfLink": STRING,
    "labels": MapOf(STRING),
    "annotations": MapOf(STRING),
    "finalizers": [STRING],
    "ownerReferences": [MAP],
    "managedFields": [MAP],
}


def object_shape(**fields: object) -> dict[str, Any]:
    """The shape of an object with these fields next to type and metadata."""
    return {"apiVersion": STRING, "kind": STRING, "metadata": METADATA, **fields}


_ATTRIBUTE = {
    "name": STRING, "stringValue": STRING, "intValue": INT, "quantityValue": QUANTITY, "semVerValue": STRING,
}  # fmt: skip
_CAPACITY = {"name": STRING, "capacity": QUANTITY, "blockSize": QUANTITY}
_REFERENCE = {"apiVersion": STRING, "kind": STRING, "namespace": STRING, "name": STRING}
_CONDITIONS: list[Any] = [MAP]

_ALLOCATED = {
    "name": STRING, "conditions": _CONDITIONS, "claimUIDs": [STRING],
}  # fmt: skip
_POOL = object_shape(
    spec={
        "nodeName": STRING,
        "driver": STRING,
        "attributes": [_ATTRIBUTE],
        "sharedResources": [_CAPACITY],
        "devices": [
            {
                "name": STRING,
                "attributes": [_ATTRIBUTE],
                "sharedResourcesConsumed": MapOf(QUANTITY),
                "claimResourcesProvided": [_CAPACITY],
            }
        ],
    },
    status={"deviceStatuses": [_ALLOCATED]},
)
_CLASS = object_shape(
    spec={
        "selector": {"matchLabels": MapOf(STRING), "matchExpressions": [MAP]},
        "definition": {"driver": STRING, "constraints": STRING, "configs": [_REFERENCE]},
    }
)
_DETAIL = {
    "class": STRING,
    "adminAccess": BOOL,
    "constraints": STRING,
    "requests": MapOf(QUANTITY),
    "maxDevices": INT,
    "matchAttributes": [STRING],
    "configs": [_REFERENCE],
}
_INSTANCE = {"name": STRING, "allOf": [_DETAIL], "oneOf": [_DETAIL]}
_CLAIM_STATUS = {
    "allocations": [
        {
            "devicePoolName": STRING,
            "deviceName": STRING,
            "allocations": [{"name": STRING, "allocation": QUANTITY}],
        }
    ],
    "classConfigs": [ANY],
    "claimConfigs": [ANY],
    "podNames": [STRING],
    "deviceStatuses": [
        {
            "devicePoolName": STRING,
            "deviceName": STRING,
            "conditions": _CONDITIONS,
            "deviceIPs": [{"ip": STRING}],
            "deviceInfo": ANY,
        }
    ],
}
_COUNTED_STATUS = {
    "allocations": [{"devicePoolName": STRING, "deviceName": STRING, "deviceCount": INT}],
    "classConfigs": [ANY],
    "claimConfigs": [ANY],
    "podNames": [STRING],
}
_CLAIM = object_shape(spec={"matchAttributes": [STRING], "devices": [_INSTANCE]}, status=_CLAIM_STATUS)


def _pod(claims: Shape) -> dict[str, Any]:
    """Of a pod only its DRA parts are read; the rest is v1's."""
    container = {"name": STRING, "devices": [{"name": STRING}], "resources": ANY}
    spec = {
        "nodeName": STRING,
        "containers": [container],
        "initContainers": [container],
        "deviceClaims": claims,
        "resourceClaims": ANY,
    }
    return {"metadata": METADATA, "spec": spec}


_ENTRY = {"name": STRING, "class": STRING}
_TEMPLATE = {**METADATA, "metadata": METADATA, "claimName": STRING}
_STRUCT = {"devices": [_ENTRY], "template": _TEMPLATE, "claimName": STRING}

_LIST_CLAIM = object_shape(
    spec={"matchAttributes": [STRING], "devices": [_INSTANCE]},
    status=_CLAIM_STATUS,
)
_SOURCE = {
    "deviceClaimName": STRING,
    "templateClass": {**METADATA, "className": STRING},
    "templateClaim": {**METADATA, "claimName": STRING, "className": STRING},
    "generator": {**METADATA, "generatorRef": _REFERENCE},
}

_COUNTED = {
    "driver": STRING,
    "constraints": STRING,
    "minDeviceCount": INT,
    "maxDeviceCount": INT,
    "matchAttributes": [STRING],
    "configs": [_REFERENCE],
}
_COUNTED_CLAIM = {"deviceClass": STRING, **_COUNTED}
_PRIVILEGED = {"driver": STRING, "constraints": STRING, "configs": [_REFERENCE]}
_SET = {"matchAttributes": [STRING], "claimSpec": [_COUNTED_CLAIM]}

_VALUE = {"quantity": {"value": QUANTITY, "blockSize": QUANTITY}, "intrange": {"value": STRING}}
_PLAIN_VALUE = {"quantity": QUANTITY, "intrange": STRING}
_STATUS_ATTRIBUTE = {
    "name": STRING, "string": STRING, "int": INT, "quantity": QUANTITY, "semver": STRING,
}  # fmt: skip

SHAPES: Mapping[str, Mapping[str, Shape]] = {
    "proto-oneof": {"DevicePool": _POOL, "DeviceClass": _CLASS, "DeviceClaim": _CLAIM, "Pod": _pod(_STRUCT)},
    "proto-list": {
        "DevicePool": _POOL,
        "DeviceClass": _CLASS,
        "DeviceClaim": _LIST_CLAIM,
        "Pod": _pod([{"name": STRING, "source": _SOURCE}]),
        "": {"deviceClaims": ANY},
    },
    "proto-group": {
        "DevicePool": _POOL,
        "DeviceClass": _CLASS,
        "DeviceClaimGroup": _CLAIM,
        "Pod": _pod([_STRUCT]),
    },
    "proto-pools": {
        "DeviceDriver": object_shape(deviceTypes=[STRING]),
        "DeviceClass": object_shape(
            spec={"deviceType": STRING, **_COUNTED}, status={"conditions": _CONDITIONS, "drivers": [STRING]}
        ),
        "DeviceClaim": object_shape(spec=_COUNTED_CLAIM, status=_COUNTED_STATUS),
        "DevicePrivilegedClaim": object_shape(spec=_PRIVILEGED, status=_COUNTED_STATUS),
        "DeviceSetClaim": object_shape(spec=_SET, status={"claimStatus": [_COUNTED_STATUS]}),
        "DeviceClaimTemplate": object_shape(
            spec={
                "metadata": METADATA,
                "claimSpec": _COUNTED_CLAIM,
                "privilegedClaimSpec": _PRIVILEGED,
                "setClaimSpec": _SET,
            }
        ),
        "DevicePool": object_shape(
            spec={"nodeName": STRING, "driver": STRING, "attributes": [_ATTRIBUTE], "count": INT},
            status={"availableDevices": INT},
        ),
        "Pod": _pod(
            [{"name": STRING, "claim": _COUNTED_CLAIM, "claimName": STRING, "claimTemplateName": STRING}]
        ),
    },
    "proto-status": {
        "DevicePool": object_shape(
            spec={
                "nodeName": STRING,
                "driverName": STRING,
                "attributes": [_STATUS_ATTRIBUTE],
                "sharedResources": [{"name": STRING, **_VALUE}],
                "devices": [
                    {
                        "name": STRING,
                        "attributes": [_STATUS_ATTRIBUTE],
                        "sharedResourceRequests": [{"name": STRING, **_PLAIN_VALUE}],
                    }
                ],
            },
            status={"allocatedDevices": [{"name": STRING, "claimUID": STRING}]},
        )
    },
}
"""By dialect and kind. What has a shape of its own in one dialect only is under it alone."""

_LIST_POOL_DEVICE = {
    "name": STRING,
    "attributes": [_ATTRIBUTE],
    "consumesSharedResources": MapOf(QUANTITY),
    "providesClaimResources": [_CAPACITY],
}
_LIST_DETAIL = {("deviceClass" if name == "class" else name): shape for name, shape in _DETAIL.items()}
_GROUP_DETAIL = {("selector" if name == "constraints" else name): shape for name, shape in _DETAIL.items()}
_GROUP_PART = {"name": STRING, "allOf": [_GROUP_DETAIL], "oneOf": [_GROUP_DETAIL]}

WRITTEN: Mapping[str, Mapping[str, Shape]] = {
    "proto-list": {
        "DevicePool": object_shape(
            spec={
                "nodeName": STRING,
                "driver": STRING,
                "attributes": [_ATTRIBUTE],
                "sharedResources": [_CAPACITY],
                "devices": [_LIST_POOL_DEVICE],
            },
            status={"deviceStatuses": [_ALLOCATED]},
        ),
        "DeviceClaim": object_shape(
            spec={"matchAttributes": [STRING], "devices": [{**_LIST_DETAIL, "oneOf": [_LIST_DETAIL]}]},
            status=_CLAIM_STATUS,
        ),
    },
    "proto-group": {
        "DeviceClaimGroup": object_shape(
            spec={"matchAttributes": [STRING], "claims": [_GROUP_PART]}, status=_CLAIM_STATUS
        )
    },
}
"""How objects are written where that is not in the words of the last state, by dialect and kind."""

ANY_CASE: Mapping[str, str] = {
    "Driver": "driver",
    "Name": "name",
    "ClaimUIDs": "claimUIDs",
    "ClaimUID": "claimUID",
}
"""Fields that the types write with a capital, because their tags are missing or malformed."""
