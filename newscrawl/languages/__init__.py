"""What is known of languages: a file each, ``CODE.toml``, read when it is first asked for.

A word list is asked for by its name (:data:`~newscrawl.languages.groups.GROUPS`), across all languages, because a page's
language is often unknown where its words are looked at.
"""

from newscrawl.languages.model import Language
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import language, languages, words

__all__ = ["Language", "WordPattern", "language", "languages", "words"]
