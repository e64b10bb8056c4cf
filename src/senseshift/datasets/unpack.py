"""Unpacking an archive that somebody else made: nothing of it may land outside its folder."""

from __future__ import annotations

import shutil
import stat
from contextlib import suppress
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from senseshift.errors import InputError

UTF8 = 0x800  # the flag of a name that is UTF-8
CLUTTER = {"__MACOSX", ".DS_Store"}  # of the systems that archives are made on


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a zip into a folder; one folder that holds all the rest is left out."""
    try:
        with ZipFile(archive) as zipped:
            members = {_path(info, archive): info for info in zipped.infolist()}
            members = {
                path: info
                for path, info in members.items()
                if not info.is_dir() and not set(path.parts) & CLUTTER
            }
            if not members:
                raise InputError(f"{archive} is an empty archive: download it again.")
            tops = {path.parts[0] for path in members}
            skip = 1 if len(tops) == 1 and all(len(path.parts) > 1 for path in members) else 0
            for path, info in members.items():
                target = folder.joinpath(*path.parts[skip:])
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(info) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file)
    except (BadZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(
            f"{archive} cannot be unpacked ({error}): it is broken or no zip; download it again."
        ) from None


def _path(info: ZipInfo, archive: Path) -> PurePosixPath:
    """Where a member belongs; an error if that is outside."""
    name = info.filename
    if not info.flag_bits & UTF8:
        with suppress(UnicodeError):  # many archives hold UTF-8 without saying so
            name = name.encode("cp437").decode("utf-8")
    path = PurePosixPath(name.replace("\\", "/"))
    link = stat.S_ISLNK(info.external_attr >> 16)
    if not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or link:
        raise InputError(f"{archive} holds {name!r}, which leads out of its folder: not unpacked.")
    return path
