"""The commands ``scrapy something``. A checkout has those of the laboratory, too: its folder is searched after this."""

from pathlib import Path

__path__ = [*__path__, str(Path(__file__).parents[2] / "lab" / "commands")]
