from dractl.admission.claim.interface_address import canonical
from tests.rows import each_row


@each_row(
    "text",
    ["192.0.2.7/24", "0.0.0.0/0", "255.255.255.255/32", "2001:db8::7/64", "::/0", "::1/128", "1:0:2::/48"],
)
def test_a_canonical_address_stays_as_it_is(text: str) -> None:
    assert canonical(text) == text


@each_row(
    ("text", "expected"),
    [
        ("192.0.02.007/24", "192.0.2.7/24"),
        ("192.0.2.7/024", "192.0.2.7/24"),
        ("2001:DB8::7/64", "2001:db8::7/64"),
        ("2001:db8:0:0:0:0:0:7/64", "2001:db8::7/64"),
        ("2001:0db8::7/064", "2001:db8::7/64"),
        ("1::2:0:0:3/64", "1::2:0:0:3/64"),
        ("1:2:3:4:5:6:7::/64", "1:2:3:4:5:6:7:0/64"),
        ("::ffff:192.0.2.7/120", "192.0.2.7/24"),
        ("::ffff:c000:207/96", "192.0.2.7/0"),
        ("64:ff9b::192.0.02.007/96", "64:ff9b::c000:207/96"),
    ],
)
def test_another_spelling_becomes_the_canonical_one(text: str, expected: str) -> None:
    assert canonical(text) == expected


@each_row(
    "text",
    [
        "", "/", "192.0.2.7", "192.0.2.7/", "/24", "192.0.2.7/33", "192.0.2/24", "192.0.2.256/24",
        "192.0.2.7/24/24", "192.0.2.7/+24", "192.0.2.7/255.255.255.0", "192.0.2.7 /24", "2001:db8::7/129",
        "fe80::1%eth0/64", "1::2::3/64", "::ffff:192.0.2.7/64", "gpu/24", "\u0661.0.0.1/8",
    ],
)  # fmt: skip
def test_what_is_no_address_has_no_spelling(text: str) -> None:
    assert canonical(text) is None
