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

_NAME = Text(pattern="[a-z0-9]([-a-z0-9.]*[a-z0-9])?", form="a name as Kubernetes takes it")
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
_TAINT_KEY = Text(pattern=f"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?{_LABEL}", form="a key as labels have it")
_KEY = Field("key", _TAINT_KEY, "The key of the taint.", required=True)
_VALUE = Field("value", Text(pattern=_LABEL, form="a value as labels have it"), "The value of the taint.")
_NAMESPACE = Field("namespace", _NAME, "The namespace; default, if none is given.")
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
    """What a step may say: its subject's shape, and what it does."""

    __slots__ = ("doc", "shape")

    def __init__(self, shape: Shape, doc: str) -> None:
        """Hold the row of a word."""
        self.shape = shape
        self.doc = doc


WORDS: Mapping[str, Word] = {
    "apply": Word(
        _OBJECTS,
        "Creates objects, or updates those that are there: files, by their path from this file, and objects "
        "that stand here.",
    ),
    "delete": Word(
        one_or_more(_named()),
        "Deletes objects. A claim in use goes with its last pod; pods go with their workload or node.",
    ),
    "complete": Word(_PODS, "Pods end well, and free their devices."),
    "fail": Word(_PODS, "Pods end badly, and free their devices; a Job makes new ones."),
    "scale": Word(
        _named(Field("replicas", Whole(most=MOST_REPLICAS), "How many pods there shall be.", required=True)),
        "Changes the number of pods of a workload.",
    ),
    "cordon": Word(_NODES, "Marks nodes as unschedulable."),
    "uncordon": Word(_NODES, "Takes that mark away."),
    "drain": Word(
        _NODES, "Cordons nodes and ends their pods, but for those of DaemonSets; as kubectl drain --force."
    ),
    "taint": Word(
        Record(_NODE, _KEY, _VALUE, Field("effect", _NODE_EFFECTS, "What the taint does.", required=True)),
        "Taints a node; NoExecute ends the pods that do not tolerate it.",
    ),
    "untaint": Word(
        Record(_NODE, _KEY, Field("effect", _NODE_EFFECTS, "Only the taint with this effect.")),
        "Removes the taints with a key from a node.",
    ),
    "taintDevice": Word(
        Record(
            _DRIVER,
            _POOL,
            _DEVICE,
            _KEY,
            _VALUE,
            Field("effect", _DEVICE_EFFECTS, "What the taint does.", required=True),
        ),
        "The driver publishes a device with a taint; NoExecute ends the pods that do not tolerate it. For "
        "the taint of an admin apply a DeviceTaintRule.",
    ),
    "untaintDevice": Word(
        Record(
            _DRIVER,
            _POOL,
            _DEVICE,
            _KEY,
            Field("effect", _DEVICE_EFFECTS, "Only the taint with this effect."),
        ),
        "The driver publishes a device without the taints with a key.",
    ),
    "publish": Word(
        _OBJECTS,
        "The driver publishes ResourceSlices as a new generation of their pools: it is numbered and "
        "complete, and the older slices go.",
    ),
    "withdraw": Word(
        Record(_DRIVER, _POOL, Field("devices", ListOf(_NAME), "The devices that go.", required=True)),
        "The driver publishes a new generation of a pool without some of its devices.",
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
        "The driver reports conditions of all devices of a claim that have binding conditions.",
    ),
    "timeout": Word(
        _PODS, "The time runs out in which pods wait for the binding conditions of their devices."
    ),
}
"""Every word that a step can be."""

ABOUT = Field("about", _TEXT, "What the step is about, as its heading.")


def step_shape(*more: Field) -> Record:
    """A step: one of the words, maybe a heading, and what ``more`` there may be."""
    words = (Field(name, word.shape, word.doc) for name, word in WORDS.items())
    return Record(ABOUT, *words, *more, one_of=tuple(WORDS))


SCENARIO = Record(
    Field("schema", Text(choices=(SCHEMA,)), "The format of this file.", required=True),
    Field("about", _TEXT, "What the scenario is about."),
    Field("steps", ListOf(step_shape()), "What happens, one after the other.", required=True),
)
"""A scenario file."""
