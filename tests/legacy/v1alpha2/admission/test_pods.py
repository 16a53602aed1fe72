from typing import Any

from dractl.legacy.v1alpha2.admission.pods import check_generated_names
from tests.admission.refusals import refused
from tests.rows import each_row

NAME = "spec.resourceClaims"


def template(name: str) -> dict[str, Any]:
    return {"name": name, "source": {"resourceClaimTemplateName": "one"}}


def found(pod: str, *claims: dict[str, Any], minor: str = "1.30") -> set[str]:
    value: Any = {"metadata": {"name": pod}, "spec": {"resourceClaims": list(claims)}}
    return refused(lambda ctx: check_generated_names(ctx, value), minor=minor)


def test_claims_that_are_made_have_a_name_that_fits() -> None:
    wrong = {f"pod/claim-generated-name Invalid {NAME}[0].name"}
    assert found("a" * 251, template("b")) == set()
    assert found("a" * 252, template("b")) == wrong
    assert found("A", template("b")) == wrong
    assert found("A", template("b"), minor="1.31") == set()


@each_row(
    "claim", [template("B"), template(""), {"name": "b"}, {"name": "b", "source": {"resourceClaimName": "c"}}]
)
def test_only_good_names_of_templates_count(claim: dict[str, Any]) -> None:
    assert found("A", claim) == set()


def test_a_name_counts_once() -> None:
    assert found("A", template("b"), template("b")) == {f"pod/claim-generated-name Invalid {NAME}[0].name"}
    assert found("A", {"name": "b"}, template("b")) == set()
