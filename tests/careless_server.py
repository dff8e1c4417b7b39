"""A made-up site whose server answers each page under four addresses, with menus that name topics."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from lab.experiments.focused_site import StoredPage
from newscrawl.links.context import LinkContext
from newscrawl.links.model import Link, LinkPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

SPELLINGS: Final = ("http://e.org{}", "https://www.e.org{}", "http://www.e.org{}index.html", "https://e.org{}")
N_STORIES: Final = 90
N_LISTED: Final = 10


class CarelessSite:
    """Stories about the topic and others; both kinds have the same menus, calendars and bylines around them.

    :param menu: names of the main menu, the topic's among them.
    :param words: a sentence of a story about the topic, and one of another.
    """

    def __init__(self, menu: Sequence[str], words: tuple[str, str], *, seed: int = 1) -> None:
        self.menu = menu
        self._draw = random.Random(seed)
        self._sentences = words
        self.relevant = {f"/2024/05/{n % 28 + 1:02}/story-{n}/" for n in range(0, N_STORIES, 4)}
        self.stories = [f"/2024/05/{n % 28 + 1:02}/story-{n}/" for n in range(N_STORIES)]
        self.pages = {page.url: page for path in self._paths() for page in self._spelled(path)}

    def _paths(self) -> list[str]:
        lists = [f"/category/topics/{n}/" for n in range(len(self.menu))]
        return ["/", *lists, *self.stories, *(f"/page/{n}/" for n in range(2, N_STORIES // N_LISTED + 1))]

    def _spelled(self, path: str) -> list[StoredPage]:
        return [self._page(path, spelling.format(path)) for spelling in SPELLINGS]

    def _page(self, path: str, url: str) -> StoredPage:
        is_story = path in self.stories
        about, other = self._sentences
        sentence = about if path in self.relevant else other
        pairs = [*self._furniture(), *(self._own(path) if is_story else self._listing(path))]
        return StoredPage(
            url=url,
            is_article=is_story,
            headline=sentence if is_story else "News",
            text=f"{sentence} " * 30 if is_story else "",
            language=None,
            links=tuple(link for link, _ in pairs),
            contexts=tuple(context for _, context in pairs),
            labels={},
        )

    def _link(self, path: str, anchor: str, place: str, position: LinkPosition) -> tuple[Link, LinkContext]:
        spelled = self._draw.choice(SPELLINGS).format(path)
        return Link(url=spelled, anchor=anchor, position=position), LinkContext(path=place)

    def _furniture(self) -> list[tuple[Link, LinkContext]]:
        elsewhere = LinkPosition.ELSEWHERE
        month = self._draw.randrange(1, 13)
        section = self._draw.randrange(4)
        submenu = [(f"/category/part/{section}-{n}/", f"{self.menu[0]} {section} {n}") for n in range(2)]
        items = [(f"/category/topics/{n}/", name) for n, name in enumerate(self.menu)]
        return [
            *(self._link(path, name, "nav>ul>li>a", elsewhere) for path, name in (*items, *submenu)),
            self._link(f"/2023/{month:02}/", f"« {self.menu[0]} {month}", "aside>span.prev>a", elsewhere),
            self._link("/category/home/", f"{self.menu[0]} logo", "header>a.logo", elsewhere),
        ]

    def _own(self, path: str) -> list[tuple[Link, LinkContext]]:
        number = int(path.rstrip("/").rpartition("-")[2])
        near = LinkPosition.ADJACENT
        author = self._link(f"/author/{number % 3}/", f"More by {self.menu[0]}", "article>p.by>a", near)
        return [author, self._link(f"/tag/{number % 5}/", f"tag {number % 5}", "article>p.tags>a", near)]

    def _listing(self, path: str) -> list[tuple[Link, LinkContext]]:
        first = 0 if path == "/" else (int(path.rstrip("/").rpartition("/")[2]) - 1) * N_LISTED
        listed = [self.stories[n % N_STORIES] for n in range(first, first + N_LISTED)]
        following = self._link(f"/page/{first // N_LISTED + 2}/", "Older", "div.nav>a", LinkPosition.ELSEWHERE)
        places = [self._link(story, "Read it", "main>h2>a", LinkPosition.IN_BODY) for story in listed]
        return [*places, following]
