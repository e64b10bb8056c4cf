"""The folder that a study is kept in: Parquet, one matrix of vectors, and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from senseshift.errors import InputError
from senseshift.folders import files_whole
from senseshift.study.checking import check_about
from senseshift.study.study import TABLES, Study
from senseshift.writing import write_array

FORMAT = 2  # of the folder
ABOUT = "study.json"
VECTORS = "vectors.npy"
ROWS = 5_000  # of a table that must be read to read one of them
LATER = ("chance",)  # tables that earlier studies do not have
# Where there is no list of our files; earlier versions wrote a plan.
OWNED = (*(f"{name}.parquet" for name in (*TABLES, "plan")), VECTORS, ABOUT)


def is_study(folder: Path) -> bool:
    """Whether a folder holds a study."""
    return (folder / ABOUT).is_file()


def save(study: Study, folder: Path) -> None:
    """Write a study into a folder, completely or not at all; other files there stay."""
    if folder.exists() and not is_study(folder) and (folder.is_file() or any(folder.iterdir())):
        raise InputError(f"{folder} exists and is not a study: give another name.")
    with files_whole(folder, owned=OWNED) as made:
        write_into(study, made)


def write_into(study: Study, made: Path) -> None:
    """Write the files of a study into a folder that is being made."""
    for name in TABLES:
        getattr(study, name).write_parquet(made / f"{name}.parquet", row_group_size=ROWS)
    with (made / VECTORS).open("wb") as file:
        write_array(file, study.vectors)
    about = json.dumps({"format": FORMAT, **study.about}, indent=2, ensure_ascii=False)
    (made / ABOUT).write_text(about + "\n", "utf-8")


def tables_in(folder: Path) -> dict[str, Path]:
    """The files of its tables, those that earlier studies do not have if they are there."""
    paths = {name: folder / f"{name}.parquet" for name in TABLES}
    return {name: path for name, path in paths.items() if name not in LATER or path.exists()}


def about_of(folder: Path) -> dict[str, Any]:
    """What a study records of itself."""
    try:
        about = json.loads((folder / ABOUT).read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder} is not a study: it has no {ABOUT}.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{folder / ABOUT} is damaged: {error}.") from None
    if not isinstance(about, dict):
        raise InputError(f"{folder / ABOUT} is damaged: it holds no object.")
    if about.pop("format", None) != FORMAT:
        raise InputError(f"{folder} was written by another version of senseshift: make it again.")
    try:
        check_about(about)
    except InputError as error:
        raise InputError(f"{folder / ABOUT} is damaged: {error}: make the study again.") from None
    return about
