"""What is known of languages: a file each, ``CODE.toml``, read when it is first asked for.

A word list is asked for by its name (:data:`~newscrawl.languages.groups.GROUPS`), across all languages: where words are
looked at, a page's language is often unknown.
"""
