import pytest

from dractl.lint.base.input_set import nearest


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        ([], ""),
        (["gpu"], "choose from gpu"),
        (["gpu", "nic", "gpu", ""], "choose from gpu, nic"),
        ([*"abcdefgh"], "choose from a, b, c, d, e, f, ..."),
        (["elephant"], "did you mean elephant?"),
    ],
)
def test_names_that_there_are(names: list[str], hint: str) -> None:
    assert nearest("elephants", names) == hint
