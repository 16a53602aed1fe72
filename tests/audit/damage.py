"""Ways to make a legal allocation illegal, each with the rules of which one must see it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

Object = dict[str, Any]
Results = list[Object]

_MORE = "18446744073709551616"


class Scene(NamedTuple):
    """A cluster with one claim to be damaged: all its objects, that claim's results, and its requests."""

    objects: Sequence[Object]
    claim: Object
    results: Results
    random: Random

    def request_of(self, result: Object) -> Object:
        """The body of the request, or of the subrequest, that a result is for."""
        name, _, inner = result["request"].partition("/")
        for entry in self.claim["spec"]["devices"]["requests"]:
            if entry["name"] == name:
                bodies = entry.get("firstAvailable") or [entry.get("exactly") or entry]
                return next((body for body in bodies if not inner or body.get("name") == inner), {})
        return {}

    def others(self) -> list[Object]:
        """The results of all other claims that hold something."""
        return [
            result
            for item in self.objects
            if item["kind"] == "ResourceClaim" and item is not self.claim
            for result in (item.get("status") or {})
            .get("allocation", {})
            .get("devices", {})
            .get("results", ())
            if not result.get("adminAccess")
        ]


class Damage(NamedTuple):
    """One kind: ``apply`` changes the scene, or answers False where it does not apply to it.

    ``feature``: the scheduler must have it, or it does not look.
    """

    name: str
    rules: frozenset[str]
    apply: Callable[[Scene], bool]
    feature: str = ""


def _unknown_device(scene: Scene) -> bool:
    scene.random.choice(scene.results)["device"] = "no-such-device"
    return True


def _other_pool(scene: Scene) -> bool:
    scene.random.choice(scene.results)["pool"] = "no-such-pool"
    return True


def _other_driver(scene: Scene) -> bool:
    scene.random.choice(scene.results)["driver"] = "other.example.org"
    return True


def _unknown_request(scene: Scene) -> bool:
    scene.random.choice(scene.results)["request"] = "no-such-request"
    return True


def _one_less(scene: Scene) -> bool:
    counted = [result for result in scene.results if scene.request_of(result).get("allocationMode") != "All"]
    if not counted:
        return False
    scene.results.remove(scene.random.choice(counted))
    return True


def _one_twice(scene: Scene) -> bool:
    counted = [
        result
        for result in scene.results
        if scene.request_of(result).get("allocationMode") != "All" and not result.get("adminAccess")
    ]
    if not counted:
        return False
    scene.results.append(copy.deepcopy(scene.random.choice(counted)))
    return True


def _taken(scene: Scene) -> bool:
    """Have a device that another claim has as a whole."""
    whole = [result for result in scene.others() if "shareID" not in result]
    own = [result for result in scene.results if not result.get("adminAccess")]
    if not whole or not own:
        return False
    other, mine = scene.random.choice(whole), scene.random.choice(own)
    mine.update({name: other[name] for name in ("driver", "pool", "device")})
    mine.pop("shareID", None)
    mine.pop("consumedCapacity", None)
    return True


def _other_node(scene: Scene) -> bool:
    terms = scene.claim["status"]["allocation"].get("nodeSelector", {}).get("nodeSelectorTerms") or []
    fields = [field for term in terms for field in term.get("matchFields") or ()]
    names = [item["metadata"]["name"] for item in scene.objects if item["kind"] == "Node"]
    if len(fields) != 1 or len(names) < 2:
        return False
    local = {
        (item["spec"]["driver"], item["spec"]["pool"]["name"])
        for item in scene.objects
        if item["kind"] == "ResourceSlice" and item["spec"].get("nodeName")
    }
    everywhere = {
        (item["spec"]["driver"], item["spec"]["pool"]["name"])
        for item in scene.objects
        if item["kind"] == "ResourceSlice" and not item["spec"].get("nodeName")
    }
    if not any((result["driver"], result["pool"]) in local - everywhere for result in scene.results):
        return False
    fields[0]["values"] = [scene.random.choice([name for name in names if name not in fields[0]["values"]])]
    return True


def _anywhere(scene: Scene) -> bool:
    names = [item["metadata"]["name"] for item in scene.objects if item["kind"] == "Node"]
    if len(names) < 2 or not _other_node(scene):
        return False
    del scene.claim["status"]["allocation"]["nodeSelector"]
    return True


def _more_capacity(scene: Scene) -> bool:
    shares = [result for result in scene.results if result.get("consumedCapacity")]
    if not shares:
        return False
    amounts = scene.random.choice(shares)["consumedCapacity"]
    amounts[scene.random.choice(sorted(amounts))] = _MORE
    return True


def _less_capacity(scene: Scene) -> bool:
    shares = [result for result in scene.results if result.get("consumedCapacity")]
    if not shares:
        return False
    amounts = scene.random.choice(shares)["consumedCapacity"]
    del amounts[scene.random.choice(sorted(amounts))]
    return True


def _no_share(scene: Scene) -> bool:
    shares = [result for result in scene.results if result.get("shareID")]
    if not shares:
        return False
    del scene.random.choice(shares)["shareID"]
    return True


def _admin(scene: Scene) -> bool:
    result = scene.random.choice(scene.results)
    if result.get("adminAccess"):
        del result["adminAccess"]
    else:
        result["adminAccess"] = True
    return True


def _too_many(scene: Scene) -> bool:
    while len(scene.results) <= 32:
        scene.results.append({**scene.results[0], "device": f"more-{len(scene.results)}"})
    return True


def _old_generation(scene: Scene) -> bool:
    """The driver publishes a new generation without the device."""
    pool = scene.results[0]["driver"], scene.results[0]["pool"]
    slices = [
        item
        for item in scene.objects
        if item["kind"] == "ResourceSlice" and (item["spec"]["driver"], item["spec"]["pool"]["name"]) == pool
    ]
    for item in slices:
        item["spec"]["devices"] = [
            device
            for device in item["spec"].get("devices") or ()
            if device["name"] != scene.results[0]["device"]
        ]
    return True


def _false_selector(scene: Scene) -> bool:
    body = scene.request_of(scene.random.choice(scene.results))
    if body.get("allocationMode") == "All":
        return False
    body.setdefault("selectors", []).append({"cel": {"expression": 'device.driver == "nobody.example.org"'}})
    return True


def _missing_attribute(scene: Scene) -> bool:
    rules = scene.claim["spec"]["devices"].setdefault("constraints", [])
    rules.append({"matchAttribute": "nobody.example.org/none"})
    return True


def _new_taint(scene: Scene) -> bool:
    result = scene.results[0]
    if (scene.request_of(result).get("tolerations")) or result.get("tolerations"):
        return False
    for item in scene.objects:
        if item["kind"] != "ResourceSlice":
            continue
        spec = item["spec"]
        if (spec["driver"], spec["pool"]["name"]) != (result["driver"], result["pool"]):
            continue
        for device in spec.get("devices") or ():
            if device["name"] == result["device"]:
                device.get("basic", device).setdefault("taints", []).append(
                    {"key": "example.com/broken", "effect": "NoSchedule"}
                )
    return True


_GONE = frozenset({"audit/device", "audit/count", "audit/all"})
_COUNT = frozenset({"audit/count", "audit/all", "audit/exclusive"})

DAMAGES: tuple[Damage, ...] = (
    Damage("unknown device", _GONE, _unknown_device),
    Damage("other pool", _GONE, _other_pool),
    Damage("other driver", _GONE, _other_driver),
    Damage("unknown request", frozenset({"audit/request"}), _unknown_request),
    Damage("one less", _COUNT, _one_less),
    Damage("one twice", _COUNT, _one_twice),
    Damage("taken", frozenset({"audit/exclusive"}), _taken),
    Damage("other node", frozenset({"audit/device", "audit/reach"}), _other_node),
    Damage("anywhere", frozenset({"audit/device", "audit/reach"}), _anywhere),
    Damage(
        "more capacity", frozenset({"audit/share", "audit/capacity"}), _more_capacity, "consumable_capacity"
    ),
    Damage("less capacity", frozenset({"audit/share"}), _less_capacity, "consumable_capacity"),
    Damage("no share", frozenset({"audit/share"}), _no_share, "consumable_capacity"),
    Damage("admin", frozenset({"audit/admin-access", "audit/exclusive"}), _admin, "admin_access"),
    Damage("too many", frozenset({"audit/limit"}), _too_many),
    Damage("device gone", frozenset({"audit/device"}), _old_generation),
    Damage("false selector", frozenset({"audit/selector"}), _false_selector),
    Damage("missing attribute", frozenset({"audit/match-attribute"}), _missing_attribute),
    Damage("new taint", frozenset({"audit/taint"}), _new_taint, "device_taints"),
)
"""Each kind makes an allocation illegal whatever the cluster, where it applies."""


def damaged(objects: Sequence[Object], name: str, damage: Damage, seed: int) -> list[Object] | None:
    """A copy of a cluster with the claim ``namespace/name`` damaged; None where the kind does not apply."""
    copies: list[Object] = copy.deepcopy(list(objects))
    claim = next(
        item
        for item in copies
        if item["kind"] == "ResourceClaim" and item["metadata"]["name"] == name.rpartition("/")[2]
    )
    results: Results = claim["status"]["allocation"]["devices"].get("results") or []
    if not results or not damage.apply(Scene(copies, claim, results, Random(seed))):  # noqa: S311 - tests repeat themselves
        return None
    return copies
