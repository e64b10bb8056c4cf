from __future__ import annotations

import io

from rich.console import Console

from senseshift.encoders import encode, progress_bar


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
    assert capsys.readouterr().out == ""
