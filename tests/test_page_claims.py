"""Each sentence of the pages about conversion, prototypes and 1.30 is shown by a test."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests.pages import not_covered
from tests.paths import ROOT

_Tests = Mapping[str, Mapping[str, tuple[str, ...]]]

_CONVERT: _Tests = {
    "tests/conversion/test_run.py": {
        "test_there_and_back_gives_the_text_again": ("converts between v1alpha3", "are the same object"),
        "test_a_text_keeps_its_lines_and_comments": (
            "Only the version, and fields that moved",
            "v1alpha3, v1beta1 | v1beta2, v1",
            "fields directly in a request",
            "All other lines stay",
        ),
        "test_other_kinds_pass_as_they_are": ("So do other kinds",),
        "test_json_stays_json": ("JSON stays JSON",),
        "test_items_of_a_list_are_converted_in_place": ("Objects in `List`s",),
        "test_claims_of_pods_lose_the_source_of_1_30": ("a pod of 1.30 names a claim",),
        "test_an_object_behind_an_anchor_changes_in_place": ("An object behind a YAML anchor",),
        "test_where_comments_cannot_be_kept_it_is_reported": ("A document whose merges",),
        "test_comments_that_go_are_counted": ("Another notice counts the comments",),
        "test_what_would_be_lost_has_its_place_and_a_reason": (
            "A lossy conversion is an error",
            "These are lossy",
            "A field that the source version does not have",
        ),
        "test_it_is_left_out_when_asked_for": ("`--lossy` drops what would be lost",),
        "test_the_minor_decides_which_fields_there_are": ("A field that the target does not have",),
        "test_a_document_without_a_place_there_is_lost_whole": ("A kind that the version does not have",),
        "test_a_kind_that_the_version_lacks_stays_where_the_server_has_it": ("If the same server has it",),
        "test_a_source_with_nothing_in_it_is_not_taken_for_nothing": ("An empty `source` of a pod",),
        "test_what_cannot_be_read_leaves_no_result": ("Unreadable text is an error", "So is a duplicate key"),
    },
    "tests/conversion/test_page.py": {
        "test_fields_of_a_device_move": ("fields of a device under `basic`",),
        "test_a_capacity_of_v1alpha3_is_a_quantity": ("v1alpha3: a capacity is a quantity",),
        "test_what_means_nothing_is_omitted": ('`nodeName: ""`, `allNodes: false`',),
        "test_defaults_are_not_filled_in": ("Defaults are not filled in", "There is one exception"),
        "test_what_is_unset_in_the_other_version_is_a_loss": ("A value that the target cannot distinguish",),
        "test_a_policy_has_no_place_in_v1alpha3": ("The `requestPolicy` of a capacity",),
        "test_prototypes_become_different_objects_of_v1_only": (
            "convert to v1 only",
            "They become different objects",
            "All other objects of the input",
            "selects the prototype if the shape",
        ),
        "test_objects_of_prototypes_are_not_written_in_place": ("Therefore they are not written in place",),
    },
    "tests/cli/test_convert.py": {
        "test_the_document_has_the_objects": (
            "`--format json` prints one document for all files",
            "`objects` after the conversion",
            "Its schema is",
        ),
        "test_the_document_has_the_losses": ("If something would be lost, `ok` is false",),
        "test_the_encoding_stays": ("A byte order mark and UTF-16",),
        "test_there_is_no_patch_for_utf_16": ("`--diff` skips files in UTF-16",),
        "test_no_file_is_written_if_anything_is_lost": ("The exit code is 1 and no file is written",),
    },
    "tests/legacy/prototypes/test_to_v1.py": {
        "test_the_files_of_the_prototypes_validate_and_go_the_same_way": (
            "A pod gets the same devices in v1",
        ),
    },
    "tests/legacy/v1alpha2/conversion/test_to_v1.py": {
        "test_parameters_become_requests_selectors_and_configuration": (
            "Objects of v1alpha2 share",
            "`--to v1` converts them by rules",
        ),
    },
}

_RUN = "tests/legacy/v1alpha2/simulation/test_run.py"
_TO_V1 = "tests/legacy/v1alpha2/conversion/test_to_v1.py"
_OF_130: _Tests = {
    _RUN: {
        "test_a_selector_chooses": ("first minor whose scheduler", "ResourceSlice with `namedResources`"),
        "test_what_comes_out_can_be_validated_and_simulated_again": (
            "support it like any other minor",
            "a pod's `source:`",
            "1.30 | in a simulation",
        ),
        "test_the_class_may_be_for_some_nodes_only": ("ResourceClass with `structuredParameters",),
        "test_classes_without_structured_parameters_are_left_to_their_driver": ("ResourceClass without |",),
        "test_parameters_are_found_by_what_they_were_generated_from": (
            "ResourceClaimParameters, ResourceClass",
        ),
        "test_a_claim_that_no_pod_refers_to_waits_for_one_unless_it_is_immediate": (
            "`allocationMode: Immediate`",
        ),
        "test_the_first_that_fits_is_taken_and_never_given_back": (
            "**No backtracking.**",
            "A claim that requests any GPU",
        ),
        "test_two_claims_of_one_pod_may_get_the_same_instance": (
            "**Each claim on its own.**",
            "The real scheduler does that too",
        ),
        "test_a_node_on_which_a_selector_fails_is_passed_over": ("**A failing selector**",),
        "test_another_one_is_for_one_pod_only": ("**One user.**",),
        "test_each_type_of_attribute_has_a_variable": ("**Selectors** see one map", "`attributes.quantity`"),
        "test_the_parameters_of_drivers_are_handed_on": ("**Allocations** are",),
        "test_the_emptier_node_is_preferred": ("The order of pods, the other node filters",),
    },
    "tests/legacy/test_130_page.py": {
        "test_the_api_needs_its_gate": ("The API requires an alpha gate",),
        "test_a_failing_selector_ends_the_attempt_in_later_minors": ("In later minors it ends the attempt",),
        "test_at_most_32_pods_use_a_claim": ("At most 32 pods",),
        "test_a_selector_has_no_cost_limit": ("They have no cost limit",),
        "test_what_v1_cannot_represent_is_reported_with_its_place": ("dractl reports, with its place",),
    },
    "tests/workflows/test_cel.py": {
        "test_named_resources_of_1_30_are_devices_of_their_node": ("evaluates them",),
    },
    _TO_V1: {
        "test_parameters_become_requests_selectors_and_configuration": (
            "shares little more than names",
            "No API server ever converted",
            "`dractl convert --to v1` does",
            "instances become devices",
            "a class and its parameters",
            "a claim and its parameters",
        ),
        "test_rewritten_selectors_select_the_same_instances": ("selectors are rewritten so that",),
        "test_a_pod_gets_the_same_devices": ("A pod that 1.30 places gets devices",),
    },
}

_EXAMPLES = "tests/legacy/prototypes/test_examples.py"
_PAGE = "tests/legacy/test_prototypes_page.py"
_PAGES = "tests/legacy/test_pages.py"
_V1 = "tests/legacy/prototypes/test_to_v1.py"
_DIALECTS = "tests/legacy/prototypes/dialects/test_dialects.py"
_OF_PROTOTYPES: _Tests = {
    "tests/legacy/prototypes/test_judges.py": {
        "test_the_scheduler_of_the_first_state_places_pods": ("Their repository", "`kubecon` | the first"),
        "test_the_pools_only_state_selects_nodes": ("`proto-pools` |",),
    },
    _V1: {
        "test_the_files_of_the_prototypes_validate_and_go_the_same_way": (
            "DRA was designed with prototypes",
            "Run `dractl convert --to v1`",
            "These conversions are lossless",
            "prototype | v1",
        ),
        "test_a_pool_becomes_slices_with_its_counters_apart": (
            "a pool | slices of one pool",
            "ranges | one counter",
        ),
        "test_a_class_by_labels_is_one_expression": ("a class by label | one class",),
        "test_configs_are_copied_from_the_objects_that_they_name": ("configs by reference",),
        "test_what_a_request_of_v1_cannot_say": (
            "These are lost, and reported",
            "Requests: a range",
            "Comparisons: matching",
            "an amount of one device",
        ),
        "test_small_worlds_lose_nothing_and_go_the_same_way": (
            "a part with several requests",
            "`oneOf` | `firstAvailable`",
            "`devices`, `template`, groups",
        ),
        "test_what_has_no_place_in_v1": ("Objects: statuses of pools",),
        "test_dra_evolution_becomes_claims_with_names_and_labels": ("a Quota that allows management",),
        "test_a_pod_that_v1_cannot_start_is_listed_as_lost": ("Pods that name a claim twice",),
        "test_a_field_that_nobody_knows_is_lost_and_not_dropped_in_silence": ("All unknown fields",),
        "test_an_object_whose_one_of_says_nothing_is_left_out_whole": (
            "An object whose one-of has no known",
        ),
        "test_what_cannot_be_read_is_a_mistake_and_no_loss": ("A value of the wrong type is an error",),
        "test_the_branches_of_dra_evolution_go_the_same_way": tuple(
            f"`dra-evo-{name}` |" for name in ("netpool", "content", "attrs", "groups", "shape", "cel")
        ),
    },
    "tests/legacy/prototypes/v1/test_vocabulary.py": {
        "test_attributes_get_a_domain": ("attributes of `devmgmtproto` |",),
        "test_names_of_v1": ("a quantity as attribute",),
    },
    "tests/legacy/prototypes/v1/test_rewrite.py": {
        "test_the_same_devices_are_selected": ("constraints | selectors that guard",),
    },
    "tests/legacy/prototypes/test_commands.py": {
        "test_a_range_of_minors_has_one_verdict": ("Prototypes have no Kubernetes minors",),
        "test_size_and_audit_leave_them_out_and_say_so": ("leave these objects out, and say so",),
        "test_why_explains_pods_and_claims_of_prototypes": ("`dractl why` prints",),
        "test_a_case_names_the_dialect": ("Set `--dialect NAME`",),
    },
    "tests/workflows/test_mixed_input.py": {
        "test_prototypes_and_released_objects_come_out_together": (
            "One input may mix objects",
            "Each kind of object is handled",
        ),
    },
    _DIALECTS: {
        "test_shapes_tell_dialects": ("One apiVersion had several shapes", "It detects the dialect"),
        "test_the_page_about_prototypes_has_all_dialects": ("dialect | what it is",),
        "test_a_pod_of_v1_is_one_of_a_prototype_among_others_only": (
            "Without it:",
            "A Pod belongs to a prototype only if",
        ),
        "test_a_pod_of_v1_stays_one_where_its_words_or_its_claims_are_v1s": ("With claims of DRA evolution",),
        "test_an_unknown_version_of_the_group_is_of_no_dialect_and_refused": ("A version of `devmgmtproto",),
    },
    "tests/legacy/prototypes/test_two_steps.py": {
        "test_two_steps_are_as_one": (
            "`proto-list` |",
            "`proto-oneof` |",
            "`proto-group` |",
            "`dra-evo` |",
            "`dra-evo-named` |",
            "`--format yaml` and `--save-state` write",
        ),
        "test_two_steps_are_as_one_in_the_first_prototype": ("The first prototype kept no state",),
    },
    "tests/legacy/prototypes/test_fields.py": {
        "test_a_sketch_without_types_is_named_as_a_whole": ("`dra-evo-templates` |",),
        "test_every_field_does_something": ("A field that changes nothing",),
    },
    "tests/legacy/prototypes/allocation/test_possible.py": {
        "test_the_named_model_has_the_sets_that_were_printed_in_their_order": ("`nv-named` |",),
        "test_the_model_of_mixins_has_as_many": ("`nv-mixin` |", "`dractl possible` prints"),
    },
    "tests/legacy/prototypes/test_json_schema.py": {
        "test_every_kind_has_a_schema": ("prints the JSON Schema of a kind",),
    },
    "tests/legacy/prototypes/dialects/test_rules.py": {
        "test_every_rule_has_a_page": ("`dractl rules` lists",),
        "test_a_lenient_reading_only_warns": ("Strict decoding reports errors", "in the files | lenient"),
    },
    "tests/workflows/test_cel.py": {
        "test_pools_of_prototypes_have_devices_and_an_environment_of_their_own": ("`dractl cel EXPRESSION",),
    },
    "tests/scenario/test_prototypes.py": {
        "test_objects_that_are_applied_are_simulated_with_those_that_are_there": ("Scenarios and tests may",),
    },
    "tests/legacy/prototypes/test_k8srm.py": {
        "test_what_is_wrong_with_a_file": ("The example files do not decode", "Only the DRA parts of"),
    },
    _EXAMPLES: {
        "test_klueskas_pool_says_who_has_its_devices": ("`proto-status` |", "The uid of a claim without one"),
        "test_a_controller_allocates_by_itself": ("`dra-evo-classic` |", "a claim with a controller"),
        "test_a_pod_has_exactly_one_form_of_claims": ("An empty one-of is always an error",),
        "test_shared_resources_make_the_search_give_devices_back": (
            "The search is that of",
            "This table lists what differs",
            "subject | behaviour",
        ),
        "test_amounts_are_summed_and_given_out_in_blocks": ("amounts of several devices",),
        "test_a_node_with_a_later_option_comes_before_the_next_node": ("`oneOf` | a later option",),
        "test_admin_access_is_to_all_that_match_and_takes_nothing": ("admin access, `devmgmtproto`",),
        "test_a_quota_allows_admin_access": ("admin access, DRA evolution",),
        "test_counted_pools_have_devices_called_by_numbers": ("Pools of counts have their devices counted",),
        "test_nodes_are_taken_by_name_or_as_preferred": ("nodes | Node objects",),
    },
    _PAGE: {
        "test_a_class_with_everything_directly_under_spec": ("a class has `driver`, `constraints`",),
        "test_a_class_without_a_driver_matches_no_device": ("a class without a driver",),
        "test_resources_as_a_map_and_a_device_that_consumes_what_there_is_not": (
            "resources as a map",
            "a device consumes what its pool",
        ),
        "test_a_part_with_a_class_and_no_list_is_one_entry_of_it": ("a part of a claim with `class`",),
        "test_an_unknown_field_of_a_request_is_ignored_and_not_guessed": ("an unknown field, such as",),
        "test_names_that_are_no_identifiers_are_accepted": ("names with dots",),
        "test_requests_without_names_have_numbers": ("requests of DRA evolution without names",),
        "test_of_two_objects_of_one_name_the_later_one_wins": ("duplicate names",),
        "test_pools_come_by_name_whatever_their_driver": ("order of pools",),
        "test_pods_come_in_the_order_of_the_input_and_lone_claims_last": ("order of pods",),
        "test_a_quantity_cannot_be_compared_in_a_selector_of_devmgmtproto": (
            "a quantity in a `devmgmtproto`",
        ),
        "test_an_attribute_that_no_device_has_does_not_match": ("an attribute that no device has",),
        "test_a_device_belongs_to_one_claim_even_if_that_needs_a_part_of_it": ("a device | belongs to one",),
        "test_unknown_keys_of_dra_evolution_have_the_zero_value_of_their_type": ("an evaluation error",),
        "test_everything_but_devices_is_looked_up_in_the_group_of_its_object": (
            "Everything else is looked up",
        ),
    },
    _PAGES: {
        "test_a_pool_without_a_node_is_available_on_every_node": ("a pool without a node",),
        "test_as_few_devices_as_possible_and_at_most_32": (
            "how many devices between",
            "a claim | has at most 32",
        ),
        "test_classes_by_label_match_any_member": ("classes by label | any member",),
        "test_pools_of_counts_are_taken_one_by_one": ("pools of counts | devices",),
        "test_a_claim_of_dra_evolution_can_get_a_device_of_a_pool_of_devmgmtproto": (
            "Pools of all dialects form",
        ),
        "test_an_object_of_a_prototype_is_validated_as_new_and_that_is_said": ("With `--old`, an object",),
    },
    "tests/legacy/prototypes/dialects/test_older_words.py": {
        "test_a_claim_matches_attributes_in_older_words": ("words of the first states of DRA",),
        "test_what_no_later_word_says_leaves_the_claim_out": ("So is what only the first states",),
    },
    "tests/legacy/prototypes/checks/test_amounts.py": {
        "test_a_pool_with_more_devices_than_its_type_allows_is_read": ("more devices in a pool",),
    },
    "tests/legacy/prototypes/dialects/test_dra_evolution.py": {
        "test_a_claim_that_is_not_shareable_has_one_pod": ("a claim of DRA evolution without",),
    },
    "tests/legacy/prototypes/allocation/test_restore.py": {
        "test_the_driver_of_a_claim_narrows_its_class": ("the driver of a claim",),
        "test_a_part_that_nobody_can_tell_is_a_question_mark": ("A `devmgmtproto` status does not record",),
        "test_the_list_of_a_pool_holds_devices_of_claims_that_are_there_and_of_others": ("A pool's list of",),
    },
}

CLAIMS: Mapping[str, _Tests] = {
    "convert.md": _CONVERT,
    "kubernetes-1.30.md": _OF_130,
    "prototypes.md": _OF_PROTOTYPES,
}
"""By page, file and test: a part of each sentence that the test shows."""


@pytest.mark.parametrize("page", CLAIMS)
def test_each_sentence_is_shown_by_a_test(page: str) -> None:
    rows = [claims for tests in CLAIMS[page].values() for claims in tests.values()]
    assert not_covered(page, [claim for claims in rows for claim in claims]) == []


def test_the_tests_are_there() -> None:
    gone = []
    for file, tests in (item for page in CLAIMS.values() for item in page.items()):
        text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
        gone += [f"{file}: {name}" for name in tests if not re.search(rf"^def {name}\(", text, re.MULTILINE)]
    assert gone == []
