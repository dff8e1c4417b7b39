"""Small random pages for laws."""

from __future__ import annotations

from hypothesis import strategies as st

_WORDS = st.text("abc 正文，。\n", max_size=30)
_TAGS = st.sampled_from(["div", "p", "ul", "li", "table", "tr", "td", "a href=x", "b", "span", "h1", "form", "script"])


def _element(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, inner: f"<{tag}>{''.join(inner)}</{tag.split()[0]}>", _TAGS, st.lists(parts, max_size=4)
    )


PAGES = st.lists(st.recursive(_WORDS, _element, max_leaves=20), max_size=6).map(
    lambda parts: f"<title>正文</title><body>{''.join(parts)}</body>"
)
