"""The command that the command line names, alone: what ``settings.py`` has ``scrapy`` look for commands in.

Scrapy loads all commands to run one, and those of newscrawl load much. This module puts the one that is named in its
own place. Where one of Scrapy's own is named it stays without any; else all commands stand below it, for the list.
"""

import sys
from importlib import import_module
from importlib.util import find_spec

from newscrawl import commands
from newscrawl.console.program import loading

_name = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
if _name.isidentifier() and find_spec(f"{commands.__name__}.{_name}"):
    with loading():
        sys.modules[__name__] = import_module(f"{commands.__name__}.{_name}")
elif not (_name.isidentifier() and find_spec(f"scrapy.commands.{_name}")):
    __path__ = commands.__path__
