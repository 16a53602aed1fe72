"""Cases: every command and function of dractl, with options that make sense and others that do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.bytes_ import mutate_bytes
from tests.fuzz.case import Case
from tests.fuzz.corpus import Corpus, Seed, dumped, parsed
from tests.fuzz.options import RARE, RESULT, Options, passable
from tests.fuzz.selectors import mutate_expression
from tests.fuzz.trees import Trees
from tests.fuzz.words import (
    DIALECTS,
    FILE_NAMES,
    GATES,
    KINDS,
    MINORS,
    NAMES,
    PATHS,
    VERSIONS,
)
from tests.paths import ROOT

__all__ = ["RESULT", "STATE", "Maker"]

STATE = "state.out"
"""Where ``--save-state`` writes."""

_LINKS = tuple(path for path in PATHS if path)
_RULES = ("request/*", "cel/*", "decode/fatal", "*", "request/nam", "[", "", "a,b", "across/*", "version/*")


class Maker:
    """Makes cases; the same seed and number give the same case."""

    def __init__(self, seed: int, corpus: Corpus) -> None:
        """Make the cases of ``seed`` from the texts of ``corpus``."""
        self._seed = seed
        self._corpus = corpus

    def case(self, number: int) -> Case:
        """The case with this number."""
        random = Random(f"{self._seed}:{number}")  # noqa: S311 - test input, no secret
        return _Making(random, self._corpus).case()


RECORDING = ROOT / "testdata" / "recordings" / "quickstart.jsonl"


class _Making(Options):
    """One case in the making: options and files are added as they are drawn."""

    def __init__(self, random: Random, corpus: Corpus) -> None:
        super().__init__(random)
        self._corpus = corpus
        self._trees = Trees(random, corpus)
        self._files: dict[str, bytes] = {}
        self._links: dict[str, str] = {}
        self._stdin: str | None = None

    def case(self) -> Case:
        command, make = self._random.choice(_COMMANDS)
        arguments = make(self)
        if command == "api":
            return Case("api", arguments, self._files)
        options = self._options
        if self._chance(RARE):
            options = [*options, *self._nonsense()]
        words = command.split()
        line = (*words, *arguments, *options) if self._chance(0.5) else (*words, *options, *arguments)
        return Case("dractl", line, self._files, self._stdin, self._links)

    # the commands

    def _validate(self) -> tuple[str, ...]:
        self._minor(ranges=0.2)
        self._gates_and_labels()
        self._dialect(0.15)
        self._flag("--lenient", "--strict", "--allow-empty", "--quiet")
        self._flag("--fix", "--diff", "--unsafe-fixes")
        self._perhaps(0.1, "--select", ",".join(self._random.choices(_RULES, k=2)))
        self._perhaps(0.1, "--ignore", self._random.choice(_RULES))
        self._perhaps(0.2, "--field-validation", self._random.choice(("strict", "warn", "ignore", "")))
        self._format("validate")
        self._share()
        seed = self._seed_of(self._corpus.manifests)
        paths = self._inputs(seed)
        if self._chance(0.3):
            self._option("--old", self._file("old", seed))
            self._perhaps(0.5, "--subresource", "status")
        self._perhaps(
            0.02, "--since", self._random.choice(("HEAD", "--upload-pack=touch a", "-h", "main:", "", "a b"))
        )
        self._perhaps(0.02, "--subresource", self._random.choice(("status", "scale")))
        if self._chance(0.15):
            paths = self._with_parameters()
        return paths

    def _with_parameters(self) -> tuple[str, ...]:
        """Opaque parameters and a schema for them, so that the schema is used."""
        schema = self._trees.mutated_schema(self._random.choice(self._corpus.schemas).documents[0])
        self._files["schema.json"] = json.dumps(schema).encode("utf-8", "surrogatepass")
        if self._chance(0.1):
            self._files["schema.json"] = mutate_bytes(self._random, self._files["schema.json"], b"{}")
        driver = "d.example.com"
        values = self._trees.mutated(self._random.choice(self._corpus.manifests).documents)
        parameters = {"apiVersion": "a/v1", "kind": "K", "spec": values, "text": "a" * 40 + "!"}
        claim = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": "a"},
            "spec": {"devices": {"config": [{"opaque": {"driver": driver, "parameters": parameters}}]}},
        }
        self._files["claim.yaml"] = dumped([claim])
        self._option("--config-schema", f"{driver}/K=schema.json")
        return ("claim.yaml",)

    def _simulate(self) -> tuple[str, ...]:
        self._minor(ranges=0.1)
        self._gates_and_labels()
        self._dialect(0.1)
        self._perhaps(
            0.1, "--node-order", self._random.choice(("node-a", "node-b,node-a", "n1", ",", "a,a", *NAMES))
        )
        self._perhaps(
            0.15, "--replicas", f"{self._random.choice(('web', 'Job/x', 'x', *NAMES))}={self._count()}"
        )
        self._flag("--quiet")
        self._flag("--allocate-unreferenced", "--native")
        self._perhaps(0.1, "--pod", self._random.choice(("p", "default/p", "a/b/c", "", *NAMES)))
        self._perhaps(0.2, "--scheduler-version", self._some_minor(0.02))
        self._perhaps(0.05, "--scheduler-feature-gates", self._some_gates())
        self._format("simulate")
        self._share()
        self._perhaps(
            0.2, "--save-state", self._random.choice((STATE, STATE, STATE, "-", "", RESULT, "no/such"))
        )
        if self._chance(0.2):
            seed = self._seed_of(self._corpus.scenarios)
            self._option("--scenario", self._file("scenario", seed))
            return self._manifests()
        return self._inputs(self._seed_of(self._corpus.manifests), most=4)

    def _why(self) -> tuple[str, ...]:
        self._minor(ranges=0.1)
        self._gates_and_labels()
        self._flag("--quiet")
        self._format("why")
        self._share()
        paths = self._inputs(self._seed_of(self._corpus.manifests), most=3)
        if self._chance(0.5):
            return ("--all", *paths)
        self._perhaps(0.3, "--node", self._named("Node"))
        self._perhaps(0.3, "--device", self._random.choice(("gpu-0", "a/b/c", "", *NAMES)))
        kind = self._random.choice(("Pod", "Pod", "ResourceClaim"))
        name = self._random.choice(("claim/a", "a/b/c/d", "")) if self._chance(0.1) else self._named(kind)
        # A minus would begin an option.
        return (f"pod/{name}" if name.startswith("-") else name, *paths)

    def _audit(self) -> tuple[str, ...]:
        self._minor()
        self._gates_and_labels()
        self._flag("--quiet")
        self._format("audit")
        return self._manifests()

    def _size(self) -> tuple[str, ...]:
        self._minor()
        self._gates_and_labels()
        self._flag("--quiet", "--from-zero")
        self._format("size")
        paths = self._manifests()
        for _ in range(self._random.choice((0, 1, 1, 1, 2))):
            pod = self._named("Pod", "Deployment", "Job")
            self._option("--pod", f"{pod}={self._count()}" if self._chance(0.3) else pod)
        for _ in range(self._random.choice((0, 0, 1, 2))):
            node = self._named("Node")
            self._option("--like", node)
            self._perhaps(0.3, "--price", f"{node}={self._count()}")
        self._perhaps(0.1, "--replicas", f"{self._named('Deployment', 'Job')}={self._count()}")
        return paths

    def _upgrade(self) -> tuple[str, ...]:
        first, second = sorted(self._random.sample(MINORS, 2), reverse=self._chance(RARE))
        self._option("--from", self._some_minor() if self._chance(0.1) else first)
        self._option("--to", self._some_minor() if self._chance(0.1) else second)
        self._perhaps(0.2, "--from-gates", self._some_gates())
        self._perhaps(0.2, "--to-gates", self._some_gates())
        self._labels()
        self._flag("--quiet", "--write")
        self._format("upgrade")
        return self._manifests()

    def _migrate(self) -> tuple[str, ...]:
        self._minor()
        self._gates_and_labels()
        self._flag("--quiet", "--write", "--diff")
        self._perhaps(0.3, "--to", "extended-resource")
        self._perhaps(0.3, "--class", f"example.com/gpu={self._named('DeviceClass')}")
        self._format("migrate")
        return self._manifests()

    def _diff(self) -> tuple[str, ...]:
        self._minor()
        self._gates_and_labels()
        self._dialect(0.1)
        self._flag("--quiet")
        self._format("diff")
        first = self._seed_of(self._corpus.prototypes if self._chance(0.1) else self._corpus.manifests)
        # Two mutations of one seed have most of their objects in common.
        sides = [self._file(name, first) for name in ("old", "new")]
        if self._chance(0.3):
            self._option("--with", self._file("shared", self._seed_of(self._corpus.manifests)))
        if self._chance(0.05):
            self._perhaps(
                0.5, "--since", self._random.choice(("HEAD", "main:", "--upload-pack=a", "", "a..b"))
            )
            return self._random.choice(
                (("HEAD", "--", sides[0]), ("HEAD:x", sides[1]), (sides[0],), ("-", "-"))
            )
        return (sides[0], sides[1])

    def _advisories(self) -> tuple[str, ...]:
        self._minor()
        self._gates_and_labels()
        self._format("advisories")
        return self._manifests() if self._chance(0.9) else ()

    def _possible(self) -> tuple[str, ...]:
        self._minor()
        self._perhaps(0.2, "--feature-gates", self._some_gates())
        self._dialect(0.1)
        self._flag("--quiet")
        self._format("possible")
        seeds = self._corpus.prototypes if self._chance(0.2) else self._corpus.manifests
        paths = self._inputs(self._seed_of(seeds))
        self._perhaps(0.1, "--pool", self._random.choice(NAMES))
        self._perhaps(0.1, "--driver", self._random.choice(("gpu.example.com", *NAMES)))
        return paths

    def _driver(self) -> tuple[str, ...]:
        self._minor(0.3)
        self._flag("--quiet", "--strict", "--verbose")
        self._format("driver check")
        if self._chance(0.2):
            self._option("--old", "0.yaml")
        return self._inputs(self._seed_of(self._corpus.manifests))

    def _test(self) -> tuple[str, ...]:
        self._files["cluster.yaml"] = self._text(self._seed_of(self._corpus.manifests))
        self._files["cases.yaml"] = self._text(self._expectation())
        self._perhaps(0.2, "--kube-version", self._some_minor())
        self._perhaps(0.1, "--feature-gates", self._some_gates())
        self._flag("--update", "--quiet")
        self._format("test")
        if self._chance(0.3):
            self._files["scenario.yaml"] = self._text(self._seed_of(self._corpus.scenarios))
        if self._chance(0.1):
            self._links["sub/link.yaml"] = self._random.choice(("../cluster.yaml", *_LINKS))
        return (self._random.choice(("cases.yaml", "cases.yaml", ".", "cluster.yaml")),)

    def _expectation(self) -> Seed:
        """Expectations of the corpus, told of the files that this case has."""
        seed = self._random.choice(self._corpus.expectations)
        documents = [
            {**one, "manifests": "cluster.yaml"} if isinstance(one, dict) else one for one in seed.documents
        ]
        if self._chance(0.3):
            documents = [{"schema": "dractl.test/1", "manifests": "cluster.yaml"}]
        if self._chance(0.3) and isinstance(documents[0], dict):
            documents[0]["scenario"] = "scenario.yaml"
        return Seed(dumped(documents), tuple(documents))

    def _cel(self) -> tuple[str, ...]:
        self._minor()
        self._perhaps(0.2, "--feature-gates", self._some_gates())
        self._perhaps(0.3, "--env", self._random.choice(("new", "stored", "both")))
        self._perhaps(0.01, "--compare", "celpy")
        self._flag("--explain", "--quiet")
        self._format("cel")
        self._share()
        expressions = [self._expression() for _ in range(self._random.choice((1, 1, 3)))]
        paths = self._manifests() if self._chance(0.7) else ()
        if self._chance(0.1) and self._stdin is None:
            self._files["expressions"] = "\n".join(expressions).encode("utf-8", "surrogatepass")
            self._stdin = "expressions"
            return ("-", *paths)
        expression = passable(expressions[0])
        # A minus would begin an option.
        return (f"({expression})" if expression.startswith("-") else expression, *paths)

    def _convert(self) -> tuple[str, ...]:
        self._option("--to", self._random.choice(("v1", "v1", "v1beta1", "v1beta2", "v1alpha3", *VERSIONS)))
        self._perhaps(0.3, "--kube-version", self._some_minor())
        self._dialect(0.2)
        self._flag("--lossy", "--diff", "--in-place", "--quiet")
        self._output()
        seeds = self._corpus.prototypes if self._chance(0.3) else self._corpus.manifests
        return self._inputs(self._seed_of(seeds))

    def _rule(self) -> tuple[str, ...]:
        self._format("rule")
        return (
            self._random.choice(
                ("request/name", "cel/cost", "admin/namespace", "request/nam", *_RULES, *self._words())
            ),
        )

    def _explain(self) -> tuple[str, ...]:
        self._minor()
        self._flag("--recursive")
        self._perhaps(0.2, "--api-version", self._random.choice((*VERSIONS, "v1beta1")))
        self._format("explain")
        path = self._random.choice(
            ("", ".spec", ".spec.devices", ".spec.devices[0].name", "...", ".status.x")
        )
        return (self._random.choice((*KINDS, "adminAccess", *self._words())) + path,)

    def _completion(self) -> tuple[str, ...]:
        self._output()
        return (self._random.choice(("bash", "zsh", "fish", *self._words())),)

    def _mcp(self) -> tuple[str, ...]:
        """Messages of an agent that are damaged, each on its line."""
        ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
        self._files["messages"] = mutate_bytes(
            self._random, ping * 3, self._random.choice(self._corpus.hostile).text
        )
        self._stdin = "messages"
        return ()

    def _replay(self) -> tuple[str, ...]:
        self._perhaps(0.3, "--at", self._random.choice(("+90", "0", "-1", "2026-11-30T21:07:11Z", "x")))
        self._perhaps(0.3, "--pod", self._random.choice(("default/train", "x", *self._words())))
        self._flag("--compare", "--quiet")
        self._format("replay")
        self._files["events.jsonl"] = mutate_bytes(
            self._random, RECORDING.read_bytes(), self._random.choice(self._corpus.hostile).text
        )
        return ("events.jsonl",)

    def _rules(self) -> tuple[str, ...]:
        self._perhaps(0.5, "--kind", self._random.choice((*KINDS, *self._words())))
        self._perhaps(0.5, "--kube-version", self._some_minor())
        self._format("rules")
        return ()

    def _gates(self) -> tuple[str, ...]:
        self._minor()
        self._perhaps(0.7, "--feature-gates", self._some_gates())
        self._format("gates")
        return ()

    def _schema(self) -> tuple[str, ...]:
        self._minor()
        self._perhaps(0.4, "--api-version", self._random.choice((*VERSIONS, "v1beta1", "v1alpha3")))
        self._dialect(0.4)
        self._output()
        return (self._random.choice((*KINDS, "scenario", "test", *self._words())),)

    def _api(self) -> tuple[str, ...]:
        """A function of the Python API: its name, how the input is given, the file, the other arguments."""
        function = self._random.choice(("validate", "validate", "simulate", "convert", "validate_range"))
        seeds = self._corpus.prototypes if self._chance(0.1) else self._corpus.manifests
        seed = self._seed_of(seeds)
        form = self._random.choice(("text", "bytes", "path", "object", "objects"))
        self._files["input.yaml"] = self._text(seed)
        arguments: dict[str, object] = {}
        if function == "validate_range":
            arguments["kube_versions"] = self._random.choice(("1.33..1.37", "1.30..1.37", *MINORS))
        elif self._chance(0.6):
            arguments["kube_version"] = self._random.choice((*MINORS, *MINORS, "1.99", 1.37, None))
        if function == "convert":
            arguments["to"] = self._random.choice(
                ("v1", "resource.k8s.io/v1", "v1beta1", "v1beta2", "x", None)
            )
            arguments["lossy"] = self._chance(0.5)
        else:
            self._server_arguments(arguments)
        if function.startswith("validate") and self._chance(0.3):
            arguments["old"] = self._text(seed).decode("utf-8", "replace")
            if self._chance(0.4):
                arguments["subresource"] = "status"
        if function == "simulate":
            arguments["allocate_unreferenced"] = self._chance(0.3)
        if function == "simulate" and self._chance(0.2):
            arguments["replicas"] = {
                self._random.choice(("web", "x", "Job/x")): self._random.choice((0, 3, -1, "1", 10**9))
            }
        if self._chance(0.2):
            arguments["dialect"] = self._random.choice((*DIALECTS, "x"))
        return (function, form, "input.yaml", json.dumps(arguments))

    def _server_arguments(self, arguments: dict[str, object]) -> None:
        if self._chance(0.2):
            arguments["feature_gates"] = {
                self._random.choice(GATES): self._random.choice((True, False, "true"))
            }
        if self._chance(0.2):
            arguments["namespace_labels"] = {"default": {"resource.kubernetes.io/admin-access": "true"}}

    # files

    def _manifests(self) -> tuple[str, ...]:
        return self._inputs(self._seed_of(self._corpus.manifests))

    def _inputs(self, first: Seed, most: int = 3) -> tuple[str, ...]:
        """The paths of one or several manifests, some in folders, some on standard input."""
        seeds = [first] + [self._seed_of(self._corpus.manifests) for _ in range(self._random.randrange(most))]
        names = [self._file(f"{number}", seed) for number, seed in enumerate(seeds)]
        if self._chance(0.1):
            self._stdin = names[0]
            names[0] = "-"
        elif self._chance(0.15):
            tree = {f"tree/{name}": self._files.pop(name) for name in dict.fromkeys(names)}
            self._files.update(tree)
            if self._chance(0.3):
                self._links["tree/link.yaml"] = self._random.choice(
                    ("../tree", "../../outside.yaml", *_LINKS)
                )
            names = ["tree"]
        self._perhaps(0.05, "--exclude", self._random.choice(("*", "0.yaml", "[", "", "tree/*", "*.json")))
        return tuple(names)

    def _named(self, *kinds: str) -> str:
        """The name of an object of these kinds in the files; sometimes, and if there is none, any name."""
        documents = [document for text in self._files.values() for document in parsed(text)]
        found = [
            str(name)
            for document in documents
            if isinstance(document, dict) and document.get("kind") in kinds
            if isinstance(document.get("metadata"), dict) and (name := document["metadata"].get("name"))
        ]
        return (
            self._random.choice(found or ("train", *NAMES))
            if self._chance(0.9)
            else self._random.choice(NAMES)
        )

    def _file(self, stem: str, seed: Seed) -> str:
        name = f"{stem}.yaml"
        if self._chance(RARE):
            name = self._random.choice(FILE_NAMES)
        self._files[name] = self._text(seed)
        return name

    def _text(self, seed: Seed) -> bytes:
        """The text of a seed as it is, changed as bytes, as a tree, or as both."""
        pick = self._random.random()
        if pick < 0.07:
            return seed.text
        if pick < 0.3 or not seed.documents:
            return mutate_bytes(self._random, seed.text, self._random.choice(self._corpus.hostile).text)
        text = dumped(self._trees.mutated(seed.documents), as_json=self._chance(0.15))
        return mutate_bytes(self._random, text, seed.text) if pick < 0.36 else text

    def _seed_of(self, seeds: Sequence[Seed]) -> Seed:
        pick = self._random.random()
        if pick < 0.08:
            return self._random.choice(self._corpus.prototypes)
        if pick < 0.12:
            return self._random.choice(self._corpus.hostile)
        if pick < 0.14:
            return self._random.choice(
                (*self._corpus.schemas, *self._corpus.scenarios, *self._corpus.expectations)
            )
        return self._random.choice(seeds)

    def _expression(self) -> str:
        text = self._random.choice(self._corpus.selectors)
        return text if self._chance(0.05) else mutate_expression(self._random, text, self._corpus.selectors)


_COMMANDS: tuple[tuple[str, Callable[[_Making], tuple[str, ...]]], ...] = (
    *(("validate", _Making._validate),) * 6,
    *(("simulate", _Making._simulate),) * 6,
    *(("why", _Making._why),) * 3,
    *(("audit", _Making._audit),) * 3,
    *(("size", _Making._size),) * 3,
    *(("upgrade", _Making._upgrade),) * 3,
    *(("migrate", _Making._migrate),) * 3,
    *(("diff", _Making._diff),) * 3,
    *(("possible", _Making._possible),) * 2,
    *(("driver check", _Making._driver),) * 2,
    *(("advisories", _Making._advisories),) * 2,
    *(("test", _Making._test),) * 3,
    *(("cel", _Making._cel),) * 4,
    *(("convert", _Making._convert),) * 3,
    *(("api", _Making._api),) * 3,
    ("explain", _Making._explain),
    ("completion", _Making._completion),
    ("mcp", _Making._mcp),
    ("replay", _Making._replay),
    ("rule", _Making._rule),
    ("rules", _Making._rules),
    ("gates", _Making._gates),
    ("schema", _Making._schema),
)
"""Each command as often as it has to do with what strangers write."""
