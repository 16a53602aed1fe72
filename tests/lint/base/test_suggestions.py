"""Hints where many names are unknown."""

from dractl.lint.base.suggestions import Suggestions

KNOWN = tuple(f"claim-{letter}-{number}" for letter in "abcdefghij" for number in range(1_000))


def test_a_few_unknown_names_get_the_nearest() -> None:
    assert Suggestions().nearest_or_all("gpu-clam", ("nic", "gpu-claim")) == "did you mean gpu-claim?"


def test_after_many_comparisons_the_hint_lists_the_first_names() -> None:
    suggestions = Suggestions()
    hints = [suggestions.nearest_or_all("claim-b-1x", KNOWN) for _ in range(3)]
    assert hints[0].startswith("did you mean claim-b-1")
    assert hints[2].startswith("choose from claim-a-0, ")


def test_after_many_comparisons_no_name_is_surely_meant() -> None:
    suggestions = Suggestions()
    known = {*KNOWN, "training"}
    meant = [suggestions.surely_meant(wrong, known) for wrong in ("trianing", "treining", "trainnig")]
    assert meant == ["training", None, None]
    assert suggestions.surely_meant("trianing", known) == "training"
