"""A console of rich whose texts cannot steer the terminal: colours are its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console

from newscrawl.console.program import without_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType
    from rich.segment import Segment


class TerminalConsole(Console):
    """Prints on a terminal what a text says, without its controls; into a file or pipe, a text as it is."""

    def __init__(self, *, stderr: bool = False, **options: Any) -> None:
        stream = sys.stderr if stderr else sys.stdout
        guarded = vars(stream).get("unguarded") if hasattr(stream, "__dict__") else None
        super().__init__(stderr=stderr, file=guarded, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            is_text = segment.control is None and self.is_terminal
            yield segment._replace(text=without_controls(segment.text)) if is_text else segment
