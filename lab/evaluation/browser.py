"""Exact boxes from a headless browser, to measure the estimates against. Optional: see ``requirements-js.txt``.

The browser gets no page address and no network: the tree that was parsed is built again in an empty page, node by
node, so that every row of the measures has its node, and every request is refused. Scripts of the page do not run.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from lxml import etree

from lab.css import RowBoxes, screen
from newscrawl.console.files import CHROMIUM_VARIABLE, find_chromium
from newscrawl.exceptions import UserError
from newscrawl.page.measures import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement
    from playwright.sync_api import Page, Route

    from newscrawl.page.document import Document

TIMEOUT_SECONDS: Final = 30
_ARGUMENTS: Final = ("--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND")
_NOT_BUILT: Final = frozenset(("script", "noscript", "base", "iframe", "frame", "object", "embed", "link", "meta"))
_STANDARD: Final = "<!DOCTYPE html><html><head></head><body></body></html>"
_QUIRKS: Final = "<html><head></head><body></body></html>"

_BUILD: Final = """
([nodes, rows]) => {
  const made = [];
  const TABLE_PARTS = /^(TABLE|TBODY|THEAD|TFOOT|TR)$/;
  for (const [parent, tag, value] of nodes) {
    let node;
    if (tag === null) node = document.createTextNode(value);
    else {
      try { node = tag === 'html' ? document.documentElement : document.createElement(tag); }
      catch { node = document.createElement('span'); }
      const inTable = parent >= 0 && TABLE_PARTS.test(made[parent].tagName);
      if (tag === 'form' && inTable) node = document.createElement('x-form');
      for (const [name, text] of value) { try { node.setAttribute(name, text); } catch {} }
      if (tag === 'html') node.replaceChildren();
    }
    if (node.tagName === 'X-FORM') node.style.display = 'contents';
    if (parent >= 0 && node !== document.documentElement) made[parent].appendChild(node);
    made.push(node);
  }
  return rows.map(place => {
    const node = made[place];
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    let box;
    if (node === element) box = node.getBoundingClientRect();
    else {
      const range = document.createRange();
      range.selectNodeContents(node);
      box = range.getBoundingClientRect();
    }
    const shown = element.checkVisibility({visibilityProperty: true}) ? 1 : 0;
    return [box.left + scrollX, box.top + scrollY, box.width, box.height, shown];
  });
}
"""


def executable() -> str:
    """Return the path of chromium: ``$NEWSCRAWL_CHROMIUM``, else one on the path.

    :raises UserError: if there is none.
    """
    found = find_chromium()
    if not found:
        raise UserError(f"no browser: install chromium, or name one in {CHROMIUM_VARIABLE}")
    return found


class BoxBrowser:
    """An open browser. See :func:`open_browser`."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def lay_out(self, document: Document) -> RowBoxes:
        """Return the boxes that the browser gives the rows of ``document.measures``."""
        nodes, rows = _plan(document)
        self._page.set_content(_QUIRKS if _is_quirky(document) else _STANDARD)
        found = self._page.evaluate(_BUILD, [nodes, rows]) if rows else []
        table = np.array(found, dtype=np.float64).reshape(len(rows), 5)
        said = np.ones(len(rows), dtype=np.bool_)
        return RowBoxes(
            x=table[:, 0],
            y=table[:, 1],
            width=table[:, 2],
            height=table[:, 3],
            is_shown=table[:, 4] > 0,
            is_width_said=said,
            is_height_said=said,
        )


@contextmanager
def open_browser() -> Iterator[BoxBrowser]:
    """Open a browser without network, and close it again.

    :raises UserError: if playwright or chromium is missing, or the browser does not start.
    """
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415
    except ImportError as error:
        raise UserError("no playwright: pip install -r requirements-js.txt") from error
    path = executable()
    # the sandbox needs rights that containers often withhold; what is shown are dead trees without network
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS), chromium_sandbox=False)
        except Error as error:
            raise UserError(f"{path!r} does not start: {str(error).partition(chr(10))[0]}") from error
        context = browser.new_context(
            viewport={"width": int(screen.WIDTH), "height": int(screen.HEIGHT)},
            java_script_enabled=False,
            offline=True,
            service_workers="block",
        )
        context.set_default_timeout(TIMEOUT_SECONDS * 1000)
        context.route("**/*", _refuse)
        try:
            yield BoxBrowser(context.new_page())
        finally:
            context.close()
            browser.close()


def _refuse(route: Route) -> None:
    route.abort()


def _is_quirky(document: Document) -> bool:
    """Tell whether browsers would lay the page out by the rules of the nineties."""
    if document.root is None:
        return False
    info = document.root.getroottree().docinfo
    public = (info.public_id or "").lower()
    if not info.doctype:
        return True
    is_old = "transitional" in public and " html 4" in public and not info.system_url
    return is_old or " html 3" in public or " html 2" in public


def _plan(document: Document) -> tuple[list[Any], list[int]]:
    """Return the nodes to build, parents first, each with the place of its parent; and the place of each row."""
    if document.root is None:
        return [], []
    nodes: list[Any] = []
    places: dict[HtmlElement, int] = {}
    texts: dict[HtmlElement, list[int]] = {}

    def add_text(parent: HtmlElement | None, text: str | None) -> None:
        if text and parent is not None and parent in places:
            if not text.isspace():
                texts.setdefault(parent, []).append(len(nodes))
            nodes.append([places[parent], None, text])

    for event, node in etree.iterwalk(document.root, events=("start", "end", "comment", "pi")):
        parent = node.getparent()
        if event == "start" and node.tag not in _NOT_BUILT and (parent is None or parent in places):
            places[node] = len(nodes)
            attributes = [[name, str(value)] for name, value in node.attrib.items()]
            nodes.append([-1 if parent is None else places[parent], node.tag, attributes])
            add_text(node, node.text)
        elif event != "start":
            add_text(parent, node.tail)
    return nodes, _row_places(document, places, texts)


def _row_places(document: Document, places: dict[HtmlElement, int], texts: dict[HtmlElement, list[int]]) -> list[int]:
    waiting = {node: iter(found) for node, found in texts.items()}
    measures = document.measures
    return [
        next(waiting[node]) if tag == TEXT else places[node]
        for tag, node in zip(measures.tags, measures.nodes, strict=True)
    ]
