"""The screen that pages are laid out for."""

from typing import Final

WIDTH: Final = 1366.0
HEIGHT: Final = 768.0
"""CSS pixels; the commonest screen of the years that the source's pages come from. Ours."""
FONT_SIZE: Final = 16.0
"""Pixels; what browsers take where a page says nothing."""
