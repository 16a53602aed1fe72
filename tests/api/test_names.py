from dractl.api import names
from tests.rows import each_row


@each_row("value", ["a", "0", "gpu-0", "a" * 63])
def test_dns_labels(value: str) -> None:
    assert names.dns_label(value) == ()


@each_row(
    ("value", "errors"),
    [
        ("", 1),
        ("-a", 1),
        ("a-", 1),
        ("A", 1),
        ("a.b", 1),
        ("a_b", 1),
        ("a" * 64, 1),
        ("A" * 64, 2),
        ("é", 1),
        ("a\n", 1),
    ],
)
def test_every_broken_part_of_a_label_is_an_error(value: str, errors: int) -> None:
    assert len(names.dns_label(value)) == errors


@each_row("value", ["a", "gpu.example.com", "a.b-c.d0", f"{'a' * 100}.b", "a" * 253])
def test_dns_subdomains(value: str) -> None:
    assert names.dns_subdomain(value) == ()


@each_row(("value", "errors"), [("", 1), ("a..b", 1), (".a", 1), ("a.", 1), ("a" * 254, 1), ("A" * 254, 2)])
def test_broken_subdomains(value: str, errors: int) -> None:
    assert len(names.dns_subdomain(value)) == errors


@each_row("value", ["a", "A_b.c-D", "example.com/Name", "a" * 63])
def test_label_keys(value: str) -> None:
    assert names.label_key(value) == ()


@each_row(
    ("value", "errors"),
    [
        ("", 2),
        ("/", 3),
        ("a/b/c", 1),
        ("/a", 1),
        ("a/", 2),
        ("Example.com/a", 1),
        ("a b", 1),
        ("a" * 64, 1),
        ("_a", 1),
    ],
)
def test_an_empty_key_breaks_two_parts_and_a_lone_slash_three(value: str, errors: int) -> None:
    assert len(names.label_key(value)) == errors


@each_row(("value", "errors"), [("", 0), ("a", 0), ("a b", 1), ("-", 1), ("a" * 64, 1), ("-" * 64, 2)])
def test_label_values(value: str, errors: int) -> None:
    assert len(names.label_value(value)) == errors


@each_row(("value", "errors"), [("_a1", 0), ("A", 0), ("1a", 1), ("", 1), ("a-b", 1), ("a.b", 1)])
def test_c_identifiers(value: str, errors: int) -> None:
    assert len(names.c_identifier(value)) == errors


@each_row(
    ("value", "errors"),
    [
        ("123e4567-e89b-12d3-a456-426614174000", 0),
        ("123E4567-e89b-12d3-a456-426614174000", 1),
        ("{123e4567-e89b-12d3-a456-426614174000}", 1),
        ("urn:uuid:123e4567-e89b-12d3-a456-426614174000", 1),
        ("123e4567e89b12d3a456426614174000", 1),
        ("", 1),
    ],
)
def test_uuids(value: str, errors: int) -> None:
    assert len(names.uuid(value)) == errors


@each_row(
    ("value", "errors"),
    [
        ("example.com/gpu", 0),
        ("", 2),
        ("a", 1),
        ("A_/-", 2),
        ("kubernetes.io/gpu", 1),
        ("deep.kubernetes.io/gpu", 1),
        ("requests.example.com/gpu", 1),
    ],
)
def test_extended_resource_names(value: str, errors: int) -> None:
    assert len(names.extended_resource(value)) == errors


@each_row(
    ("value", "expected"),
    [("GPU.Example", "gpu.example"), ("\u0130", "i"), ("\u212a", "k"), ("\u017f", "\u017f")],
)
def test_lower_case_is_that_of_go(value: str, expected: str) -> None:
    assert names.lowered(value) == expected


@each_row(
    ("wrong", "advice"),
    [
        (names.dns_label("GPU-1"), "; write gpu-1"),
        (names.dns_label("my gpu_1"), "; write my-gpu-1"),
        (names.dns_subdomain("Gpu_X.Example.com"), "; write gpu-x.example.com"),
        (names.c_identifier("driver-version"), "; write driver_version"),
        (names.c_identifier("2nd"), "; write _2nd"),
    ],
)
def test_a_name_that_resembles_a_valid_one_comes_with_it(wrong: tuple[str, ...], advice: str) -> None:
    assert [text[-len(advice) :] for text in wrong] == [advice]


@each_row("value", ["", "---", "A" * 61, "a\x1b"])
def test_nothing_is_advised_for_a_name_that_resembles_none(value: str) -> None:
    assert all("; write" not in text for text in names.dns_label(value))
