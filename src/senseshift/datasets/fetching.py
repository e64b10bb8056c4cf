"""``fetch``: a data set by name, downloaded, checked and unpacked."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from senseshift.datasets import checksums, zenodo
from senseshift.datasets.download import download
from senseshift.datasets.records import Dataset, by_name
from senseshift.datasets.unpack import unpack
from senseshift.errors import InputError
from senseshift.locks import in_turn
from senseshift.places import cache_folder
from senseshift.progress import Progress
from senseshift.writing import folder_whole

ABOUT = "SOURCE.json"  # in the folder of a data set: where it comes from
OLD = 30 * 24 * 3600.0  # seconds


@dataclass(frozen=True)
class Fetched:
    """A data set on this machine.

    Attributes
    ----------
    folder
        Where it is.
    source
        Where it came from, its licence and how to cite it.
    papers
        What to cite beside the data themselves.
    verified
        Whether it had the checksum that its record, or the caller, expects.
    new
        Whether it was fetched now, or was there.
    """

    folder: Path
    source: zenodo.Source
    papers: tuple[str, ...]
    verified: bool
    new: bool

    @property
    def graphs(self) -> list[Path]:
        """The folders in it that :func:`senseshift.read` reads, most often itself."""
        uses = (path for path in self.folder.rglob("uses.?sv") if path.parent.parent.name == "data")
        return sorted({path.parents[2] for path in uses})

    def __fspath__(self) -> str:
        return str(self.folder)


def fetch(
    name: str,
    folder: str | Path | None = None,
    *,
    source: str | Path | None = None,
    checksum: str | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Fetch a data set: download it from Zenodo, check it and unpack it.

    Parameters
    ----------
    name
        One of :data:`senseshift.datasets.DATASETS`.
    folder
        Where it is to be, in the current folder under its own name by default. It appears only
        when it is complete; one that was fetched before is left as it is.
    source
        Take the archive from this file or URL, without asking Zenodo.
    checksum
        What the archive must have beside what its record says: ``sha256:…`` or ``md5:…``.
    progress
        Called with the numbers of bytes that are there and in all.

    An interrupted download goes on where it stopped when it is asked for again. The environment
    variable ``SENSESHIFT_ZENODO`` names another server with the same paths.
    """
    dataset = by_name(name)
    folder = Path(dataset.folder if folder is None else folder)
    expected = None if checksum is None else checksums.checksum(checksum)
    if folder.exists():
        return _there(dataset, folder)
    local = source is not None and Path(source).is_file()
    origin = _origin(dataset, source, expected)
    kept = _kept(dataset, origin)
    with in_turn(kept.with_suffix(".lock"), lambda: _say_waiting(dataset)):
        if folder.exists():  # another process has fetched it meanwhile
            return _there(dataset, folder)
        _remove_old(kept.parent)
        if not local:
            checked = origin.checksum or expected
            download(origin.url, checked, kept, zenodo.by_hand(dataset), progress)
        fetched = Fetched(folder, origin, dataset.papers, bool(origin.checksum or expected), True)
        try:
            _unpack(dataset, Path(origin.url) if local else kept, fetched, expected)
        except Exception:  # an interrupt leaves it, for the next time
            kept.unlink(missing_ok=True)
            raise
        kept.unlink(missing_ok=True)
    return fetched


def _unpack(dataset: Dataset, archive: Path, fetched: Fetched, expected: str | None) -> None:
    if expected and (found := checksums.of_file(archive, expected)) != expected:
        raise InputError(
            f"{archive} has the checksum {found}, where {expected} was expected: download it again."
        )
    with folder_whole(fetched.folder) as made:
        unpack(archive, made)
        about = json.dumps(_about(dataset, fetched, archive), indent=2, ensure_ascii=False)
        (made / ABOUT).write_text(about + "\n", "utf-8")


def _origin(dataset: Dataset, source: str | Path | None, expected: str | None) -> zenodo.Source:
    if source is None:
        return zenodo.look_up(dataset)
    if not Path(source).is_file() and not re.match(r"https?://", str(source)):
        raise InputError(f"There is no file {source}: give a file, or a URL that begins with http.")
    return zenodo.built_in(dataset, str(source), expected)


def _kept(dataset: Dataset, origin: zenodo.Source) -> Path:
    """Where the archive lies until it is unpacked, by what it is, so that parts never mix."""
    key = hashlib.sha256(f"{origin.url} {origin.checksum}".encode()).hexdigest()[:12]
    return cache_folder() / "downloads" / f"{dataset.folder}-{key}.zip"


def _say_waiting(dataset: Dataset) -> None:
    logging.getLogger("senseshift").warning(
        "Another process is fetching %s: waiting for it.", dataset.name
    )


def _remove_old(downloads: Path) -> None:
    """Remove what an interrupted download left that nobody has gone on with."""
    for path in downloads.glob("*"):
        with suppress(OSError):
            if path.is_file() and time.time() - path.stat().st_mtime > OLD:
                path.unlink()


def _there(dataset: Dataset, folder: Path) -> Fetched:
    """A data set that was fetched before."""
    try:
        about = json.loads((folder / ABOUT).read_text("utf-8"))
        if about.pop("name") == dataset.name:
            source = zenodo.Source(**about["source"])
            return Fetched(folder, source, dataset.papers, bool(about["verified"]), False)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # not one of ours
    raise InputError(f"{folder} exists and is not {dataset.name}: give another folder with -o.")


def _about(dataset: Dataset, fetched: Fetched, archive: Path) -> dict[str, object]:
    return {
        "name": dataset.name,
        "record": dataset.record,
        "source": asdict(fetched.source),
        "papers": list(dataset.papers),
        "sha256": checksums.of_file(archive, "sha256").partition(":")[2],
        "verified": fetched.verified,
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
    }
