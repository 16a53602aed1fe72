"""The format of scenario files, as data: the words a step may use, and what belongs to each."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.scenario.schema import (
    MOST_REPLICAS,
    Either,
    Field,
    ListOf,
    Manifest,
    MapOf,
    Record,
    Shape,
    Text,
    Whole,
    one_or_more,
)

SCHEMA = "dractl.scenario/1"

_NAME = Text(pattern="[a-z0-9]([-a-z0-9.]*[a-z0-9])?", form="a valid Kubernetes name")
_IN_NAMESPACE = Text(
    pattern="([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?",
    form="NAME or NAMESPACE/NAME",
)
_TEXT = Text()
_DRIVER = Field("driver", _NAME, "The driver.", required=True)
_POOL = Field("pool", _TEXT, "The pool.", required=True)
_DEVICE = Field("device", _NAME, "The device.", required=True)
_NODE = Field("node", _NAME, "The node.", required=True)
_LABEL = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_TAINT_KEY = Text(pattern=f"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?{_LABEL}", form="a valid label key")
_KEY = Field("key", _TAINT_KEY, "The key of the taint.", required=True)
_VALUE = Field("value", Text(pattern=_LABEL, form="a valid label value"), "The value of the taint.")
_NAMESPACE = Field("namespace", _NAME, "The namespace; `default` if unset.")
_NODE_EFFECTS = Text(choices=("NoSchedule", "PreferNoSchedule", "NoExecute"))
_DEVICE_EFFECTS = Text(choices=("None", "NoSchedule", "NoExecute"))


def _named(*more: Field) -> Record:
    return Record(
        Field("kind", _TEXT, "The kind of the object.", required=True),
        Field("name", _NAME, "The name of the object.", required=True),
        _NAMESPACE,
        *more,
    )


_OBJECTS = Either(_TEXT, Manifest(), ListOf(Either(_TEXT, Manifest())))
_PODS = one_or_more(_IN_NAMESPACE)
_NODES = one_or_more(_NAME)


class Word:
    """A word of a step: the shape of its subjects, and its description."""

    __slots__ = ("doc", "shape")

    def __init__(self, shape: Shape, doc: str) -> None:
        """Hold the row of a word."""
        self.shape = shape
        self.doc = doc


WORDS: Mapping[str, Word] = {
    "apply": Word(
        _OBJECTS,
        "Create or update objects, from files (paths relative to this file) or inline.",
    ),
    "delete": Word(
        one_or_more(_named()),
        "Delete objects. A claim in use is deleted with its last pod, pods with their workload or node.",
    ),
    "complete": Word(_PODS, "Let pods succeed; they free their devices."),
    "fail": Word(_PODS, "Let pods fail; they free their devices. A Job creates new pods."),
    "scale": Word(
        _named(Field("replicas", Whole(most=MOST_REPLICAS), "The new number of pods.", required=True)),
        "Scale a workload.",
    ),
    "cordon": Word(_NODES, "Mark nodes as unschedulable."),
    "uncordon": Word(_NODES, "Mark nodes as schedulable."),
    "drain": Word(
        _NODES, "Cordon nodes and remove their pods except those of DaemonSets, as kubectl drain --force."
    ),
    "taint": Word(
        Record(
            _NODE, _KEY, _VALUE, Field("effect", _NODE_EFFECTS, "The effect of the taint.", required=True)
        ),
        "Taint a node; NoExecute evicts pods that do not tolerate it.",
    ),
    "untaint": Word(
        Record(_NODE, _KEY, Field("effect", _NODE_EFFECTS, "Remove only the taint with this effect.")),
        "Remove the taints with a key from a node.",
    ),
    "taintDevice": Word(
        Record(
            _DRIVER,
            _POOL,
            _DEVICE,
            _KEY,
            _VALUE,
            Field("effect", _DEVICE_EFFECTS, "The effect of the taint.", required=True),
        ),
        "Let the driver taint a device; NoExecute evicts pods that do not tolerate it. To taint devices as "
        "an admin, apply a DeviceTaintRule.",
    ),
    "untaintDevice": Word(
        Record(
            _DRIVER,
            _POOL,
            _DEVICE,
            _KEY,
            Field("effect", _DEVICE_EFFECTS, "Remove only the taint with this effect."),
        ),
        "Let the driver remove the taints with a key from a device.",
    ),
    "publish": Word(
        _OBJECTS,
        "Let the driver publish ResourceSlices as a new, complete generation of their pools; older slices "
        "are removed.",
    ),
    "withdraw": Word(
        Record(_DRIVER, _POOL, Field("devices", ListOf(_NAME), "The devices to remove.", required=True)),
        "Let the driver publish a new generation of a pool without some of its devices.",
    ),
    "conditions": Word(
        Record(
            Field("claim", _IN_NAMESPACE, "The claim: NAME or NAMESPACE/NAME.", required=True),
            Field(
                "conditions",
                MapOf(Text(choices=("True", "False", "Unknown"))),
                "Each condition with its status, in quotes.",
                required=True,
            ),
        ),
        "Let the driver report conditions for all devices of a claim that have binding conditions.",
    ),
    "timeout": Word(_PODS, "Let pods time out while they wait for the binding conditions of their devices."),
}
"""The words of steps."""

ABOUT = Field("about", _TEXT, "The heading of the step.")


def step_shape(*more: Field) -> Record:
    """A step: one of the words, maybe a heading, and what ``more`` there may be."""
    words = (Field(name, word.shape, word.doc) for name, word in WORDS.items())
    return Record(ABOUT, *words, *more, one_of=tuple(WORDS))


SCENARIO = Record(
    Field("schema", Text(choices=(SCHEMA,)), "The format of this file.", required=True),
    Field("about", _TEXT, "A description of the scenario."),
    Field("steps", ListOf(step_shape()), "The steps, in order.", required=True),
)
"""A scenario file."""
