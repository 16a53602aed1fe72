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
    "claim by its name in the pod, or the name of an extended resource. CLAIM/REQUEST/SUBREQUEST also names "
    "the chosen alternative.",
)
_PENDING = Field("pending", _CATEGORY, "The category of the reason why it gets no devices.")
_BECAUSE = Field("because", one_or_more(_TEXT), "Texts that the reason contains.")
_NODES = Field("nodes", MapOf(_CATEGORY), "The category of the reason why each node is not feasible.")

POD = Record(
    Field("node", _TEXT, "The node where the pod is placed."),
    _DEVICES,
    Field(
        "containers",
        MapOf(ListOf(_TEXT, least=0)),
        "The devices that each container sees, as DRIVER/POOL/DEVICE.",
    ),
    _PENDING,
    _BECAUSE,
    _NODES,
    Field("evicted", Flag(), "Whether a device taint will evict it."),
    Field("absent", Flag(), "Whether the pod does not exist after a scenario."),
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
    Field("pods", MapOf(POD, **_NAMED), "Expected results for pods, by NAME or NAMESPACE/NAME."),
    Field("claims", MapOf(CLAIM, **_NAMED), "Expected results for claims that no pod refers to."),
    Field(
        "refused",
        MapOf(one_or_more(_TEXT), key="[A-Z][A-Za-z]* .+", form="KIND NAME or KIND NAMESPACE/NAME"),
        "Objects that the API server refuses, each with the rule or rules that it violates.",
    ),
    Field(
        "complete",
        Flag(),
        "Whether the list is complete: then unlisted devices, and unlisted pods and claims that have "
        "devices or are pending, are differences.",
    ),
)
"""What may be expected of a simulation."""

_GATES = MapOf(Flag())
SETTINGS = (
    Field("about", _TEXT, "A description."),
    Field(
        "manifests", one_or_more(_TEXT), "Files and folders, relative to this file; its own folder if unset."
    ),
    Field(
        "kubeVersion",
        one_or_more(
            Text(
                pattern=r"v?1\.\d+(\.\d+)?(\.\.v?1\.\d+(\.\d+)?)?", form="a minor such as '1.37', or a range"
            )
        ),
        "The Kubernetes minor in quotes, a range of minors, or a list of them; each is tested.",
    ),
    Field("featureGates", _GATES, "Override feature gates."),
    Field(
        "namespaceLabels",
        MapOf(MapOf(Text(pattern=".*", form="a string"))),
        "Labels of namespaces, for admin access.",
    ),
    Field("nodeOrder", ListOf(_TEXT), "Nodes to prefer, in this order, if several are equally good."),
    Field("replicas", MapOf(Whole(most=MOST_REPLICAS)), "Override the number of pods of workloads."),
    Field("scenario", _TEXT, "A scenario file to run before results are compared."),
    Field(
        "steps",
        ListOf(step_shape(Field("expect", EXPECT, "Expected results after the step."))),
        "The steps of a scenario, optionally with expected results after each.",
    ),
    Field("expect", EXPECT, "Expected results at the end."),
)
"""The fields of a case, and of a file for all its cases."""

CASE = Record(Field("name", _TEXT, "The name of the case.", required=True), *SETTINGS)

TESTS = Record(
    Field("schema", Text(choices=(SCHEMA,)), "The format of this file.", required=True),
    *SETTINGS,
    Field(
        "cases", ListOf(CASE), "Several cases; each inherits the settings of the file that it does not set."
    ),
)
"""An expectation file."""

__all__ = ["CASE", "CLAIM", "EXPECT", "POD", "SCHEMA", "TESTS"]
