"""The format of expectation files, as data: what is simulated, and what is to come of it."""

from __future__ import annotations

from dractl.scenario.format import step_shape
from dractl.scenario.schema import MOST_REPLICAS, Field, Flag, ListOf, MapOf, Record, Text, Whole, one_or_more
from dractl.simulation.pods.outcome import CATEGORIES

SCHEMA = "dractl.test/1"

_TEXT = Text()
_INSUFFICIENT = "insufficient:RESOURCE"
_CATEGORY = Text(
    pattern="|".join([*(name for name in CATEGORIES if name != _INSUFFICIENT), "insufficient:.+"]),
    form="a category, such as no-devices",
)
_FULL_NAME = "([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?"
_NAMED = {"key": _FULL_NAME, "form": "NAME or NAMESPACE/NAME"}
_DEVICES = Field(
    "devices",
    MapOf(one_or_more(Text(pattern="[^/]+/.+/[^/]+", form="DRIVER/POOL/DEVICE"))),
    "The devices of each request: DRIVER/POOL/DEVICE, or a list of these. A request is CLAIM/REQUEST, the "
    "claim by the pod's own name for it, or the name of an extended resource; CLAIM/REQUEST/SUBREQUEST also "
    "says which alternative was chosen.",
)
_PENDING = Field("pending", _CATEGORY, "The category of why it gets no devices.")
_BECAUSE = Field("because", one_or_more(_TEXT), "Texts that the reason holds.")
_NODES = Field("nodes", MapOf(_CATEGORY), "The category of why each node does not do.")

POD = Record(
    Field("node", _TEXT, "The node that the pod is placed on."),
    _DEVICES,
    Field(
        "containers",
        MapOf(ListOf(_TEXT, least=0)),
        "The devices that each container sees, as DRIVER/POOL/DEVICE.",
    ),
    _PENDING,
    _BECAUSE,
    _NODES,
    Field("evicted", Flag(), "Whether a taint of a device will evict it."),
    Field("absent", Flag(), "Whether there is no such pod, after a scenario."),
)
"""What may be expected of a pod."""

CLAIM = Record(
    Field(
        "devices",
        MapOf(one_or_more(_TEXT)),
        "The devices of each request: DRIVER/POOL/DEVICE, or a list of these.",
    ),
    _PENDING,
    _BECAUSE,
    _NODES,
)
"""What may be expected of a claim that no pod refers to."""

EXPECT = Record(
    Field("pods", MapOf(POD, **_NAMED), "What becomes of pods, by NAME or NAMESPACE/NAME."),
    Field("claims", MapOf(CLAIM, **_NAMED), "What becomes of claims that no pod refers to."),
    Field(
        "refused",
        MapOf(one_or_more(_TEXT), key="[A-Z][A-Za-z]* .+", form="KIND NAME or KIND NAMESPACE/NAME"),
        "Objects that the API server refuses, each with the rule that it breaks, or several.",
    ),
    Field(
        "complete",
        Flag(),
        "Whether this is all: then pods and claims with devices, pending ones, and devices that are not "
        "named are differences.",
    ),
)
"""What may be expected of a simulation."""

_GATES = MapOf(Flag())
SETTINGS = (
    Field("about", _TEXT, "What it is about."),
    Field(
        "manifests", one_or_more(_TEXT), "Files and folders, from this file on; its own folder, if not given."
    ),
    Field(
        "kubeVersion",
        one_or_more(
            Text(
                pattern=r"v?1\.\d+(\.\d+)?(\.\.v?1\.\d+(\.\d+)?)?", form="a minor such as '1.37', or a range"
            )
        ),
        "The Kubernetes minor in quotes, a range of minors, or a list; each is tried.",
    ),
    Field("featureGates", _GATES, "Feature gates beside the defaults of the minor."),
    Field(
        "namespaceLabels",
        MapOf(MapOf(Text(pattern=".*", form="a text"))),
        "Labels of namespaces, for admin access.",
    ),
    Field("nodeOrder", ListOf(_TEXT), "Nodes to prefer where several are equally good."),
    Field("replicas", MapOf(Whole(most=MOST_REPLICAS)), "Another number of pods for workloads."),
    Field("scenario", _TEXT, "A scenario file that is played before anything is expected."),
    Field(
        "steps",
        ListOf(step_shape(Field("expect", EXPECT, "What there is after the step."))),
        "The steps of a scenario, each maybe with what is expected after it.",
    ),
    Field("expect", EXPECT, "What there is in the end."),
)
"""What a case says, and a file for all its cases."""

CASE = Record(Field("name", _TEXT, "The name of the case.", required=True), *SETTINGS)

TESTS = Record(
    Field("schema", Text(choices=(SCHEMA,)), "The format of this file.", required=True),
    *SETTINGS,
    Field("cases", ListOf(CASE), "Several cases; each has what the file says where it says nothing itself."),
)
"""An expectation file."""

__all__ = ["CASE", "CLAIM", "EXPECT", "POD", "SCHEMA", "TESTS"]
