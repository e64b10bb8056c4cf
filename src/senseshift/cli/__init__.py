"""The command line.  It reads arguments, calls the library and prints; it holds no logic."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from senseshift._version import __version__
from senseshift.cli.compare import compare_command, demo_command
from senseshift.cli.discover import discover_command
from senseshift.cli.export import export_command
from senseshift.cli.fetch import fetch_command
from senseshift.cli.figures import figures_command
from senseshift.cli.find import encode_command, find_command
from senseshift.cli.report import report_command
from senseshift.cli.reproduce import reproduce_command
from senseshift.cli.senses import calibrate_command, relabel_command
from senseshift.cli.show import show_command
from senseshift.cli.sus import measures_command, sus_command
from senseshift.errors import SenseshiftError


class InOrder(TyperGroup):
    """Lists the commands in the order in which a study uses them."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group of commands."""
        width = max(len(name) for commands in COMMANDS.values() for name in commands)
        for title, commands in COMMANDS.items():
            with formatter.section(title):
                rows = [
                    (name.ljust(width), self.commands[name].get_short_help_str(limit=90))
                    for name in commands
                ]
                formatter.write_dl(rows)


app = typer.Typer(
    cls=InOrder,
    help="How a word's meaning shifted between two bodies of text, down to the single usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"senseshift {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Take what all commands have in common."""


def cache_command(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete all vectors kept on disk.")
    ] = False,
) -> None:
    """Show what vectors are kept on disk, or delete them."""
    from senseshift.encoders import Cache

    cache = Cache()
    print(f"removed {cache.clear()}" if clear else cache.describe())


COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "A study": {
        "compare": compare_command,
        "discover": discover_command,
        "show": show_command,
        "report": report_command,
        "figures": figures_command,
        "relabel": relabel_command,
    },
    "Its steps alone": {
        "find": find_command,
        "encode": encode_command,
        "sus": sus_command,
        "measures": measures_command,
    },
    "Data and the paper": {
        "demo": demo_command,
        "fetch": fetch_command,
        "reproduce": reproduce_command,
        "calibrate": calibrate_command,
        "export": export_command,
        "cache": cache_command,
    },
}
for commands in COMMANDS.values():
    for name, function in commands.items():
        app.command(name)(function)


def run() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2."""
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    try:
        app()
    except SenseshiftError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as stop:  # which is what typer makes of a Ctrl-C, without a word
        if isinstance(getattr(stop.__context__, "__cause__", None), KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
