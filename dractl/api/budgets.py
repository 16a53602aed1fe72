"""The limits that dractl sets itself, one row each, so that no input keeps a run busy or fills the memory.

Limits of the API server are another matter: they are in ``limits``. ``python -m tests.drift --fix`` writes
the rows into docs/limits.md.
"""

from __future__ import annotations

from dractl.records import NamedTuple

__all__ = ["BUDGETS", "Budget"]


class Budget(NamedTuple):
    """A limit: its name in the docs, its value in ``unit``, and what happens to whoever reaches it.

    ``text`` is what dractl prints, ``{value}`` being the value; ``exit_code`` is that of the run (None where
    reaching the limit does not decide it). ``why`` says what it protects, with the figure that set it.
    """

    name: str
    value: int
    unit: str
    text: str
    exit_code: int | None
    why: str

    def message(self, **details: object) -> str:
        """What to print, with the value and the other ``details`` that the text names."""
        return self.text.format(value=f"{self.value:,}", **details)


_rows: list[Budget] = []


def _budget(name: str, value: int, unit: str, *, text: str, exit_code: int | None, why: str) -> Budget:
    row = Budget(name, value, unit, text, exit_code, why)
    _rows.append(row)
    return row


INPUT_SIZE = _budget(
    "input-size",
    256,
    "MiB per file",
    text="the input is larger than {value} MiB; split it into several files",
    exit_code=1,
    why="An object of the API is 3 MB at most; a dump of 5,000 nodes takes about 150 MB.",
)
FOLDER_FILES = _budget(
    "folder-files",
    200_000,
    "manifests per run",
    text="the folders contain more than {value} manifests; pass fewer folders, or use --exclude",
    exit_code=2,
    why="A large monorepo has about 50,000 YAML files; reading 200,000 takes about a minute.",
)
IGNORE_BYTES = _budget(
    "ignore-bytes",
    1_000_000,
    "bytes of a `.gitignore`",
    text="the .gitignore is larger than {value} bytes, so its patterns are not used",
    exit_code=0,
    why="The longest template of a `.gitignore` has 10 KB.",
)
CONFIG_BYTES = _budget(
    "config-bytes",
    256 * 1024,
    "bytes of a configuration file",
    text="the file is larger than {value} bytes; configuration files are smaller",
    exit_code=2,
    why="The pyproject.toml of a large project has 30 KB; keys with many parts take quadratic time.",
)
FOLDER_ENTRIES = _budget(
    "folder-entries",
    1_000_000,
    "names in folders per run",
    text="the folders contain more than {value} names; pass fewer folders, or use --exclude",
    exit_code=2,
    why="The names of one folder are sorted in memory: about 150 MB for a million.",
)
FOLDER_DEPTH = _budget(
    "folder-depth",
    128,
    "nested folders",
    text="folders are nested more than {value} levels deep; the rest was not read",
    exit_code=2,
    why="Source trees rarely pass 30 levels; a path of Linux has room for 2,048.",
)
SHARED_SIZE = _budget(
    "shared-size",
    1,
    "MiB in a link of --share",
    text="the files have {size} MiB; a link holds {value} MiB: name fewer files",
    exit_code=2,
    why="Browsers follow addresses of 1 to 2 million characters; the example of a node has 2 KB.",
)
SHARED_FILES = _budget(
    "shared-files",
    50,
    "files in a link of --share",
    text="the link would hold {size} files; it can hold {value}: name fewer files",
    exit_code=2,
    why="The playground shows a tab for each file.",
)
SHARED_LINK = _budget(
    "shared-link",
    30_000,
    "characters of a link of --share",
    text="the link has {size} characters; many programs cut links with more than {value}: name fewer files",
    exit_code=0,
    why="Chat programs and issue trackers take 4,000 to 65,000 characters in a message.",
)
EXPRESSION_LINE = _budget(
    "expression-line",
    1_048_576,
    "bytes per line on standard input",
    text="line {line} of standard input has more than {value} bytes",
    exit_code=2,
    why="The API server accepts expressions of 10 KiB; a stream such as /dev/zero has endless lines.",
)
SECOND_OPINION_TIME = _budget(
    "second-opinion-time",
    15,
    "seconds of --compare per run",
    text="celpy was stopped after {value} seconds",
    exit_code=None,
    why="Its parser needs minutes for forty comparisons joined by &&; 10,000 devices take about 10 s.",
)
SECOND_OPINION_MEMORY = _budget(
    "second-opinion-memory",
    1_024,
    "MiB for --compare",
    text="celpy ended without a result: it can use {value} MiB",
    exit_code=None,
    why="It runs in a separate process; a plain expression needs about 100 MiB.",
)
NESTING = _budget(
    "nesting",
    256,
    "levels per document",
    text="mappings and lists are nested more than {value} levels deep",
    exit_code=1,
    why="No field of the API is deeper than 30 levels; go-yaml stops at 10,000, where Python cannot follow.",
)
DOCUMENTS = _budget(
    "documents",
    125_000,
    "documents per file, and per run of one or more paths",
    text="the input has more than {value} documents; the rest is not read: split it into several runs",
    exit_code=1,
    why="Each takes up to 5 KiB; a dump of 5,000 nodes has about 100,000 objects.",
)
RANGE_DOCUMENTS = _budget(
    "documents-of-range",
    60_000,
    "documents per run over a range of minors",
    text="over a range of minors, {value} documents are validated; {wanted} more are not: split the input",
    exit_code=1,
    why="Each takes up to 13 KiB over eight minors, so that all of them take 780 MiB.",
)
ALIASED = _budget(
    "aliased",
    500_000,
    "values per document with aliases",
    text="a document with aliases has more than {value} values; write them without aliases",
    exit_code=1,
    why="To resolve an alias, its text is kept as events of 450 bytes; only people write aliases.",
)
COLLECTIONS = _budget(
    "collections",
    1_000_000,
    "mappings and lists per document, or one for every 8 characters if that is more",
    text="the document has more than {value} mappings and lists, and more than one for every 8 characters",
    exit_code=1,
    why="Each takes 450 bytes and can be written in 3; those of manifests have 25 characters.",
)
FINDINGS = _budget(
    "findings",
    10_000,
    "findings per severity and run",
    text="{wanted} only counted, not listed: a run lists {value} of each severity",
    exit_code=None,
    why="Two bytes of input can cause a finding of 1 KiB; nobody reads 10,000 of them.",
)
PROTOTYPE_COUNT = _budget(
    "prototype-count",
    10_000,
    "devices per pool of a prototype API",
    text="{what} {wanted} devices; dractl uses the first {kept} and ignores {lost} ({value} per pool)",
    exit_code=1,
    why="A node has about a hundred devices; a count or partitions of a few bytes can mean billions.",
)
PROTOTYPE_DEVICES = _budget(
    "prototype-devices",
    50_000,
    "devices per run from counts and partitions of prototype APIs",
    text="{what} {wanted} devices; dractl uses the first {kept} and ignores {lost} ({value} in all pools)",
    exit_code=1,
    why="Each takes 6 KiB in a simulation, so that all of them take 300 MiB.",
)
PROTOTYPE_PARTITIONS = _budget(
    "prototype-partitions",
    5_000,
    "computed partitions per run",
    text="it has {wanted} partitions; dractl computes {kept} and ignores {lost} ({value} in all pools)",
    exit_code=1,
    why="Each evaluates several CEL expressions; a device has a few dozen partitions.",
)
PROTOTYPE_RANGES = _budget(
    "prototype-ranges",
    100_000,
    "parts of ranges per run",
    text="the pool is ignored: its ranges overlap in {wanted} parts; dractl uses {value} in all pools",
    exit_code=1,
    why="A range is stored as bounds; each overlapping part is a counter of 1 KiB.",
)
PROTOTYPE_INHERITED = _budget(
    "prototype-inherited",
    500_000,
    "attributes and capacities per run that devices inherit from their pool",
    text="the pool is ignored: its {wanted} attributes and capacities, counted for every device, "
    "exceed the rest of {value} in all pools",
    exit_code=1,
    why="A pool of 10 MB can have 100,000 devices and as many attributes; each takes 100 bytes per device.",
)
PROTOTYPE_CHOICES = _budget(
    "prototype-choices",
    10_000,
    "sizes and options per claim of a prototype API",
    text="the claim has {wanted} sizes and options; dractl tries at most {value}",
    exit_code=1,
    why="Each size between the fewest and the most devices is tried; a claim can have at most 32 devices.",
)
PROTOTYPE_STEPS = _budget(
    "prototype-steps",
    1_000_000,
    "search steps per run for pods and claims of prototype APIs",
    text="the search stopped: previous pods and claims used {value} steps",
    exit_code=1,
    why="A step looks at one device and takes up to 40 microseconds, so that all of them take 40 s.",
)
PROTOTYPE_ROWS = _budget(
    "prototype-rows",
    100_000,
    "placements per run for pods and claims of prototype APIs",
    text="{wanted} more placements are not listed; dractl lists {value}",
    exit_code=1,
    why="500 containers that each use all 10,000 devices of a claim make 5 million placements.",
)
PROTOTYPE_CEL = _budget(
    "prototype-cel",
    5_000_000,
    "cost units per run for the selectors of prototype APIs",
    text="the selectors of the run cost more than {value} units; no more selectors are evaluated",
    exit_code=1,
    why="The prototypes have no cost limit of their own; v1 stops one evaluation at 1,000,000.",
)

SHOWN_TEXT = _budget(
    "shown-text",
    2000,
    "characters per message",
    text="… (cut after {value} characters)",
    exit_code=None,
    why="A value of 10 MB must not fill the log; JSON has the full message.",
)
SHOWN_NAME = _budget(
    "shown-name",
    400,
    "characters per field or name",
    text="… (cut after {value} characters)",
    exit_code=None,
    why="A label key has at most 317 characters, so the field of every valid object is shown in full.",
)

CEL_VALUE = _budget(
    "cel-value",
    5_000_000,
    "steps per expression and device",
    text="not evaluated: the expression needs more than {value} steps for this device",
    exit_code=None,
    why="A cost of 1,000,000, the limit of Kubernetes, is 1 to 3 million steps; 5 million take 1 to 2 s.",
)
CEL_RUN = _budget(
    "cel-run",
    20_000_000,
    "steps of all expressions",
    text="not evaluated: the expressions need more than {value} steps in total",
    exit_code=None,
    why="An evaluation rarely takes 500 steps, which are free; 20 million take 1 to 5 s.",
)
REGEX_STATES = _budget(
    "regex-states",
    100_000,
    "states per pattern",
    text="not evaluated: the regular expression has more than {value} states",
    exit_code=None,
    why="Kubernetes accepts 3 million; 100,000 take 20 MiB and 0.3 s to build. Real patterns need 1,000.",
)

LINT_EVALUATIONS = _budget(
    "lint-evaluations",
    100_000,
    "evaluations",
    text="not run for all devices: the selectors need more than {value} evaluations in total",
    exit_code=None,
    why="They take less than a second; one with a cost over 200 counts as several.",
)
DIFF_EVALUATIONS = _budget(
    "diff-evaluations",
    4_000_000,
    "evaluations of selectors for each input of a comparison",
    text="the selectors need more than {value} evaluations; the others are not compared",
    exit_code=None,
    why="An evaluation takes about 1 microsecond, so that all of them take 4 to 8 s.",
)
PLAY_EVALUATIONS = _budget(
    "play-evaluations",
    20_000,
    "evaluations of selectors for the table of the playground",
    text="the selectors need more than {value} evaluations; the others are not evaluated",
    exit_code=None,
    why="In a browser they take about a second.",
)
SCHEMA_STEPS = _budget(
    "schema-steps",
    300_000,
    "keywords of a JSON Schema",
    text="not checked: the JSON Schema needs more than {value} steps",
    exit_code=None,
    why="Checking an object takes 20 to 500 steps, and 500 are free; 300,000 take 3 to 5 s.",
)
SCHEMA_FINDINGS = _budget(
    "schema-findings",
    50,
    "findings per object with parameters",
    text="{count} more findings about these parameters are not shown (limit: {value})",
    exit_code=None,
    why="A list of 100,000 elements of a wrong type would fill the log with one line each.",
)
FORMAT_ERRORS = _budget(
    "format-errors",
    1_000,
    "errors per scenario or expectation file",
    text="the file has more than {value} errors; after fixing these dractl lists the others",
    exit_code=2,
    why="A list of a million wrong items would take minutes; a suggestion takes 0.1 ms.",
)

# Simulations.

SEARCH_STEPS = _budget(
    "search-steps",
    800_000,
    "steps per run",
    text="the run used {steps} search steps ({value}, and more for each object); "
    "later pods have the category timeout",
    exit_code=1,
    why="A step takes 10 to 50 microseconds; 5,000 pods that are alike on 5,000 nodes take 300,000 steps.",
)
SEARCH_STEPS_PER_OBJECT = _budget(
    "search-steps-per-object",
    500,
    "further steps for each object, device, and 10 attribute values of the input",
    text="each object and device of the input adds {value} search steps",
    exit_code=None,
    why="20,000 pods on 5,000 nodes take 2 million steps; an input of 20 KB adds 500,000 at most.",
)
SEARCH = _budget(
    "search",
    1_000_000,
    "steps per pod and node",
    text="the search for devices stopped after {steps} steps (limit: {value})",
    exit_code=1,
    why="The scheduler stops after ten seconds, which are 13 million steps of its own.",
)
MEMORY_OF_SEARCH = _budget(
    "search-memory",
    1_000_000,
    "devices in states that a search remembers",
    text="a search remembers states with {value} devices, then continues without adding more",
    exit_code=None,
    why="Each takes about 200 bytes, so that all of them take 200 MiB.",
)
LOOK_AHEAD_GROUPS = _budget(
    "look-ahead-groups",
    1_000,
    "combinations of attribute values that a search checks ahead",
    text="a search checks at most {value} combinations ahead, then continues without this check",
    exit_code=None,
    why="A combination takes about 0.1 ms.",
)
LOOK_AHEAD_EDGES = _budget(
    "look-ahead-edges",
    2_000_000,
    "pairs of requirement and device in one matching",
    text="a matching of more than {value} pairs is not checked ahead",
    exit_code=None,
    why="A pair takes up to 0.1 microseconds.",
)
LOOK_AHEAD = _budget(
    "look-ahead",
    20_000_000,
    "pairs of requirement and device that a search checks ahead",
    text="a search checks at most {value} pairs ahead, then continues without this check",
    exit_code=None,
    why="A pair takes 10 to 50 nanoseconds, so that all of them take 1 s.",
)
PODS_PER_WORKLOAD = _budget(
    "pods-per-workload",
    5_000,
    "pods created from one workload",
    text="it has {wanted} pods; dractl simulates {made} of them (at most {value} per workload)",
    exit_code=1,
    why="A pod takes about 0.5 ms and 6 KB.",
)
PODS = _budget(
    "pods",
    20_000,
    "pods created from all workloads of a simulation; each 4 claims count as one",
    text="{lost} pods of workloads are ignored: a simulation creates at most {value}",
    exit_code=1,
    why="The largest tests of the real scheduler have 20,000 pods.",
)
REASONS = _budget(
    "reasons",
    100_000,
    "per-node reasons per run",
    text="the run listed {value} per-node reasons; later pending pods have only a summary",
    exit_code=1,
    why="A reason takes about 300 bytes, in memory and in the output.",
)
PLACEMENTS = _budget(
    "placements",
    160_000,
    "placements per run",
    text="the devices of {pods} more pods are not listed: a run lists {value} placements",
    exit_code=1,
    why="Each container of a shared claim adds placements; 20,000 pods with eight devices have 160,000.",
)
LINES = _budget(
    "lines",
    10_000,
    "lines per section of a report",
    text="{more} lines are not shown (limit: {value}); --format json has them all",
    exit_code=None,
    why="Nobody reads more, and a table of 10,000 rows takes 6 s to draw.",
)
PAGE_DEVICES = _budget(
    "page-devices",
    10_000,
    "devices drawn on an HTML page",
    text="{more} not drawn (limit: {value}); --format json has all placements",
    exit_code=None,
    why="A browser draws 10,000 devices in about a second; their page has 3 MB.",
)
PAGE_ROWS = _budget(
    "page-rows",
    5_000,
    "rows of a table on an HTML page",
    text="{more} not shown (limit: {value}); --format json has them all",
    exit_code=None,
    why="A browser takes seconds for longer tables.",
)
EXPLANATIONS = _budget(
    "explanations",
    25,
    "kinds of pending pods explained per run",
    text="{more} are not explained in detail (limit: {value} kinds of pods); dractl why explains each",
    exit_code=None,
    why="An explanation takes up to ten lines; nobody reads 25 of them.",
)
REMEDIED = _budget(
    "remedied-pods",
    20,
    "kinds of pending pods per run for which changes are tried",
    text="changes are tried for {value} kinds of pending pods; dractl why tries them for each",
    exit_code=None,
    why="Trials for one pod take 0.1 to 4 s.",
)
EXPLAINED_NODES = _budget(
    "explained-nodes",
    10_000,
    "nodes per run to explain pending pods, and all nodes for the first",
    text="pending pods are explained on {value} nodes in total; later ones have only a summary",
    exit_code=None,
    why="Looking at a node with eight devices takes 1 ms.",
)
EXPLANATION_STEPS = _budget(
    "explanation-steps",
    800_000,
    "search steps per run to explain pending pods",
    text="the explanations used {value} search steps; later pending pods have only a summary",
    exit_code=None,
    why="A step takes 10 to 50 microseconds; 5,000 nodes take about 100,000 steps.",
)
ROUNDS = _budget(
    "rounds",
    1_000,
    "rounds until a cluster settles",
    text="the cluster has not settled after {value} rounds",
    exit_code=1,
    why="Every round retries pending pods; clusters settle in less than ten.",
)
ROUNDS_OF_STEP = _budget(
    "rounds-of-step",
    100,
    "rounds of controllers after a step of a scenario",
    text="the controllers have not settled after {value} rounds",
    exit_code=1,
    why="Every round creates and deletes pods; clusters settle in less than ten.",
)
POSSIBLE_STEPS = _budget(
    "possible-steps",
    300_000,
    "steps of the search for possible sets per run, and as many to count them",
    text="the search for possible sets stopped after {value} steps; the list is incomplete",
    exit_code=1,
    why="A GPU with 20 partitions takes about 400 steps; the limit takes about 10 s.",
)
POSSIBLE_COMBINATIONS = _budget(
    "possible-combinations",
    1_000,
    "combinations of kinds of devices per counter set",
    text="more than {value} combinations of kinds are possible; the others are not listed",
    exit_code=1,
    why="A GPU has about a dozen; each is compared with the others.",
)

REMEDY_TRIALS = _budget(
    "remedy-trials",
    400,
    "trials per pending pod",
    text="dractl tries at most {value} changes for a pending pod; there may be smaller ones",
    exit_code=None,
    why="A trial on eight nodes takes 2 to 10 ms, so that all of them take up to 4 s; most pods need 50.",
)
REMEDY_STEPS = _budget(
    "remedy-steps",
    60_000,
    "search steps per pending pod for all changes that are tried",
    text="dractl stops trying changes for a pending pod after {value} search steps",
    exit_code=None,
    why="A step takes 10 to 50 microseconds; the changes for one pod on eight nodes take 1,000 to 20,000.",
)
REMEDY_SEARCH = _budget(
    "remedy-search",
    4_000,
    "search steps per change and node",
    text="a change whose search takes more than {value} steps on a node is not offered",
    exit_code=None,
    why="A search that finds devices takes fewer than 100 steps nearly always.",
)
COPIES = _budget(
    "copies",
    20_000,
    "copies of pods that dractl size places",
    text="the count stopped after {value} copies; more may fit",
    exit_code=None,
    why="A copy takes about 0.5 ms and 6 KB where it shares nothing with the copies on other nodes.",
)
COPY_NODES = _budget(
    "copy-nodes",
    4_000_000,
    "nodes that dractl size tries for all copies that share something, or for a mix",
    text="the count stopped after trying {value} nodes for all copies; more may fit",
    exit_code=None,
    why="A node takes up to 10 microseconds for each copy, so that all of them take about 40 s.",
)
ADDED_NODES = _budget(
    "added-nodes",
    1_000,
    "nodes that dractl size adds for the pending pods",
    text="dractl adds at most {value} nodes; more may be needed",
    exit_code=None,
    why="Each number that is tried is a simulation of the whole cluster; large node groups have 1,000 nodes.",
)
ADDED_TRIALS = _budget(
    "added-trials",
    4_000_000,
    "nodes that dractl size tries for all pending pods and numbers of added nodes",
    text="dractl tries at most {value} nodes for all pods together; another number of nodes may do",
    exit_code=None,
    why="As for copies: a node takes up to 10 microseconds for each pod.",
)
AGENT_MESSAGE = _budget(
    "agent-message",
    16,
    "MiB per message to `dractl mcp`",
    text="the message is larger than {value} MiB",
    exit_code=None,
    why="Larger manifests are given as paths; a message is held in memory several times.",
)
AGENT_CALL = _budget(
    "agent-call",
    120,
    "seconds per call of a tool of `dractl mcp`",
    text="the call was stopped after {value} seconds",
    exit_code=None,
    why="An agent waits; a dump of 5,000 nodes takes about 15 s.",
)
FIX_TEXT = _budget(
    "fix-text",
    4_000_000,
    "characters of a YAML document that are read again to find its fixes",
    text="dractl reads at most {value} characters again to find the fixes of a document",
    exit_code=None,
    why="Each fix reads the whole document once; 1,000,000 characters take about 0.5 s.",
)
FIX_TRIALS = _budget(
    "fix-trials",
    4_000_000,
    "characters of objects that --fix validates again to see whether a fix helps",
    text="dractl validates at most {value} characters again in a run; run it again for the other fixes",
    exit_code=None,
    why="1,000 characters take about 4 ms for each minor, so that all of them take about 16 s.",
)
LIVE_SIZE = _budget(
    "live-size",
    1_024,
    "MiB of answers per reading of a cluster",
    text="the answers of the cluster exceed {value} MiB",
    exit_code=2,
    why="5,000 nodes with 8 devices and 20 pods each take about 400 MB as the API server sends them.",
)
LIVE_OBJECTS = _budget(
    "live-objects",
    125_000,
    "objects per reading of a cluster",
    text="the cluster has more than {value} objects of the kinds that dractl reads",
    exit_code=2,
    why="As many as a run reads from files.",
)
LIVE_TIME = _budget(
    "live-time",
    120,
    "seconds per reading of a cluster",
    text="kubectl did not answer in time: a reading is stopped after {value} seconds",
    exit_code=2,
    why="A slow API server needs about 30 s for 100,000 objects; kubectl alone would wait forever.",
)
EVENT_SIZE = _budget(
    "event-size",
    16,
    "MiB per event of `kubectl dra record`, and per line of a recording",
    text="an event is larger than {value} MiB",
    exit_code=2,
    why="An object of the API is 3 MB at most.",
)
RECORDED_EVENTS = _budget(
    "recorded-events",
    1_000_000,
    "events per recording",
    text="the recording has {value} events; start another one",
    exit_code=2,
    why="They are held in memory for a replay, with about 3 KB each.",
)
REPLAYED_PODS = _budget(
    "replayed-pods",
    10_000,
    "placements that `dractl replay --compare` simulates",
    text="only the first {value} placements are compared",
    exit_code=None,
    why="Each is a simulation of the whole cluster: 20 ms for 100 nodes.",
)


BUDGETS: tuple[Budget, ...] = tuple(_rows)
"""Every row, in the order of the docs."""
