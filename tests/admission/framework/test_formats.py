from dractl.admission.framework.formats import FORMATS
from tests.rows import each_row


def wrong(form: str, text: str) -> list[str]:
    """The types of what is wrong with ``text``, without their prefix, and the bad values."""
    return [f"{type_.value.removeprefix('FieldValue')} {bad!r}" for type_, bad, _ in FORMATS[form](text)]


@each_row(
    ("form", "longest"),
    [
        ("k8s-short-name", "a" * 63),
        ("k8s-long-name", ".".join(["a" * 63] * 3 + ["a" * 61])),
        ("k8s-long-name-caseless", ".".join(["A" * 63] * 3 + ["a" * 61])),
        ("k8s-label-key", f"{'.'.join(['a' * 63] * 3 + ['a' * 61])}/{'a' * 63}"),
    ],
)
def test_the_longest_name_of_a_form(form: str, longest: str) -> None:
    assert wrong(form, longest) == []
    assert wrong(form, f"{longest}a") == [f"Invalid '{longest}a'"]


@each_row(
    ("text", "expected"),
    [
        (f"{'a' * 63}/x", []),
        (f"{'a' * 64}/x", ["TooLong '<value omitted>'"]),
        (f"gpu.example.com/{'x' * 32}", []),
        (f"gpu.example.com/{'x' * 33}", ["TooLong '<value omitted>'"]),
        ("gpu.example.com/Model_1", []),
        ("gpu.example.com/1model", ["Invalid '1model'"]),
        ("Gpu.example.com/model", ["Invalid 'Gpu.example.com'"]),
        ("/model", ["Invalid ''"]),
        ("gpu.example.com/", ["Invalid ''"]),
        ("model", ["Invalid 'model'"]),
    ],
)
def test_a_fully_qualified_name(text: str, expected: list[str]) -> None:
    assert wrong("k8s-resource-fully-qualified-name", text) == expected


@each_row(
    ("text", "expected"),
    [
        ("node-a/gpus", []),
        ("/".join(["a" * 63, "a" * 63, "a" * 63, "a" * 61]), []),
        ("/".join(["a" * 63, "a" * 63, "a" * 63, "a" * 62]), ["TooLong '<value omitted>'"]),
        ("node-a/GPUs", ["Invalid 'GPUs'"]),
    ],
)
def test_a_pool_name(text: str, expected: list[str]) -> None:
    assert wrong("k8s-resource-pool-name", text) == expected
