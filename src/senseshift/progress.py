"""How long work tells how far it is, and bars that show it in a terminal.

Nothing in the library shows a bar by itself; it calls what it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int], None]  # what is done, and what there is in all


@contextmanager
def progress_bar(
    description: str = "Encoding", *, unit: str = "usages", console: Console | None = None
) -> Iterator[Progress]:
    """A bar on standard error with count, rate and time left, as a ``progress`` callback."""
    with progress_bars({description: unit}, console=console) as (progress,):
        yield progress


@contextmanager
def progress_bars(
    units: Mapping[str, str], *, console: Console | None = None
) -> Iterator[list[Progress]]:
    """Several bars, one below the other as they begin: what each is called and counts.

    Where something goes wrong they are gone before it is told.
    """
    from rich import progress as bars
    from rich.console import Console

    class Rate(bars.ProgressColumn):
        """What is done in a second, as far as it is known."""

        def render(self, task: bars.Task) -> str:
            speed = task.finished_speed or task.speed
            return f"{speed:,.0f} {task.fields['unit']}/s" if speed else ""

    bar = bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        Rate(),
        bars.TimeRemainingColumn(elapsed_when_finished=True),
        console=console or Console(stderr=True),
    )
    started: dict[str, bars.TaskID] = {}

    def callback(description: str, unit: str) -> Progress:
        def progress(done: int, total: int) -> None:
            # Begun with what was cached, so that the rate is of what was encoded.
            if description not in started:
                task = bar.add_task(description, total=total, completed=done, unit=unit)
                started[description] = task
            else:
                bar.update(started[description], completed=done, total=total)

        return progress

    bar.start()
    try:
        yield [callback(description, unit) for description, unit in units.items()]
    except BaseException:
        bar.live.transient = True  # what went wrong is told on the same stream, by itself
        bar.live.stop()
        raise
    bar.stop()
