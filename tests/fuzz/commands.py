"""Cases: every command and function of dractl, with options that make sense and others that do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

from dractl.report.formats import COMMANDS, names
from tests.fuzz.bytes_ import mutate_bytes
from tests.fuzz.case import Case
from tests.fuzz.corpus import Corpus, Seed, dumped
from tests.fuzz.selectors import mutate_expression
from tests.fuzz.trees import Trees
from tests.fuzz.words import (
    DIALECTS,
    FILE_NAMES,
    GATES,
    KINDS,
    MINORS,
    NAMES,
    NUMBERS,
    PATHS,
    TRAPS,
    VERSIONS,
)

__all__ = ["RESULT", "STATE", "Maker"]

RESULT = "result.out"
STATE = "state.out"
"""Where ``--output`` and ``--save-state`` write."""

_RARE = 0.03
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


class _Making:
    """One case in the making: options and files are added as they are drawn."""

    def __init__(self, random: Random, corpus: Corpus) -> None:
        self._random = random
        self._corpus = corpus
        self._trees = Trees(random, corpus)
        self._files: dict[str, bytes] = {}
        self._links: dict[str, str] = {}
        self._stdin: str | None = None
        self._options: list[str] = []

    def case(self) -> Case:
        command, make = self._random.choice(_COMMANDS)
        arguments = make(self)
        if command == "api":
            return Case("api", arguments, self._files)
        options = self._options
        if self._chance(_RARE):
            options = [*options, *self._nonsense()]
        line = (command, *arguments, *options) if self._chance(0.5) else (command, *options, *arguments)
        return Case("dractl", line, self._files, self._stdin, self._links)

    # the commands

    def _validate(self) -> tuple[str, ...]:
        self._minor(ranges=0.2)
        self._gates_and_labels()
        self._dialect(0.15)
        self._flag("--lenient", "--strict", "--allow-empty", "--quiet")
        self._perhaps(0.1, "--select", ",".join(self._random.choices(_RULES, k=2)))
        self._perhaps(0.1, "--ignore", self._random.choice(_RULES))
        self._format("validate")
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
        self._minor()
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
        self._format("simulate")
        self._perhaps(
            0.2, "--save-state", self._random.choice((STATE, STATE, STATE, "-", "", RESULT, "no/such"))
        )
        if self._chance(0.2):
            seed = self._seed_of(self._corpus.scenarios)
            self._option("--scenario", self._file("scenario", seed))
            return self._inputs(self._seed_of(self._corpus.manifests))
        return self._inputs(self._seed_of(self._corpus.manifests), most=4)

    def _why(self) -> tuple[str, ...]:
        self._minor()
        self._gates_and_labels()
        self._flag("--quiet")
        self._format("why")
        paths = self._inputs(self._seed_of(self._corpus.manifests), most=3)
        if self._chance(0.7):
            return ("--all", *paths)
        self._perhaps(0.3, "--node", self._random.choice(("node-a", "n1", "", *NAMES)))
        self._perhaps(0.3, "--device", self._random.choice(("gpu-0", "a/b/c", "", *NAMES)))
        return (self._random.choice(("train", "claim/a", "a/b/c/d", "", *NAMES)), *paths)

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
        expressions = [self._expression() for _ in range(self._random.choice((1, 1, 3)))]
        paths = self._inputs(self._seed_of(self._corpus.manifests)) if self._chance(0.7) else ()
        if self._chance(0.1) and self._stdin is None:
            self._files["expressions"] = "\n".join(expressions).encode("utf-8", "surrogatepass")
            self._stdin = "expressions"
            return ("-", *paths)
        expression = _passable(expressions[0])
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

    def _file(self, stem: str, seed: Seed) -> str:
        name = f"{stem}.yaml"
        if self._chance(_RARE):
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

    # options

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _option(self, name: str, value: str) -> None:
        # In one word, so that a value that begins with a minus is a value.
        value = _passable(value)
        self._options.append(f"{name}={value}")

    def _perhaps(self, probability: float, name: str, value: str) -> None:
        if self._chance(probability):
            self._option(name, value)

    def _flag(self, *names: str) -> None:
        self._options += [name for name in names if self._chance(0.12)]

    def _format(self, command: str) -> None:
        formats = names(COMMANDS[command])
        self._perhaps(0.7, "--format", self._random.choice(formats))
        self._perhaps(0.01, "--format", self._random.choice(("sarif", "", "x")))
        self._output()

    def _output(self) -> None:
        self._perhaps(
            0.1,
            "--output",
            self._random.choice((RESULT, RESULT, RESULT, "-", "", ".", "no/such/folder", "0.yaml")),
        )

    def _minor(self, ranges: float = 0.02) -> None:
        self._perhaps(0.6, "--kube-version", self._some_minor(ranges))

    def _some_minor(self, ranges: float = 0.2) -> str:
        one, two = self._random.choice(MINORS), self._random.choice(MINORS)
        if self._chance(_RARE):
            return self._random.choice(
                ("1.99", "", "1", "1.37.1", "v1.37", "1.37..", "..", "latest", "1.٣٧", "9" * 5000)
            )
        return f"{one}..{two}" if self._chance(ranges) else one

    def _gates_and_labels(self) -> None:
        self._perhaps(0.25, "--feature-gates", self._some_gates())
        label = "default:resource.kubernetes.io/admin-access=true"
        self._perhaps(
            0.1,
            "--namespace-labels",
            self._random.choice((label, label, "x", "a:b", ":", "a:b=c,d=e", *TRAPS)),
        )

    def _some_gates(self) -> str:
        pairs = [
            f"{self._random.choice(GATES)}={self._random.choice(('true', 'true', 'false'))}"
            for _ in range(self._random.choice((1, 1, 2, 4)))
        ]
        return ",".join((*pairs, "x=1") if self._chance(_RARE) else pairs)

    def _dialect(self, probability: float) -> None:
        self._perhaps(
            probability, "--dialect", self._random.choice((*DIALECTS, "x") if self._chance(0.1) else DIALECTS)
        )

    def _count(self) -> str:
        return str(self._random.choice((0, 1, 3, 20, "", "x", "1.5", -1, 10**9, *NUMBERS[:8])))

    def _words(self) -> tuple[str, ...]:
        return tuple(name for name in NAMES if "\x00" not in name and "\ud83d" not in name)

    def _nonsense(self) -> list[str]:
        """Options that the command may not have, twice, or without a value."""
        return self._random.choice(
            (
                ["--quiet", "--quiet"],
                ["--x"],
                ["--output"],
                ["--help"],
                ["--version"],
                ["-q"],
                ["--"],
                ["--in-place"],
                ["--format", "json"],
                ["-"],
                ["no-such.yaml"],
                [""],
            )
        )


def _passable(word: str) -> str:
    """A word as a command line can hold it."""
    return word.replace("\x00", "").encode("utf-8", "surrogatepass").decode("utf-8", "replace")


_COMMANDS: tuple[tuple[str, Callable[[_Making], tuple[str, ...]]], ...] = (
    *(("validate", _Making._validate),) * 6,
    *(("simulate", _Making._simulate),) * 6,
    *(("why", _Making._why),) * 3,
    *(("test", _Making._test),) * 3,
    *(("cel", _Making._cel),) * 4,
    *(("convert", _Making._convert),) * 3,
    *(("api", _Making._api),) * 3,
    ("rule", _Making._rule),
    ("rules", _Making._rules),
    ("gates", _Making._gates),
    ("schema", _Making._schema),
)
"""Each command as often as it has to do with what strangers write."""
