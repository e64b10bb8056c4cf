"""What a record on Zenodo says of a data set: its file, checksum, licence and how to cite it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from senseshift._version import __version__
from senseshift.datasets.checksums import checksum
from senseshift.datasets.records import Dataset
from senseshift.errors import InputError

MIRROR = "SENSESHIFT_ZENODO"  # environment variable: another server with the same paths
HEADERS = {"User-Agent": f"senseshift/{__version__}"}
TIMEOUT = (10, 60)  # seconds to connect, and between two pieces


@dataclass(frozen=True)
class Source:
    """Where a data set comes from and what is known of it; checksums are ``algorithm:digits``."""

    url: str
    checksum: str | None
    title: str
    licence: str
    citation: str
    doi: str


def server() -> str:
    """Where records are, without a slash at the end."""
    return os.environ.get(MIRROR, "https://zenodo.org").rstrip("/")


def file_url(dataset: Dataset) -> str:
    """Where a data set's file can be downloaded, by hand too."""
    return f"{server()}/records/{dataset.record}/files/{dataset.file}?download=1"


def by_hand(dataset: Dataset) -> str:
    """What to do where this machine cannot download."""
    return (
        f"download {file_url(dataset)} elsewhere and give the file with "
        f"senseshift fetch {dataset.name} --from {dataset.file}"
    )


def built_in(dataset: Dataset, url: str, expected: str | None = None) -> Source:
    """What is known without asking the record."""
    page = f"https://zenodo.org/records/{dataset.record}"
    doi = f"10.5281/zenodo.{dataset.record}"
    version = f" (version {dataset.version})" if dataset.version else ""
    return Source(
        url, expected, f"{dataset.name}: {dataset.says}", dataset.licence or f"see {page}",
        f"{dataset.name}{version}. Zenodo. https://doi.org/{doi}", doi,
    )  # fmt: skip


def look_up(dataset: Dataset) -> Source:
    """What the record says."""
    import requests

    url = f"{server()}/api/records/{dataset.record}"
    try:
        answer = requests.get(url, headers=HEADERS, timeout=TIMEOUT)
    except requests.RequestException:
        raise InputError(
            f"{url} cannot be reached from here: see to the network, or {by_hand(dataset)}."
        ) from None
    try:
        record = answer.json() if answer.ok else None
    except (ValueError, RecursionError):
        raise InputError(
            f"{url} did not answer with a record: try again later, or {by_hand(dataset)}."
        ) from None
    if record is None:
        raise InputError(
            f"{url} answered {answer.status_code} {answer.reason}: try again later, "
            f"or {by_hand(dataset)}."
        )
    return _source(dataset, record, url)


def _source(dataset: Dataset, record: Any, url: str) -> Source:
    try:
        about, files = record["metadata"], {file["key"]: file for file in record["files"]}
        archives = [name for name in files if name.endswith(".zip")]
        name = dataset.file if dataset.file in files or len(archives) != 1 else archives[0]
        found = checksum(str(files[name]["checksum"]))
        names = [str(creator["name"]) for creator in about.get("creators", [])]
        title, year = str(about["title"]), str(about.get("publication_date", ""))[:4]
        doi = str(about.get("doi") or record["doi"])
        version = f" (version {about['version']})" if about.get("version") else ""
        # Zenodo has {"id": "cc-by-4.0"}, its mirrors and older records also the name alone.
        said = about.get("license")
        licence = said.get("id") if isinstance(said, dict) else said
    except (KeyError, TypeError, AttributeError, InputError):
        raise InputError(
            f"{url}: expected a record with the file {dataset.file} and its checksum, found "
            f"another: {by_hand(dataset)}."
        ) from None
    known = built_in(dataset, f"{server()}/records/{dataset.record}/files/{name}?download=1")
    who = f"{'; '.join(names)} ({year}). " if names else ""
    citation = f"{who}{title}{version}. Zenodo. https://doi.org/{doi}"
    return Source(known.url, found, title, str(licence or known.licence), citation, doi)
