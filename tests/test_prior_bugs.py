"""What went wrong elsewhere, and the tests that hold each of it here: none of them vanishes unseen."""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

HELD: dict[str, dict[str, str]] = {
    "day change and streak": {
        "solved at 23:58 and the next one at 00:01: both count": """
            web/test_day_change.py::test_solved_at_23_58_and_the_next_at_00_01_count_both
            service/test_attempts.py::test_solved_on_both_sides_of_midnight_in_one_visit""",
        "begun at 23:59 and finished at 00:02: credited to the old day, the new one is fresh": """
            web/test_day_change.py::test_begun_at_23_59_and_finished_at_00_02_is_credited_to_the_old_day
            service/test_attempts.py::test_begun_before_midnight_and_finished_after""",
        "a tab left open over midnight says so and swaps nothing": """
            browser/test_daily.py::test_a_tab_left_open_over_midnight_says_that_there_is_a_new_puzzle""",
        "every day of a year has one puzzle, across clock changes in three zones": """
            faults/test_year.py::test_every_day_of_a_year_on_which_anybody_could_play_has_exactly_one_puzzle""",
        "today is done for players in every zone, and the browser's clock changes nothing": """
            service/test_records.py::test_the_record_is_the_same_wherever_the_player_lives
            web/test_day_change.py::test_the_page_tells_the_servers_time_and_the_next_change_of_day""",
        "five days solved and today open is five, and the best streak is never one more": """
            service/test_records.py::test_five_days_solved_and_today_open_is_a_streak_of_five
            web/test_day_change.py::test_days_solved_before_and_today_still_open_keep_the_streak
            domain/test_streaks.py::test_the_best_streak_is_the_longest_run_and_never_one_more""",
        "neither a puzzle nor its mirror image is published twice": """
            service/test_publication.py::test_the_same_puzzle_is_never_published_twice
            service/test_review.py::test_the_same_puzzle_turned_is_known""",
        "nothing approved: one from the reserve and an alarm; no reserve: friendly, and a neutral day": """
            service/test_publication.py::test_without_an_approved_puzzle_one_from_the_reserve_goes_out_with_an_alarm
            web/test_admin.py::test_an_alarm_is_shown_to_the_admin
            web/test_pages.py::test_without_a_puzzle_the_page_is_friendly_and_the_api_says_so
            service/test_records.py::test_a_day_without_a_puzzle_is_neutral""",
        "the scheduler down for three days: the right puzzle all the same": """
            service/test_publication.py::test_the_scheduler_down_for_three_days_publishes_today_only
            web/test_pages.py::test_the_first_visitor_publishes_when_nobody_has""",
    },
    "scheduler": {
        "four workers: one publication, and not none": """
            service/test_serve.py::test_four_workers_have_one_scheduler_which_is_followed_by_another_when_it_dies
            service/test_scheduler.py::test_schedulers_that_start_together_publish_once_and_stop_cleanly
            faults/test_races.py::test_eight_processes_that_publish_the_first_moment_of_a_day_agree_on_one_puzzle""",
        "slept through the hour: late, once, not dropped": """
            service/test_scheduler.py::test_a_job_that_slept_through_the_hour_runs_late_and_once""",
        "three restarts in a row leave one job": """
            service/test_scheduler.py::test_there_is_one_job_and_it_runs_at_once
            faults/test_restarts.py::test_an_attempt_goes_on_at_its_ply_after_each_of_three_restarts""",
        "workers and scheduler write together: never a locked database": """
            service/test_scheduler.py::test_workers_and_scheduler_write_together_without_a_locked_database
            faults/test_kills.py::test_workers_and_schedulers_killed_under_load_lose_and_double_nothing""",
    },
    "attempts": {
        "twenty wrong moves in parallel spend three, the rest get 409; one request twice spends one": """
            faults/test_races.py::test_twenty_first_moves_at_once_make_one_guest_and_a_repeated_one_costs_one
            web/test_api.py::test_twenty_wrong_moves_at_once_spend_three_attempts
            service/test_requests.py::test_twenty_parallel_wrong_posts_spend_three
            web/test_api.py::test_the_same_request_twice_spends_one""",
        "an old page after a failure posts a solution: 409, nothing changes": """
            service/test_attempts.py::test_an_old_page_posts_after_the_end
            web/test_api.py::test_an_old_page_after_the_end_changes_nothing""",
        "after a wrong move the right one works; after three the solution is the proof's": """
            browser/test_daily.py::test_after_a_wrong_move_the_right_one_still_works
            service/test_attempts.py::test_after_three_wrong_moves_the_solution_is_the_proofs
            web/test_pages.py::test_what_is_shown_after_three_failures_is_the_proofs_solution""",
        "a second winning move is accepted, and one that wins too slowly is told so": """
            service/test_attempts.py::test_a_second_winning_move_is_accepted
            service/test_attempts.py::test_a_move_that_wins_too_slowly_is_taken_back_three_times
            web/test_notices.py::test_a_move_that_wins_too_slowly_is_told_so""",
        "before the end the key is only in the list of all legal moves": """
            web/test_secrecy.py::test_a_crawl_before_the_end_finds_the_key_only_among_the_legal_moves
            web/test_secrecy.py::test_no_answer_to_a_wrong_or_illegal_move_holds_the_key
            web/test_secrecy.py::test_nothing_but_the_key_itself_would_change_with_another_key""",
        "a future day answers like one that does not exist": """
            web/test_pages.py::test_a_future_number_answers_byte_for_byte_like_one_that_does_not_exist
            web/test_archive.py::test_a_month_to_come_or_before_the_first_puzzle_is_not_found""",
    },
    "board": {
        "touching a man that may not move says which pieces must capture": """
            browser/test_daily.py::test_touching_a_man_that_may_not_move_says_why
            service/test_attempts.py::test_an_illegal_move_names_the_pieces_that_must_capture""",
        "a series is played by mouse, touch and keyboard, by stop or by end; of two that fit: which": """
            browser/test_daily.py::test_solved_by_mouse_by_touch_and_by_keyboard_on_three_days_is_a_streak_of_3
            browser/test_daily.py::test_solved_by_dragging_and_by_both_ends_of_a_move
            service/test_attempts.py::test_ends_that_fit_several_captures_are_told_which""",
        "turned for Black, coordinates and targets turn too": """
            dama/test_diagram.py::test_flipped_turns_pieces_and_coordinates
            browser/test_daily.py::test_solved_by_mouse_by_touch_and_by_keyboard_on_three_days_is_a_streak_of_3""",
        "a swipe that begins on an empty square scrolls": """
            browser/test_daily.py::test_a_swipe_that_begins_on_an_empty_square_scrolls_the_page""",
        "a right-to-left page does not mirror the board": """
            browser/test_daily.py::test_a_right_to_left_page_does_not_mirror_the_board""",
        "every mark is told apart without colour, on both shades, light and dark": """
            browser/test_play_board.py::test_the_marks_on_the_board_are_told_apart_without_colour_on_every_shade""",
        "undo against the computer takes back both moves, after the end too, and restores what was taken": """
            browser/test_play.py::test_every_button_of_a_game_against_the_computer
            browser/test_play_board.py::test_the_computers_series_is_shown_stop_by_stop_with_reduced_motion_too
            browser/test_play.py::test_two_play_a_game_on_one_phone
            browser/test_play_board.py::test_what_may_not_move_says_why_and_what_is_announced_can_be_turned_off""",
        "resigning takes two steps, and accepting a draw is a button of its own": """
            browser/test_play.py::test_every_button_of_a_game_against_the_computer
            browser/test_play_board.py::test_what_may_not_move_says_why_and_what_is_announced_can_be_turned_off""",
        "the computer's series is animated stop by stop, with reduced motion too": """
            browser/test_play_board.py::test_the_computers_series_is_shown_stop_by_stop_with_reduced_motion_too""",
        "the marks of days are told apart without colour": """
            browser/test_archive.py::test_the_marks_of_days_are_told_apart_without_colour""",
    },
    "accounts, messages, caches": {
        "cookies kept and script storage wiped: the streak is intact": """
            browser/test_account.py::test_the_streak_is_intact_when_script_storage_is_wiped
            web/test_security.py::test_the_record_hangs_on_the_cookie_alone""",
        "signing in where somebody else is the guest asks first; signing out gives the guest back": """
            web/test_account_merge.py::test_signing_in_on_a_device_with_somebody_elses_guest_asks_first
            web/test_account_merge.py::test_signing_out_gives_the_guest_back
            browser/test_account.py::test_the_guest_of_a_device_is_asked_about_and_back_after_signing_out""",
        "after signing out, Back shows nothing personal": """
            browser/test_account.py::test_back_shows_nothing_personal_after_signing_out
            web/test_security.py::test_personal_answers_are_kept_nowhere""",
        "two workers, six wrong passwords: blocked at five, whatever a header says": """
            web/test_proxies.py::test_two_workers_six_wrong_passwords_blocked_at_five_whatever_a_header_says""",
        "dotted and dotless i in names and search": """
            web/test_account_sign_up.py::test_a_name_is_taken_with_a_dotted_or_a_dotless_i_alike
            service/test_stock.py::test_every_kind_of_i_finds_a_theme
            web/test_admin_stock.py::test_a_search_does_not_mind_which_i_is_typed""",
        "a shared result reads well and gives nothing away": """
            web/test_pages.py::test_the_result_to_share_reads_well_and_gives_nothing_away""",
        "after a release the second load is the new page": """
            web/test_security.py::test_static_files_have_an_address_of_their_contents_and_are_kept_for_ever
            web/test_security.py::test_personal_answers_are_kept_nowhere""",
    },
}
"""By chapter, what must not happen here, and the tests that would notice, by file and name."""

SCENARIOS = [(scenario, tests.split()) for chapter in HELD.values() for scenario, tests in chapter.items()]


@cache
def names_in(file: str) -> set[str]:
    """Return the names of the tests that a file has."""
    tree = ast.parse((TESTS / file).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("scenario", "tests"), SCENARIOS, ids=[scenario for scenario, _ in SCENARIOS])
def test_what_went_wrong_elsewhere_is_held_by_tests_that_there_are(scenario: str, tests: list[str]) -> None:
    assert tests
    for test in tests:
        file, name = test.split("::")
        assert Path(file).name.startswith("test_")
        assert name.startswith("test_")
        assert name in names_in(file), f"{test} is gone, and with it: {scenario}"
