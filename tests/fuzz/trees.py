"""Mutations of documents as trees: what a reader takes, and its user did not expect."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.corpus import Corpus
from tests.fuzz.selectors import mutate_expression
from tests.fuzz.words import (
    BOMBS,
    KINDS,
    NAMES,
    NUMBERS,
    PATHS,
    QUANTITIES,
    SCALARS,
    SCHEMAS,
    STEPS,
    TRAPS,
    VERSIONS,
)

__all__ = ["Trees"]

_DEEPEST = 60
_MOST_PLACES = 3000


class Place(NamedTuple):
    """A mapping or list, and the key or index of what is changed in it."""

    holder: Any
    key: Any

    @property
    def value(self) -> Any:
        """What stands there."""
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        """Put something else there."""
        self.holder[self.key] = value


class Trees:
    """Changes documents with the help of what stands elsewhere in the corpus."""

    def __init__(self, random: Random, corpus: Corpus) -> None:
        """Draw from ``random`` and ``corpus``."""
        self._random = random
        self._corpus = corpus
        self._values = corpus.values
        self._fields = tuple(corpus.values)

    def mutated(self, documents: tuple[Any, ...]) -> list[Any]:
        """Copies of the documents after one to five changes."""
        found = copy.deepcopy(list(documents))
        for _ in range(self._random.choice((1, 1, 1, 2, 2, 3, 5))):
            self._change(found)
        return found

    def mutated_schema(self, schema: Any) -> Any:
        """A JSON Schema with keywords where they belong, and where they do not."""
        if not isinstance(schema, dict) or self._random.random() < 0.2:
            return copy.deepcopy(self._random.choice(SCHEMAS))
        found = next((one for one in self.mutated((schema,)) if isinstance(one, dict)), {})
        for _ in range(self._random.choice((1, 2, 3))):
            places = [place for place in _places([found]) if isinstance(place.value, dict)]
            keywords = self._random.choice(SCHEMAS)
            if isinstance(keywords, dict) and places:
                self._random.choice(places).value.update(copy.deepcopy(keywords))
        return found

    def _change(self, documents: list[Any]) -> None:
        if self._random.random() < 0.08:
            self._change_documents(documents)
        places = list(_places(documents))
        if not places:
            documents.append(copy.deepcopy(self._random.choice(SCALARS)))
            return
        # What stands deep is where the rules are; the first places are metadata.
        place = places[max(self._random.randrange(len(places)), self._random.randrange(len(places)))]
        try:
            self._random.choice(self._CHANGES)(self, place, places)
        except (KeyError, IndexError, TypeError, ValueError):  # a change before it took the place away
            return

    def _change_documents(self, documents: list[Any]) -> None:
        pick = self._random.random()
        if pick < 0.3 and documents:
            documents.append(copy.deepcopy(self._random.choice(documents)))
        elif pick < 0.5 and documents:
            documents[:] = [{"apiVersion": "v1", "kind": "List", "items": list(documents)}]
        elif pick < 0.6:
            self._random.shuffle(documents)
        else:
            seeds = self._corpus.prototypes if pick < 0.8 else self._corpus.manifests
            documents += copy.deepcopy(self._random.choice(seeds).documents)

    def _retype(self, place: Place, _places: list[Place]) -> None:
        place.put(copy.deepcopy(self._random.choice(SCALARS)))

    def _delete(self, place: Place, _places: list[Place]) -> None:
        del place.holder[place.key]

    def _duplicate(self, place: Place, _places: list[Place]) -> None:
        value = copy.deepcopy(place.value)
        if isinstance(place.holder, list):
            place.holder.insert(self._random.randint(0, len(place.holder)), value)
        else:
            place.holder[f"{place.key}{self._random.choice(('2', 's', ' ', ''))}"] = value

    def _move(self, place: Place, places: list[Place]) -> None:
        target = self._random.choice(places)
        target.put(copy.deepcopy(place.value))
        if self._random.random() < 0.5:
            del place.holder[place.key]

    def _swap(self, place: Place, places: list[Place]) -> None:
        other = self._random.choice(places)
        one, two = copy.deepcopy(place.value), copy.deepcopy(other.value)
        place.put(two)
        other.put(one)

    def _known(self, place: Place, _places: list[Place]) -> None:
        """What another seed has under that name."""
        found = self._values.get(place.key) if isinstance(place.key, str) else None
        place.put(
            copy.deepcopy(self._random.choice(found or self._values[self._random.choice(self._fields)]))
        )

    def _graft(self, place: Place, _places: list[Place]) -> None:
        """A field that stands somewhere else."""
        if isinstance(place.value, dict):
            name = self._random.choice(self._fields)
            place.value[name] = copy.deepcopy(self._random.choice(self._values[name]))

    def _identify(self, _place: Place, places: list[Place]) -> None:
        named = [place for place in places if place.key in ("apiVersion", "kind", "schema", "version")]
        place = self._random.choice(named)
        place.put(self._random.choice(VERSIONS if place.key != "kind" else KINDS))
        if self._random.random() < 0.2:
            place.put(copy.deepcopy(self._random.choice(SCALARS)))

    def _deepen(self, place: Place, _places: list[Place]) -> None:
        value = place.value
        for _ in range(self._random.choice((1, 3, 20, _DEEPEST))):
            value = [value] if self._random.random() < 0.3 else {str(place.key): value}
        place.put(value)

    def _lengthen(self, place: Place, _places: list[Place]) -> None:
        """A long list or mapping, or a long text."""
        value, times = place.value, self._random.choice((2, 9, 33, 129, 600))
        if isinstance(value, list) and value:
            place.put([_numbered(value[number % len(value)], number) for number in range(times)])
        elif isinstance(value, dict) and value:
            name, item = next(iter(value.items()))
            value.update({f"{name}{number}": copy.deepcopy(item) for number in range(times)})
        elif isinstance(value, str):
            place.put((value or "x") * times)

    def _name(self, place: Place, _places: list[Place]) -> None:
        place.put(self._random.choice(NAMES))

    def _trap(self, place: Place, places: list[Place]) -> None:
        """A text that steers terminals, in a value or in a key."""
        texts = [one for one in places if isinstance(one.value, str)]
        place = self._random.choice(texts or [place])
        trap = self._random.choice(TRAPS)
        if isinstance(place.holder, dict) and self._random.random() < 0.4:
            place.holder[f"{trap}{place.key}"] = place.holder.pop(place.key)
        else:
            place.put(self._random.choice((trap, f"{place.value}{trap}", f"{trap}{place.value}")))

    def _rename(self, place: Place, _places: list[Place]) -> None:
        if isinstance(place.holder, dict):
            name = self._random.choice((*NAMES, *self._fields[:50], place.key.swapcase()))
            place.holder[name] = place.holder.pop(place.key)

    def _number(self, place: Place, places: list[Place]) -> None:
        numbers = [one for one in places if isinstance(one.value, int | float)]
        self._random.choice(numbers or [place]).put(self._random.choice(NUMBERS))

    def _quantity(self, place: Place, places: list[Place]) -> None:
        texts = [one for one in places if isinstance(one.value, str) and one.value[:1].isdigit()]
        self._random.choice(texts or [place]).put(self._random.choice(QUANTITIES))

    def _expression(self, place: Place, places: list[Place]) -> None:
        found = [
            one for one in places if one.key in ("expression", "selector") and isinstance(one.value, str)
        ]
        place = self._random.choice(found or [place])
        text = place.value if isinstance(place.value, str) else "true"
        place.put(mutate_expression(self._random, text, self._corpus.selectors))

    def _pattern(self, place: Place, places: list[Place]) -> None:
        texts = [one for one in places if isinstance(one.value, str)]
        self._random.choice(texts or [place]).put(self._random.choice(BOMBS))

    def _path(self, place: Place, places: list[Place]) -> None:
        found = [one for one in places if one.key in ("apply", "publish", "manifests", "scenario")]
        self._random.choice(found or [place]).put(self._random.choice(PATHS))

    def _step(self, place: Place, places: list[Place]) -> None:
        """Another word for a step, or another thing for it to be done to."""
        steps = [one for one in places if one.key in STEPS] or [place]
        chosen = self._random.choice(steps)
        if self._random.random() < 0.5 and isinstance(chosen.holder, dict):
            chosen.holder[self._random.choice(STEPS)] = chosen.holder.pop(chosen.key)
        else:
            chosen.put(copy.deepcopy(self._random.choice(steps).value))

    _CHANGES = (
        *(
            _retype,
            _retype,
            _delete,
            _delete,
            _duplicate,
            _move,
            _swap,
            _known,
            _known,
            _known,
            _graft,
            _graft,
        ),
        *(
            _identify,
            _deepen,
            _lengthen,
            _lengthen,
            _name,
            _trap,
            _trap,
            _rename,
            _number,
            _number,
            _quantity,
        ),
        *(_expression, _expression, _pattern, _path, _step, _step),
    )


def _numbered(item: Any, number: int) -> Any:
    """A copy of a list item, with a name of its own where it has one; some keep the same."""
    item = copy.deepcopy(item)
    if isinstance(item, dict) and isinstance(item.get("name"), str) and number % 9 != 8:
        item["name"] += f"-{number}"
    return item


def _places(documents: list[Any]) -> Iterator[Place]:
    """Every key and index below ``documents``, the first three thousand."""
    waiting: list[Any] = [documents]
    count = 0
    while waiting and count < _MOST_PLACES:
        holder = waiting.pop()
        entries = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        for key, value in entries:
            count += 1
            yield Place(holder, key)
            if isinstance(value, dict | list):
                waiting.append(value)
