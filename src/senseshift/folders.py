"""Folders in which some files are ours: those are replaced all at once, nothing else is touched.

A folder that we write has a list of our files in it, ``SHA256SUMS`` (``sha256sum -c`` reads it
too). New files are made apart, in a folder within, and then moved to their places, the list last:

- a move that fails is undone with all before it;
- a process that is killed between two moves leaves what it had ready, and whoever reads or writes
  the folder next moves the rest;
- whoever reads holds the folder meanwhile, and finds out by the list if files do not belong
  together.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from senseshift.errors import InputError
from senseshift.locks import held
from senseshift.writing import SCRATCH, scratch, told

SUMS = "SHA256SUMS"
HEAD = "# files that senseshift wrote here"  # a list without it is somebody else's
READY = f"{SCRATCH}ready-"  # complete, and on its way to its place
ASIDE = ".earlier"  # in there: what was in its place before


@contextmanager
def files_whole(folder: Path, *, owned: Collection[str] = ()) -> Iterator[Path]:
    """A folder to make files in, which then are in the folder given: all of them or none.

    Parameters
    ----------
    folder
        Where the files are to be. It is made if it is not there, and appears whole; if it is
        there, our files of an earlier time are replaced or removed and all others stay as they
        are. A link is followed.
    owned
        Patterns (``data/*.js``) of what is ours in a folder without a list of our files, as
        earlier versions wrote.
    """
    with told(folder) as body:
        place = folder.resolve()
        if place.exists() and not place.is_dir():
            raise InputError(f"{folder} cannot be written: it is there and not a folder.")
        place.parent.mkdir(parents=True, exist_ok=True)
        with scratch(place if place.is_dir() else place.parent, folder=True) as made:
            with body():
                yield made
            (made / SUMS).write_text(_listed(made), "utf-8", newline="\n")
            if not place.is_dir():
                try:
                    made.replace(place)
                    return
                except OSError:
                    if not place.is_dir():  # another process may have made it since
                        raise
            with held(place):
                _finish(place)
                _check_free(folder, made, _ours(place, owned))
                ready = place / made.name.replace(SCRATCH, READY)
                made.replace(ready)  # from here on a killed process leaves the new, not the old
                _install(ready, place, owned)


@contextmanager
def read_whole(folder: Path) -> Iterator[None]:
    """Hold a folder while our files in it are read; an error if they do not belong together.

    A folder without a list of our files is read as it is. It must not be written to meanwhile.
    """
    place = folder.resolve()
    if not place.is_dir():
        yield
        return
    with ExitStack() as stack:
        if any(place.glob(f"{READY}*")):
            with told(folder), held(place):
                _finish(place)
        stack.enter_context(held(place, shared=True))
        for name, digest in (_sums(place) or {}).items():
            try:
                changed = _digest(place / name) != digest
            except OSError as error:
                raise InputError(
                    f"{folder} is not whole, {name} cannot be read ({error.strerror}): "
                    "make it again."
                ) from None
            if changed:
                raise InputError(
                    f"{folder} is not whole, {name} is not the file that {SUMS} lists: make it "
                    f"again; if you changed it yourself, remove {SUMS}."
                )
        yield


def _install(ready: Path, place: Path, owned: Collection[str] = ()) -> None:
    """Move the files that are ready to their places, the list last; undo it all if one fails."""
    new = [*(_sums(ready) or ()), SUMS]
    earlier = _ours(place, owned)
    aside = ready / ASIDE
    begun = aside.exists()
    moved: list[tuple[Path, Path]] = []

    def move(source: Path, target: Path, keep: bool = False) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        moved.append((source, target))
        if keep:
            with suppress(OSError):  # not every system of files has a second name for one
                os.link(source, target, follow_symlinks=False)
                return  # so that there is always one in its place
        source.replace(target)

    try:
        for name in sorted(earlier.difference(new)):
            move(place / name, aside / name)
        for name in new:
            if (ready / name).exists():  # else it was moved before a process was killed
                if os.path.lexists(place / name):
                    move(place / name, aside / name, keep=True)
                move(ready / name, place / name)
    except BaseException:
        for source, target in reversed(moved):
            if not os.path.lexists(source):
                target.replace(source)
        _remove_empty(place, new)
        if not begun:  # else what a killed process had moved is still to be completed
            (ready / SUMS).unlink()
        raise
    finally:
        if not (ready / SUMS).exists():
            shutil.rmtree(ready, ignore_errors=True)
    _remove_empty(place, earlier)


def _finish(place: Path) -> None:
    """Do what a killed process had begun to do; the folder must be held."""
    for ready in place.glob(f"{READY}*"):
        if (ready / SUMS).is_file():
            _install(ready, place)
        else:
            shutil.rmtree(ready, ignore_errors=True)


def _check_free(folder: Path, made: Path, ours: set[str]) -> None:
    """Nothing that is not ours may be in the place of a new file."""
    for name in (*(_sums(made) or ()), SUMS):
        if name not in ours and os.path.lexists(folder / name):
            raise InputError(
                f"{folder} cannot be written: {name} is there and not ours; move it away."
            )


def _ours(place: Path, owned: Collection[str]) -> set[str]:
    """The names of our files that are there: by the list, or without one by the patterns."""
    listed = _sums(place)
    if listed is not None:
        return {name for name in (*listed, SUMS) if os.path.lexists(place / name)}
    names = (name for name in _names(place) if not name.startswith(SCRATCH))
    return {name for name in names if any(_matches(name, pattern) for pattern in owned)}


def _matches(name: str, pattern: str) -> bool:
    """Whether a name is of a pattern, folder by folder: ``*.js`` is in no folder below."""
    parts, patterns = name.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def _listed(made: Path) -> str:
    lines = (f"{_digest(made / name)}  {name}" for name in _names(made))
    return "\n".join([HEAD, *lines, ""])


def _sums(place: Path) -> dict[str, str] | None:
    """The digests of our files by their names; None without a list of ours."""
    try:
        head, *lines = (place / SUMS).read_text("utf-8").splitlines() or [""]
    except (OSError, ValueError):
        return None
    found = (line.split("  ", 1) for line in lines if "  " in line)
    return {n: d for d, n in found if not _leads_out(n)} if head == HEAD else None


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove_empty(place: Path, names: Collection[str]) -> None:
    """Remove the folders that held these files, where nothing else is in them."""
    parents = {parent for name in names for parent in PurePosixPath(name).parents}
    for parent in sorted(parents, key=lambda path: -len(path.parts)):
        if parent.parts:
            with suppress(OSError):
                (place / parent).rmdir()
