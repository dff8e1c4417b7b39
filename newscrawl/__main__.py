"""The command ``newscrawl``, and ``python -m newscrawl`` where it is not on the path."""

import sys

from newscrawl.console.interrupts import end_at_once


def main() -> int:
    end_at_once()
    from newscrawl.commands.cli import run_program  # noqa: PLC0415 (Ctrl-C before that would print a traceback)
    from newscrawl.console.program import told_of_full_disks  # noqa: PLC0415 (as above)

    with told_of_full_disks():
        return run_program()


if __name__ == "__main__":
    sys.exit(main())
