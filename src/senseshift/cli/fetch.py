"""``senseshift fetch``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def fetch_command(
    name: Annotated[
        str | None, typer.Argument(help="A data set; without one, all are listed.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A folder.  [default: its own name]")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--from", help="Take the archive from this file or URL.")
    ] = None,
    checksum: Annotated[
        str | None, typer.Option(help="What the archive must have: sha256:… or md5:…")
    ] = None,
) -> None:
    """Download a data set such as DWUG from Zenodo, check it and unpack it."""
    from rich.console import Console
    from rich.table import Table

    from senseshift.datasets import DATASETS, fetch
    from senseshift.progress import progress_bar

    table = Table(box=None, pad_edge=False, show_header=name is None)
    console = Console()
    if name is None:
        for head in ("name", "version", "Zenodo", "what it is"):
            table.add_column(head)
        for one in DATASETS.values():
            table.add_row(one.name, one.version or "–", str(one.record), one.says)
        console.print(table)
        return
    with progress_bar(f"Fetching {name}", unit="bytes") as progress:
        fetched = fetch(name, output, source=source, checksum=checksum, progress=progress)
    verified = "verified" if fetched.verified else "NOT verified: none was known, see --checksum"
    table.add_row("title", fetched.source.title)
    table.add_row("licence", fetched.source.licence)
    table.add_row("cite", fetched.source.citation)
    for paper in fetched.papers:
        table.add_row("", paper)
    table.add_row("checksum", f"{fetched.source.checksum or checksum or '–'} {verified}")
    console.print(table, highlight=False)
    where = "was there before" if not fetched.new else "is there"
    console.print(f"\n{fetched.folder} {where}", highlight=False, markup=False)
    for graphs in fetched.graphs:
        console.print(f"study it with: senseshift compare {graphs}", highlight=False, markup=False)
