"""What a host's robots.txt reserves: rules for crawlers of models by name, Content-Signal, and a licence of RSL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.items import Reservation

if TYPE_CHECKING:
    from protego import Protego

AGENTS: Final = (
    "GPTBot ChatGPT-User OAI-SearchBot CCBot ClaudeBot Claude-Web anthropic-ai Google-Extended Applebot-Extended "
    "PerplexityBot Bytespider Amazonbot Meta-ExternalAgent FacebookBot cohere-ai Diffbot omgili omgilibot ImagesiftBot "
    "YouBot AI2Bot Timpibot img2dataset DeepSeekBot MistralAI-User xAI-Bot"
).split()
"""Crawlers that gather texts for models, by the name their operators state."""
_AGENT_LINE: Final = re.compile(r"^[ \t]*user-agent[ \t]*:[ \t]*([\w.-]+)", re.IGNORECASE | re.MULTILINE)
_SIGNAL: Final = re.compile(r"^[ \t]*content-signal[ \t]*:[ \t]*([^\n#]{1,200})", re.IGNORECASE | re.MULTILINE)
_LICENSE: Final = re.compile(r"^[ \t]*license[ \t]*:[ \t]*(https?://\S{1,1000})", re.IGNORECASE | re.MULTILINE)
_REFUSED: Final = re.compile(r"\bai-(?:train|input)\s*=\s*no\b", re.IGNORECASE)


class HostReservations:
    r"""What a robots.txt says of mining.

    >>> told = HostReservations("User-agent: GPTBot\nDisallow: /news/")
    >>> [one.value for one in told.of("http://example.org/news/1")], told.of("http://example.org/")
    (['GPTBot'], ())
    """

    def __init__(self, robots: str) -> None:
        text = robots.replace("\r", "\n")
        known = {agent.lower(): agent for agent in AGENTS}
        named = dict.fromkeys(known.get(name.lower()) for name in _AGENT_LINE.findall(text))
        self._agents = [agent for agent in named if agent]
        self._rules = _parsed(text) if self._agents else None
        signals = [" ".join(signal.split()) for signal in _SIGNAL.findall(text) if _REFUSED.search(signal)]
        self._of_all = tuple(
            Reservation(source=source, value=", ".join(dict.fromkeys(values)))
            for source, values in (("content-signal", signals), ("rsl", _LICENSE.findall(text)))
            if values
        )

    def __bool__(self) -> bool:
        """Tell whether anything is reserved on some page."""
        return bool(self._agents or self._of_all)

    def of(self, url: str) -> tuple[Reservation, ...]:
        """Return what is reserved of a page."""
        rules = self._rules
        refused = [agent for agent in self._agents if rules is not None and not rules.can_fetch(url, agent)]
        by_name = (Reservation(source="robots.txt", value=", ".join(refused)),) if refused else ()
        return (*by_name, *self._of_all)


def _parsed(text: str) -> Protego:
    from protego import Protego as Parser  # noqa: PLC0415 (a reader of pages never needs it)

    return Parser.parse(text)
