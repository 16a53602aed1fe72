"""The checks of a driver in the order of the report: what each looks at, why, and an example of a fact."""

from __future__ import annotations

from dractl.records import NamedTuple

__all__ = ["CHECKS", "SECTIONS", "Check"]


class Check(NamedTuple):
    """One check: its id, its section, what it reports, why that matters, and a message as an example.

    ``fine`` is what the report prints if it finds nothing; empty for checks that always have a fact.
    ``rules`` are the patterns of the rules and lints that it reports.
    """

    id: str
    section: str
    what: str
    why: str
    example: str
    fine: str = ""
    rules: tuple[str, ...] = ()


SECTIONS = {
    "minors": "Kubernetes minors",
    "limits": "Headroom to the limits of the API server",
    "names": "Names",
    "devices": "Devices",
    "partitions": "Partitions",
    "classes": "Classes and claims",
    "pools": "Pools",
}
"""The titles of the sections of the report, in its order."""

CHECKS: tuple[Check, ...] = (
    Check(
        "driver/served",
        "minors",
        "Which minors serve the API versions of the input",
        "An object in a version that the cluster does not serve cannot be published.",
        "resource.k8s.io/v1 (ResourceSlice): served in 1.34 to 1.38; not in 1.30 to 1.33",
        rules=("version/unserved", "version/not-served-by-default"),
    ),
    Check(
        "driver/minors",
        "minors",
        "What the API server of each minor rejects, drops or warns about",
        "A field that an older minor drops disappears without an error for the driver.",
        "spec.sharedCounters: the server drops this field (1.34 to 1.35)",
        "every minor that serves the objects accepts them and drops nothing",
        rules=("*",),
    ),
    Check(
        "driver/headroom",
        "limits",
        "Limits that the input exceeds; the section lists how much is left of each",
        "The next model of the hardware may have more devices than one slice can hold.",
        "130 of 128 devices in a slice (node-a-gpu); 2 too many",
        "no limit is exceeded",
    ),
    Check(
        "driver/domains",
        "names",
        "The attributes and capacities of each driver by domain",
        "Selectors find a name without a domain under the name of the driver only.",
        "gpu.example.com has attributes of its own: model, uuid; of resource.kubernetes.io: pcieRoot",
    ),
    Check(
        "driver/standard-attribute",
        "names",
        "Misspelled standard attributes, and standard attributes of another domain or type",
        "Constraints across drivers match only if all drivers use the same qualified name.",
        "resource.kubernetes.io/pciRoot is not a standard attribute; did you mean pcieRoot?",
        "no misspelled standard attributes",
    ),
    Check(
        "driver/attribute-types",
        "names",
        "Attributes that have different types on different devices",
        "A selector compares with one type; for devices of another it fails or is never true.",
        "gpu.example.com/memory is an int on 4 devices and a string on 2",
        "every attribute has one type",
    ),
    Check(
        "driver/attribute-some",
        "names",
        "Attributes and capacities that some devices lack",
        "A selector that reads a missing attribute fails, and the pod stays Pending.",
        "attribute gpu.example.com/link: 4 of 6 devices have it",
        "all devices have the same attributes and capacities",
    ),
    Check(
        "driver/attribute-twice",
        "names",
        "Names given twice, with and without the driver's domain, or read as booleans by YAML",
        "Which of the two values selectors see is undefined.",
        "device gpu-0 has attribute model twice: without a domain it also means gpu.example.com/model",
        "no name is given twice",
        rules=("across/attribute-twice", "across/boolean-key"),
    ),
    Check(
        "driver/alike",
        "devices",
        "Devices of a pool that no selector can tell apart",
        "Users cannot choose between them; a warning if they differ in counters or taints.",
        "gpu-0 and gpu-0-half look the same to selectors, but consume different amounts of counters",
        "selectors can tell all devices of a pool apart",
    ),
    Check(
        "driver/counters",
        "partitions",
        "Counters and counter sets that devices consume but no slice has, and sets defined twice",
        "The scheduler ignores the whole pool.",
        "pool gpu.example.com/node-a has no counter set gpu0",
        "every consumed counter exists once",
        rules=("across/counter-missing", "across/counter-set-twice"),
    ),
    Check(
        "driver/never-allocated",
        "partitions",
        "Devices that need more of a counter than its set has",
        "They are published, but no pod can ever get them.",
        "80Gi of memory is more than counter set gpu-0 has; the device can never be allocated",
        "every device fits the counters",
        rules=("across/counter-excess",),
    ),
    Check(
        "driver/never-together",
        "partitions",
        "Kinds of devices that exclude each other, and how many of a kind fit at once",
        "More devices are published than can be in use: compare with what the hardware can do.",
        "never at once: whole and half; at most 2 of 3 x quarter",
        "all devices can be in use at once",
    ),
    Check(
        "driver/counter-unused",
        "partitions",
        "Counters and counter sets that no device consumes",
        "They limit nothing: a device probably misses an entry in consumesCounters.",
        "no device consumes counter copy-engines of counter set gpu-0",
        "every counter is consumed",
    ),
    Check(
        "driver/class-missing",
        "classes",
        "Devices that no DeviceClass of the input selects",
        "Users reach devices through a class; without one they cannot be requested.",
        "no DeviceClass selects 2 of 6 devices of gpu.example.com",
        "the classes select all devices",
    ),
    Check(
        "driver/class-nothing",
        "classes",
        "DeviceClasses that select no device of the input",
        "A claim for such a class stays Pending.",
        "class mig selects none of 6 devices",
        "every class selects a device",
    ),
    Check(
        "driver/selectors",
        "classes",
        "Selectors, constraints and requests that do not fit the devices",
        "A selector that fails for a device keeps pods Pending.",
        "device gpu.example.com/node-a/nic-0 has no attribute gpu.example.com/model, so this fails",
        "selectors, constraints and requests fit the devices",
        rules=("selector/*", "across/constraint-nothing", "across/capacity-*", "across/config-nothing"),
    ),
    Check(
        "driver/pool",
        "pools",
        "Generations, slice counts, nodes and device names that do not fit within a pool",
        "The scheduler ignores obsolete slices and incomplete pools.",
        "pool gpu.example.com/node-a, generation 1, has 1 of 2 slices",
        "generations, slice counts and device names fit",
        rules=(
            "across/pool-*",
            "across/device-duplicate",
            "across/same-name",
            "across/slice-node-missing",
        ),
    ),
    Check(
        "driver/pool-nodes",
        "pools",
        "Pools whose slices name their nodes in different ways",
        "A node sees a part of such a pool only, so its devices cannot be compared or combined.",
        "pool gpu.example.com/rack-1 has slices for one node and slices with a nodeSelector",
        "each pool is for one kind of nodes",
    ),
    Check(
        "driver/pool-drivers",
        "pools",
        "Pool names that several drivers use",
        "These are separate pools: a pool belongs to its driver, as with node names.",
        "pool name node-a: gpu.example.com and nic.example.com have a pool of this name each",
        "no two drivers share a pool name",
    ),
    Check(
        "driver/generation",
        "pools",
        "Generations that go back, and devices that change within a generation (with --old)",
        "Consumers ignore lower generations, and mix old and new devices within one.",
        "the generation goes back from 4 to 1",
        "generations rise with every change",
        rules=("update/generation-*",),
    ),
)
"""All checks; the last pattern that is ``*`` takes what no other check reports."""
