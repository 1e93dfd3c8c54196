"""Score: every part of the promise by itself."""

import pytest

from generator.score import FADING, INSTANT_REMOVAL, SOURCE_POINTS, THEME_POINTS, TRY, score
from generator.themes import RARE, themes_of
from tests.generator.wins import BLOCKADE, IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG, forms_of, win_of

WIN = win_of(IN_THREE)


def promise(themes: tuple[str, ...] = (), source: str = "retrograde", tries: int = 0) -> float:
    return score(WIN, themes, source, tries)


def test_rarer_themes_promise_more() -> None:
    rarest = min(THEME_POINTS[theme] for theme in RARE)
    assert rarest > max(THEME_POINTS[theme] for theme in ("sacrifice", "multi-capture", "promotion", "sweep"))
    assert promise(("180° trap",)) > promise(("promotion",)) > promise(("sacrifice",)) > promise()


def test_a_further_theme_adds_but_less_whatever_the_order() -> None:
    both = promise(("zugzwang", "quiet key"))
    assert both == promise(("quiet key", "zugzwang"))
    assert both - promise(("zugzwang",)) == pytest.approx(FADING * THEME_POINTS["quiet key"], abs=0.011)


def test_what_depends_on_instant_removal_promises_less() -> None:
    assert promise(("majority", "instant removal")) - promise(("majority",)) == INSTANT_REMOVAL < 0


def test_tries_count_up_to_four() -> None:
    points = [promise(tries=tries) for tries in range(7)]
    assert points[4] - points[0] == pytest.approx(4 * TRY, abs=0.011)
    assert sorted(points) == points
    assert points[4] == points[5] == points[6]


def test_positions_of_games_look_natural_and_those_near_them_do_a_little() -> None:
    played, thinned, composed = (
        promise(source=source) for source in ("self-play", "thinned middlegame", "retrograde")
    )
    assert played > thinned > composed
    assert played - composed == pytest.approx(SOURCE_POINTS["self-play"], abs=0.011)


def test_idle_pieces_kings_crowds_and_lone_defenders_cost() -> None:
    base = score(win_of("W:Wa2,f2,b3,b4:Bd2,g3,d4"), (), "retrograde", 0)
    assert base > score(win_of("W:WKe1,e5,c6:Ba2,d3,Ka5"), (), "retrograde", 0)
    assert score(win_of(ZUGZWANG), (), "retrograde", 0) > score(win_of(BLOCKADE), (), "retrograde", 0)


@pytest.mark.parametrize("fen", [IN_TWO, IN_THREE, KING_HUNT, BLOCKADE])
def test_mirrored_and_swapped_copies_promise_the_same(fen: str) -> None:
    assert len({score(win, themes_of(win), "mutation", 1) for win in forms_of(fen)}) == 1
