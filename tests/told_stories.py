"""Made-up stories in several languages with what sites write around them, and pages of several systems."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, NamedTuple


class Story(NamedTuple):
    """A story, and words that a site of its language writes around it."""

    title: str
    others: list[str]
    """Headlines of two other stories."""
    label: str
    """Before a link to another story."""
    unfold: str
    comments: str
    """Heading of a thread."""
    reply: str
    ago: str
    consent: list[str]
    """Two sentences and a button."""
    appeals: list[str]
    notices: list[str]
    paragraphs: list[str]
    offer: str = ""
    """To subscribe, instead of the rest."""


STORIES: Final = {
    code: Story(**of) for code, of in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}
LANGUAGES: Final = tuple(STORIES)

_LAYOUTS: Final = (
    (
        '<div id="page" class="site"><header class="site-header"><nav>{menu}</nav></header>{before}<main><article '
        'class="post"><h1>{title}</h1>{body}</article></main>{after}<aside class="widgets"><ul>{others}</ul></aside>'
        '<footer class="site-footer">{foot}</footer></div>'
    ),
    (
        '<div id="root"><div class="css-1x9fk"><div class="css-8dd2">{menu}</div>{before}<div class="css-77ab0"><div '
        'class="css-k2l0p"><h1>{title}</h1>{body}</div>{after}<div class="css-99zza"><ul>{others}</ul></div></div><div '
        'class="css-foot0">{foot}</div></div></div>'
    ),
    (
        '<table width="980"><tr><td colspan="2">{menu}</td></tr><tr><td width="180"><ul>{others}</ul></td><td>{before}'
        '<h1>{title}</h1><div class="txt">{body}</div>{after}</td></tr><tr><td colspan="2">{foot}</td></tr></table>'
    ),
)


def page_of(
    code: str, body: str, *, before: str = "", after: str = "", head: str = "", layout: int | None = None
) -> str:
    """Return a page with the story's headline above ``body``; its layout goes by the language unless given."""
    story = STORIES[code]
    menu = "".join(f'<li><a href="/{at}/">{word}</a></li>' for at, word in enumerate(story.others[0].split()[:4]))
    others = "".join(f'<li><a href="/2024/0{at}/story-{at}00.html">{told}</a></li>' for at, told in
                     enumerate((*story.others, *story.others), 1))  # fmt: skip
    form = _LAYOUTS[LANGUAGES.index(code) % len(_LAYOUTS) if layout is None else layout]
    shown = form.format(
        menu=f"<ul>{menu}</ul>", title=story.title, body=body, before=before, after=after, others=others,
        foot="© 2024",
    )  # fmt: skip
    title = f'<meta charset="utf-8"><title>{story.title} - Example</title>'
    return f'<!DOCTYPE html><html lang="{code}"><head>{title}{head}</head><body>{shown}</body></html>'


def told(code: str, *between: tuple[int, str]) -> str:
    """Return the paragraphs of a story as markup, with other markup before some of them (by number; the last is 5)."""
    parts = [f"<p>{text}</p>" for text in STORIES[code].paragraphs]
    for at, markup in sorted(between, reverse=True):
        parts.insert(at, markup)
    return "\n".join(parts)
