"""The command line.  It reads arguments, calls the library and prints; it holds no logic."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from senseshift._version import __version__
from senseshift.errors import SenseshiftError

if TYPE_CHECKING:
    from senseshift.measures import Comparison

app = typer.Typer(
    help="How a word's meaning shifted between two bodies of text, down to the single usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Rho = Annotated[
    float | None,
    typer.Option(help="Relative penalty ρ in units of cosine distance.  [default: 1]"),
]
Lam = Annotated[float | None, typer.Option(help="Instead of --rho: the paper's raw penalty λ.")]


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


@app.command("sus")
def sus_command(
    old: Annotated[Path, typer.Argument(help="Vectors of the old usages: .npy, .csv or .tsv.")],
    new: Annotated[Path, typer.Argument(help="Vectors of the new usages.")],
    rho: Rho = None,
    lam: Lam = None,
    weights: Annotated[
        str, typer.Option(help="uniform, or norm (lengths of vectors).")
    ] = "uniform",
    measures: Annotated[
        str, typer.Option(help="Word measures to print: names with commas, or all.")
    ] = "f_SUS,g_SUS,f_APD,f_OT",
    top: Annotated[int, typer.Option(min=0, help="How many usages to show at either end.")] = 5,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write every usage's SUS to this CSV.")
    ] = None,
) -> None:
    """Score every usage of one word from two files of vectors."""
    from senseshift.measures import Comparison, measure
    from senseshift.shift import Shift
    from senseshift.tables import print_measures, print_shift, write_scores
    from senseshift.vectors import read_vectors

    names = None if measures == "all" else [name for name in measures.split(",") if name]
    word = Comparison(read_vectors(old), read_vectors(new), rho=rho, lam=lam, weights=weights)  # type: ignore[arg-type]
    values = measure(word, names)
    shift = Shift(*word.sus, word.transport)
    print_shift(shift, top)
    print_measures({"": values})
    if output:
        write_scores(output, word)
        print(f"{shift.old.size + shift.new.size} usages written to {output}")


@app.command("measures")
def measures_command() -> None:
    """List all measures: name, symbol, kind, level, what they need and say."""
    from senseshift.tables import print_registry

    print_registry()


@app.command("demo")
def demo_command() -> None:
    """Compare a few small sets of generated vectors, to see that everything works."""
    from senseshift.demo import generated_words
    from senseshift.measures import Comparison, measure
    from senseshift.shift import Shift
    from senseshift.tables import print_measures, print_shift

    print("Vectors generated for this demonstration, not text: 60 old and 60 new usages a word.\n")
    compared: dict[str, Comparison] = {
        name: Comparison(*pair) for name, pair in generated_words().items()
    }
    names = ["f_SUS", "f_APD", "f_OT", "f_WiDiD", "g_SUS", "g_vMF", "g_WiDiD"]
    print_measures({name: measure(word, names) for name, word in compared.items()}, "f_SUS")
    name, word = next(iter(compared.items()))
    print(f"\nThe word that {name}, usage by usage:\n")
    print_shift(Shift(*word.sus, word.transport), 3)


def main() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2."""
    try:
        app()
    except SenseshiftError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
