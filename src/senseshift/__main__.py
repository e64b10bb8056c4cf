"""Where the command line begins: whatever ends it, it ends with one sentence.

What is needed is imported inside, so that an interrupt while libraries load is told too.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

INTERRUPTED = 130  # exit code, as shells have it for Ctrl-C


def main() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2."""
    try:
        # A scheduler's or a service's way to stop a process, which else loses what is done.
        signal.signal(signal.SIGTERM, _interrupt)
        from senseshift.cli import run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
