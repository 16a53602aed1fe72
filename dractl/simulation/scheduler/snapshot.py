"""Everything that a scheduling attempt looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from dractl.api.json_types import Object
from dractl.cluster.objects import Objects
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import NodeDevices
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.result_cache import ResultCache
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.node_classes import NodeClasses
from dractl.simulation.scheduler.node_load import NodeLoads
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.timeouts import LongSearches


class Snapshot(NamedTuple):
    """A cluster at one moment; nothing of it changes during an attempt.

    ``long_searches`` collects long searches while it runs. ``loads`` are the pods that have a node.
    ``in_flight`` names claims whose allocation is decided for a pod that still waits. ``choose`` picks one of
    several best nodes. ``lost_resources`` are extended resources without a class, whatever classes say.
    """

    api_objects: Objects
    classes: NodeClasses
    usage: Usage
    node_devices: NodeDevices
    result_cache: ResultCache
    matcher: Matcher
    features: Features
    loads: NodeLoads
    in_flight: frozenset[str]
    allowance: Allowance
    choose: Callable[[Pod, Sequence[str]], str]
    long_searches: LongSearches
    lost_resources: AbstractSet[str] = frozenset()

    @property
    def nodes(self) -> Sequence[Node]:
        """The nodes, in the order in which equally good ones are taken."""
        return self.classes.nodes

    def device_class(self, name: str) -> Object | None:
        """The device class of a name."""
        return self.api_objects.get("DeviceClass", "", name)
