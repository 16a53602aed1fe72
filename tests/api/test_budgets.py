import re

from dractl.api.budgets import BUDGETS, Budget
from tests.rows import each_row


def test_names_are_unique() -> None:
    names = [budget.name for budget in BUDGETS]
    assert len(set(names)) == len(names)


@each_row("budget", BUDGETS)
def test_a_row_states_its_number_and_its_reason(budget: Budget) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", budget.name)
    assert "{value}" in budget.text
    assert budget.value > 0
    assert budget.why.endswith(".")
    assert budget.exit_code in (None, 0, 1, 2)


def test_a_message_has_the_value_and_the_details() -> None:
    budget = Budget("x", 1000, "things", text="more than {value} in {file}", exit_code=1, why="…")
    assert budget.message(file="a.yaml") == "more than 1,000 in a.yaml"
