"""Worker processes: a start that Ctrl-C does not cut short, a crew that is given up and not waited for."""

import signal
import time
from multiprocessing import active_children
from multiprocessing.process import BaseProcess

import pytest

from dama import workers


def test_ctrl_c_waits_until_a_worker_has_been_started() -> None:
    reached = []

    def interrupted() -> None:
        with workers._put_off():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end of the block")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_start_that_nothing_interrupts_leaves_the_handler_as_it_was() -> None:
    with workers._put_off():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_crew_that_fails_is_not_waited_for() -> None:
    hired: list[BaseProcess] = []

    def failing() -> None:
        with workers.crew(1) as crew:
            work = crew.submit(time.sleep, 3600)
            while not work.running():
                time.sleep(0.01)
            hired.extend(active_children())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    (worker,) = hired
    worker.join()
    assert worker.exitcode == -signal.SIGKILL


def test_a_crew_that_does_not_fail_finishes_its_work() -> None:
    with workers.crew(1) as crew:
        work = crew.submit(sum, (1, 2))
    assert work.result() == 3
