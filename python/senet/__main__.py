"""The ``senet`` command."""

from __future__ import annotations

import signal
import sys

from senet._senet import run_command


def main() -> None:
    """Runs the command with the arguments of the process and exits with its code."""
    # The command handles interrupts itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
