"""The commands ``scrapy something``; the folders ``serve/commands`` and, in a checkout, ``lab/commands`` hold more."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
__path__ = [*__path__, str(_PACKAGE / "serve" / "commands"), str(_PACKAGE.parent / "lab" / "commands")]
