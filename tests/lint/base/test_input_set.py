import pytest

from dractl.lint.base.input_set import nearest


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        ([], ""),
        (["gpu"], "there is gpu"),
        (["gpu", "nic", "gpu", ""], "there are gpu, nic"),
        ([*"abcdefgh"], "there are a, b, c, d, e, f, ..."),
        (["elephant"], "did you mean elephant?"),
    ],
)
def test_names_that_there_are(names: list[str], hint: str) -> None:
    assert nearest("elephants", names) == hint
