from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from dractl.cluster.possible_sets import (
    Combination,
    Model,
    Part,
    Steps,
    all_sets,
    components,
    maximal_sets,
    undominated,
)

MANY = 1_000_000


def fits(model: Model, parts: Sequence[Part]) -> bool:
    used: Counter[tuple[str, str]] = Counter()
    for part in parts:
        used.update(part.takes)
    if any(amount > model.limits.get(counter, -1) for counter, amount in used.items()):
        return False
    for owner in {owner for part in parts for owner in part.groups}:
        groups = [part.groups[owner] for part in parts if owner in part.groups]
        if any(groups) and not (all(groups) and frozenset.intersection(*groups)):
            return False
    return True


def by_force(model: Model) -> tuple[dict[tuple[tuple[str, int], ...], int], int]:
    """The maximal sets by their numbers of kinds, and how many sets fit in all, the empty one not counted."""
    everything = [
        chosen
        for size in range(len(model.parts) + 1)
        for chosen in combinations(model.parts, size)
        if fits(model, chosen)
    ]
    known = {frozenset(part.name for part in chosen) for chosen in everything}
    names = [part.name for part in model.parts]
    maximal: Counter[tuple[tuple[str, int], ...]] = Counter()
    for chosen in everything:
        mine = frozenset(part.name for part in chosen)
        if not any(mine | {name} in known for name in names if name not in mine):
            maximal[tuple(sorted(Counter(part.kind for part in chosen).items()))] += 1
    return maximal, len(known) - 1


def random_model(rng: random.Random, *, with_groups: bool) -> Model:
    counters = [("set", name) for name in "abc"[: rng.randint(1, 3)]]
    limits = {counter: rng.randint(1, 8) for counter in counters}
    parts = []
    for number in range(rng.randint(1, 8)):
        takes = {
            counter: rng.randint(0, 4) for counter in rng.sample(counters, rng.randint(1, len(counters)))
        }
        own = frozenset(rng.sample("xyz", rng.randint(0, 2))) if with_groups else frozenset()
        kind = rng.choice("AB") if with_groups else "".join(map(str, sorted(takes.values())))
        parts.append(Part(f"d{number}", kind, takes, {"set": own} if with_groups else {}))
    return Model(tuple(parts), limits)


@pytest.mark.parametrize("with_groups", [False, True])
def test_the_search_finds_what_brute_force_finds(*, with_groups: bool) -> None:
    rng = random.Random(16)  # noqa: S311 - test data
    for _ in range(300):
        model = random_model(rng, with_groups=with_groups)
        maximal, number = by_force(model)
        found, is_complete = maximal_sets(model, Steps(MANY), MANY)
        assert is_complete
        assert {entry.kinds: entry.sets for entry in found} == maximal, model
        assert all_sets(model, Steps(MANY)) == number, model


def mig() -> Model:
    """An A100 with 40 GB: profiles with the slices of memory that their placements take."""
    profiles = {"1g.5gb": (1, 1, range(7)), "2g.10gb": (2, 2, (0, 2, 4)), "3g.20gb": (3, 4, (0, 4))}
    profiles |= {"4g.20gb": (4, 4, (0,)), "7g.40gb": (7, 8, (0,))}
    limits = {("gpu-0", f"memory-slice-{number}"): 1 for number in range(8)} | {("gpu-0", "compute"): 7}
    parts = [
        Part(
            f"{profile}-{start}",
            profile,
            {("gpu-0", f"memory-slice-{start + number}"): 1 for number in range(memory)}
            | {("gpu-0", "compute"): compute},
        )
        for profile, (compute, memory, starts) in profiles.items()
        for start in starts
    ]
    return Model(tuple(parts), limits)


def test_the_profiles_of_a_gpu() -> None:
    found, is_complete = maximal_sets(mig(), Steps(MANY), MANY)
    assert is_complete
    shown = [" + ".join(f"{number} {kind}" for kind, number in entry.kinds) for entry in undominated(found)]
    assert shown == [
        "7 1g.5gb",
        "5 1g.5gb + 1 2g.10gb",
        "3 1g.5gb + 2 2g.10gb",
        "4 1g.5gb + 1 3g.20gb",
        "1 1g.5gb + 3 2g.10gb",
        "2 1g.5gb + 1 2g.10gb + 1 3g.20gb",
        "3 1g.5gb + 1 4g.20gb",
        "1 1g.5gb + 1 2g.10gb + 1 4g.20gb",
        "2 2g.10gb + 1 3g.20gb",
        "1 3g.20gb + 1 4g.20gb",
        "2 3g.20gb",
        "1 7g.40gb",
    ]
    assert {entry.kinds for entry in found} == set(by_force(mig())[0])


def test_interchangeable_devices_are_counted_and_not_listed() -> None:
    parts = tuple(Part(f"d{number}", "vf", {("port", "bandwidth"): 10}) for number in range(100))
    model = Model(parts, {("port", "bandwidth"): 80})
    steps = Steps(1000)
    found, is_complete = maximal_sets(model, steps, 10)
    assert (found, is_complete) == ([Combination((("vf", 8),), 186087894300)], True)
    assert all_sets(model, steps) == sum(_choose(100, size) for size in range(1, 9))


def _choose(many: int, few: int) -> int:
    found = 1
    for number in range(few):
        found = found * (many - number) // (number + 1)
    return found


def test_devices_that_never_fit_are_in_no_set() -> None:
    model = Model(
        (Part("big", "big", {("s", "m"): 9}), Part("lost", "lost", {("s", "n"): 1})), {("s", "m"): 8}
    )
    assert not any(map(model.fits, model.parts))
    assert maximal_sets(model, Steps(MANY), 10) == ([Combination((), 1)], True)
    assert all_sets(model, Steps(MANY)) == 0


def test_a_search_ends_with_its_steps_and_says_so() -> None:
    _, is_complete = maximal_sets(mig(), Steps(20), MANY)
    assert not is_complete
    found, is_complete = maximal_sets(mig(), Steps(MANY), 3)
    assert (len(found), is_complete) == (3, False)
    assert all_sets(mig(), Steps(20)) is None


def test_a_counter_set_connects_the_devices_that_draw_on_it() -> None:
    def part(name: str, *owners: str) -> Part:
        return Part(name, "x", {(owner, "m"): 1 for owner in owners})

    parts = [part("a", "s"), part("b", "t"), part("c"), part("d", "u"), part("e", "u", "s"), part("f", "t")]
    found = components(parts, {(owner, "m"): 1 for owner in "stuv"})
    assert [[part.name for part in model.parts] for model in found] == [["a", "d", "e"], ["b", "f"]]
    assert found[0].counter_sets == ("s", "u")
    assert set(found[0].limits) == {("s", "m"), ("u", "m")}
