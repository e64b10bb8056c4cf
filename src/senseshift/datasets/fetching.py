"""``fetch``: a data set by name, downloaded, checked and unpacked."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from senseshift.datasets import zenodo
from senseshift.datasets.download import download
from senseshift.datasets.records import Dataset, by_name
from senseshift.datasets.unpack import unpack
from senseshift.errors import InputError
from senseshift.progress import Progress
from senseshift.writing import folder_whole

ABOUT = "SOURCE.json"  # in the folder of a data set: where it comes from
DIGITS = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128}


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
    expected = None if checksum is None else _checksum(checksum)
    if folder.exists():
        return _there(dataset, folder)
    local = source is not None and Path(source).is_file()
    origin = _origin(dataset, source, expected)
    archive = Path(origin.url) if local else _kept(dataset, origin)
    if not local:
        checked = origin.checksum or expected
        download(origin.url, checked, archive, zenodo.by_hand(dataset), progress)
    fetched = Fetched(folder, origin, dataset.papers, bool(origin.checksum or expected), True)
    try:
        if expected:
            _verify(archive, expected)
        with folder_whole(folder) as made:
            unpack(archive, made)
            about = json.dumps(_about(dataset, fetched, archive), indent=2, ensure_ascii=False)
            (made / ABOUT).write_text(about + "\n", "utf-8")
    except InputError:
        if not local:
            archive.unlink()
        raise
    if not local:  # an interrupt above leaves it, for the next time
        archive.unlink()
    return fetched


def _origin(dataset: Dataset, source: str | Path | None, expected: str | None) -> zenodo.Source:
    if source is None:
        return zenodo.look_up(dataset)
    if not Path(source).is_file() and not re.match(r"https?://", str(source)):
        raise InputError(f"There is no file {source}: give a file, or a URL that begins with http.")
    return zenodo.built_in(dataset, str(source), expected)


def _kept(dataset: Dataset, origin: zenodo.Source) -> Path:
    """Where the archive lies until it is unpacked, by what it is, so that parts never mix."""
    from senseshift.encoders.cache import default_folder

    key = hashlib.sha256(f"{origin.url} {origin.checksum}".encode()).hexdigest()[:12]
    return default_folder() / "downloads" / f"{dataset.folder}-{key}.zip"


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
        "sha256": _digest(archive, "sha256"),
        "verified": fetched.verified,
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _checksum(given: str) -> str:
    """A checksum as ``algorithm:digits``; of digits alone the length tells the algorithm."""
    algorithm, _, digits = given.strip().lower().rpartition(":")
    lengths = {length: name for name, length in DIGITS.items()}
    algorithm = algorithm or lengths.get(len(digits), "")
    if DIGITS.get(algorithm) != len(digits) or not re.fullmatch(r"[0-9a-f]+", digits):
        raise InputError(
            f"The checksum {given!r} is none: expected one such as sha256: and 64 digits, "
            f"or another of {', '.join(DIGITS)}."
        )
    return f"{algorithm}:{digits}"


def _verify(archive: Path, expected: str) -> None:
    algorithm, _, digits = expected.partition(":")
    found = _digest(archive, algorithm)
    if found != digits:
        raise InputError(
            f"{archive} has the checksum {algorithm}:{found}, where {expected} was expected: "
            "download it again."
        )


def _digest(archive: Path, algorithm: str) -> str:
    with archive.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()
