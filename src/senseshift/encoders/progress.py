"""A progress bar for the terminal; nothing in the library shows one by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from senseshift.encoders.protocol import Progress

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def progress_bar(
    description: str = "Encoding", *, unit: str = "usages", console: Console | None = None
) -> Iterator[Progress]:
    """A bar on standard error with count, rate and time left, as a ``progress`` callback."""
    from rich import progress as bars
    from rich.console import Console

    class Rate(bars.ProgressColumn):
        """What is done in a second, as far as it is known."""

        def render(self, task: bars.Task) -> str:
            speed = task.finished_speed or task.speed
            return f"{speed:,.0f} {unit}/s" if speed else ""

    bar = bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        Rate(),
        bars.TimeRemainingColumn(elapsed_when_finished=True),
        console=console or Console(stderr=True),
    )
    started: list[bars.TaskID] = []

    def progress(done: int, total: int) -> None:
        # Begun with what was cached, so that the rate is of what was encoded.
        if not started:
            started.append(bar.add_task(description, total=total, completed=done))
        else:
            bar.update(started[0], completed=done, total=total)

    with bar:
        yield progress
