"""Downloading a file so that an interrupted download goes on where it stopped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from senseshift.datasets.checksums import of_file
from senseshift.datasets.zenodo import HEADERS, TIMEOUT
from senseshift.errors import InputError
from senseshift.progress import Progress

if TYPE_CHECKING:
    import requests

PIECE = 1 << 16  # bytes
ATTEMPTS = 4
WAIT = 0.25  # seconds, doubled after each failure


class Stopped(Exception):
    """A download that did not come to its end; what is there is kept."""

    def __init__(self, reason: str, *, try_again: bool = True) -> None:
        super().__init__(reason)
        self.try_again = try_again


class Resumable:
    """A part of a file, which each attempt completes further."""

    def __init__(self, part: Path, progress: Progress | None = None) -> None:
        self.part = part
        self.progress = progress

    def complete(self, url: str) -> None:
        """Download the rest; raise :class:`Stopped` if it cannot be done."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._go_on(url)
                break
            except Stopped as stopped:
                if attempt == ATTEMPTS or not stopped.try_again:
                    raise
                time.sleep(WAIT * 2**attempt)

    def _go_on(self, url: str) -> None:
        import requests

        have = self.part.stat().st_size if self.part.exists() else 0
        headers = HEADERS | {"Accept-Encoding": "identity"}
        headers |= {"Range": f"bytes={have}-"} if have else {}
        try:
            answer = requests.get(url, headers=headers, timeout=TIMEOUT, stream=True)
        except requests.RequestException:
            raise Stopped("the server cannot be reached", try_again=False) from None
        with answer:
            extent = answer.headers.get("Content-Range", "")
            if answer.status_code == 416 and extent == f"bytes */{have}":
                return  # nothing beyond what is here: that was all
            if answer.status_code == 416 or (
                answer.status_code == 206 and not extent.startswith(f"bytes {have}-")
            ):
                self.part.unlink()
                raise Stopped("what was there of it was not of this file")
            if not answer.ok:
                raise Stopped(
                    f"the server answered {answer.status_code} {answer.reason}",
                    try_again=answer.status_code >= 500,
                )
            try:
                self._receive(answer, have if answer.status_code == 206 else 0)
            except requests.RequestException:
                raise Stopped("the connection broke off") from None

    def _receive(self, answer: requests.Response, have: int) -> None:
        rest = answer.headers.get("Content-Length", "")
        total = have + int(rest) if rest.isdecimal() else 0
        with self.part.open("ab" if have else "wb") as file:
            for piece in answer.iter_content(PIECE):
                file.write(piece)
                have += len(piece)
                if self.progress:
                    self.progress(have, total or have)
        if have < total:
            raise Stopped("the connection broke off")


def download(
    url: str, checksum: str | None, place: Path, by_hand: str, progress: Progress | None = None
) -> None:
    """Download a file to its place; it is there only whole, and with the checksum expected."""
    part = place.with_name(place.name + ".part")
    try:
        if place.is_file() and (not checksum or of_file(place, checksum) == checksum):
            return  # it was interrupted after it was complete
        place.parent.mkdir(parents=True, exist_ok=True)
        Resumable(part, progress).complete(url)
        if checksum and of_file(part, checksum) != checksum:
            part.unlink()
            raise InputError(
                f"{url} does not have the checksum {checksum}: it was broken on the way or "
                "changed, and was not kept; try again."
            )
        part.replace(place)
    except Stopped as stopped:
        size = part.stat().st_size if part.exists() else 0
        kept = f"run the same command again to go on after {size:,} bytes" if size else by_hand
        raise InputError(f"{url} could not be downloaded, {stopped}: {kept}.") from None
    except OSError as error:
        raise InputError(f"{place.parent} cannot be written: {error.strerror or error}.") from error
