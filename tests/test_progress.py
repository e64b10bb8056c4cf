from __future__ import annotations

import io

import pytest
from rich.console import Console

from senseshift.encoders import encode
from senseshift.progress import progress_bar, progress_bars


def test_the_bar_shows_count_rate_and_time():
    from tiny_models import random_usages

    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    with progress_bar("Encoding", console=console) as progress:
        encode(
            random_usages(30),
            lambda texts, spans: [[1.0]] * len(texts),
            batch_size=10,
            progress=progress,
        )
    shown = screen.getvalue()
    assert "Encoding" in shown
    assert "30/30" in shown
    assert "usages/s" in shown
    assert "0:00:00" in shown


def test_it_writes_to_standard_error_only(capsys):
    with progress_bar() as progress:
        progress(0, 2)
        progress(2, 2)
    written = capsys.readouterr()
    assert written.out == ""
    assert "2/2" in written.err


def test_several_bars_stand_in_the_order_in_which_they_begin():
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    bars = {"Encoding": "usages", "Measuring": "words"}
    with progress_bars(bars, console=console) as (first, second):
        first(3, 3)
        second(1, 2)
        second(2, 2)
    last = screen.getvalue().rsplit("Encoding", 1)[1]
    assert "3/3" in last
    assert "Measuring" in last
    assert "2/2" in last


@pytest.mark.parametrize("terminal", [True, False])
def test_what_goes_wrong_is_told_without_bars(terminal):
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=terminal, width=80)

    def broken():
        with progress_bar("Reading", console=console) as progress:
            progress(1, 3)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    console.print("error: it went wrong")
    if terminal:
        assert "\x1b[2K" in shown.getvalue()  # the line of the bar is erased
        shown.seek(0)
        assert "Reading" not in shown.read().rpartition("\x1b[2K")[2]
    else:
        assert shown.getvalue() == "error: it went wrong\n"
