"""The pipeline: any executor will do, and one that breaks is replaced without loss."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from generator import pipeline
from generator.chunk import ChunkResult
from generator.mix import DEFAULT, Mix


def search(seed: int, number: int, _mix: Mix) -> ChunkResult:
    return ChunkResult(number, f"seed {seed}", 1, (), Counter({"no win": 1}), 0.0)


class HomeMade(Executor):
    """Does what it is given at once, and knows nothing but what the standard interface asks for."""

    def __init__(self, life: int | None = None, *, breaks_at_once: bool = False) -> None:
        self.life = life
        self.breaks_at_once = breaks_at_once
        self.was_shut_down = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert not self.was_shut_down
        future: Future[Any] = Future()
        if self.life == 0:
            if self.breaks_at_once:
                raise BrokenExecutor
            future.set_exception(BrokenExecutor())
            return future
        if self.life is not None:
            self.life -= 1
        future.set_result(fn(*args, **kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        assert not wait
        assert not cancel_futures
        self.was_shut_down = True


def brought_in(
    hire: Callable[[], Executor], chunks: int = 12, done: frozenset[int] = frozenset()
) -> list[int]:
    numbers: list[int] = []
    pipeline.run(
        lambda result: numbers.append(result.number),
        hire,
        seed=3,
        mix=DEFAULT,
        workers=2,
        done=done,
        is_over=lambda: len(numbers) >= chunks,
    )
    return numbers


@pytest.fixture(autouse=True)
def _quick_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "search_chunk", search)


@pytest.mark.parametrize("hire", [HomeMade, lambda: ThreadPoolExecutor(2)])
def test_any_executor_does_every_chunk_once(hire: Callable[[], Executor]) -> None:
    numbers = brought_in(hire)
    assert sorted(numbers) == list(range(len(numbers)))
    assert len(numbers) >= 12


def test_chunks_that_are_in_already_are_left_out() -> None:
    numbers = brought_in(HomeMade, done=frozenset({0, 2, 3, 7}))
    assert sorted(numbers) == [number for number in range(len(numbers) + 4) if number not in {0, 2, 3, 7}]


@pytest.mark.parametrize("breaks_at_once", [False, True])
@pytest.mark.parametrize("lives", [(0, None), (1, 0, 2, None), (3, 5, 1, 1, None)])
def test_what_a_broken_executor_had_is_done_by_the_next(
    lives: tuple[int | None, ...], breaks_at_once: bool
) -> None:
    hired: list[HomeMade] = []

    def hire() -> Executor:
        hired.append(HomeMade(lives[len(hired)], breaks_at_once=breaks_at_once))
        return hired[-1]

    numbers = brought_in(hire)
    assert sorted(numbers) == list(range(len(numbers)))
    assert len(hired) == len(lives)
    assert all(executor.was_shut_down for executor in hired)


def test_a_chunk_that_breaks_every_executor_ends_the_run() -> None:
    hired: list[HomeMade] = []

    def hire() -> Executor:
        hired.append(HomeMade(0))
        return hired[-1]

    with pytest.raises(BrokenExecutor):
        brought_in(hire)
    assert 2 < len(hired) < 10
    assert all(executor.was_shut_down for executor in hired)


def test_what_a_chunk_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_seed: int, number: int, _mix: Mix) -> ChunkResult:
        raise ZeroDivisionError(number)

    monkeypatch.setattr(pipeline, "search_chunk", fail)
    with ThreadPoolExecutor(1) as executor, pytest.raises(ZeroDivisionError):
        brought_in(lambda: executor)


def test_chunks_under_way_at_the_end_still_count(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    is_over = threading.Event()

    def search_till_the_end(seed: int, number: int, mix: Mix) -> ChunkResult:
        begun.append(number)
        is_over.wait()
        return search(seed, number, mix)

    def ends_when_both_have_begun() -> bool:
        if len(begun) == 2:
            is_over.set()
        return is_over.is_set()

    monkeypatch.setattr(pipeline, "search_chunk", search_till_the_end)
    numbers: list[int] = []
    pipeline.run(
        lambda result: numbers.append(result.number),
        lambda: ThreadPoolExecutor(2),
        seed=1,
        mix=DEFAULT,
        workers=2,
        done=(),
        is_over=ends_when_both_have_begun,
    )
    assert sorted(numbers) == sorted(begun)
    assert {0, 1} <= set(numbers)
