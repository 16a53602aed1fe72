from dractl.admission.shared.skip_operations import check_skip_operations
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"


@each_row(
    ("operations", "allowed"),
    [
        ([], True),
        ([UNPREPARE], True),
        ([UNPREPARE, PREPARE], True),
        ([PREPARE, "*"], True),
        (["*"], True),
        (["Other"], True),
        ([PREPARE], False),
        ([PREPARE, "Other"], False),
    ],
)
def test_what_is_skipped_together(operations: list[str], allowed: bool) -> None:
    found = refused(lambda ctx: check_skip_operations(ctx, operations, SPEC))
    assert found == (set() if allowed else {"slice/skip-ops-prepare Invalid spec"})
