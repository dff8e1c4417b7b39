"""The chosen text as Markdown and as clean HTML: escaped, without scripts, styles, handlers or foreign schemes."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from newscrawl.extract.formats.figures import Figure, body_lines
from newscrawl.extract.formats.parts import Code, ListItem, Table, Text, TextSpan, parts
from newscrawl.languages.characters import plain
from newscrawl.languages.text import fold_space

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newscrawl.extract.formats.parts import Part, Spans
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools

_MARKS: Final = re.compile(r"([\\`*_\[\]<>|~])")
_LINE_MARKS: Final = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|\d{1,9}[.)](?=\s|$)|={3,}|-{3,})")
_PLAIN_TARGET: Final = re.compile(r"[^\s()<>\\]+")
_TICKS: Final = re.compile(r"`+")


def _target(url: str) -> str:
    """Return the address as a link's target: in angle brackets where it holds what would end it (CommonMark §6.3)."""
    return url if _PLAIN_TARGET.fullmatch(url) else f"<{url}>"


def body_parts(text: str, document: Document | None, chosen: Bools | None) -> list[Part]:
    """Return the parts of the text; plain paragraphs where a method gives a text that is not the page's lines.

    :param chosen: which of the page's lines make the text; None where the method does not say, and they are looked for.
    """
    numbers = body_lines(text, document, chosen)
    if document is None or not numbers:
        return [Text(spans=(TextSpan(fold_space(line)),)) for line in text.splitlines() if line.strip()]
    return parts(document, numbers)


def as_html(body: Sequence[Part]) -> str:
    """Return the parts as HTML, an element a line; ``""`` for none. Safe to put into a page as it is."""
    return plain("\n".join(_html_of(list(group), quoted) for (_, quoted), group in groupby(body, key=_kind)))


def inert_html(document: Document, numbers: Iterable[int]) -> str:
    """Return some lines of a page as HTML with their structure, but without links and pictures.

    :param numbers: of the page's visible lines.
    """
    return as_html([_inert(part) for part in parts(document, numbers)])


def _inert(part: Part) -> Part:
    if isinstance(part, Text | ListItem):
        return replace(part, spans=_unlinked(part.spans))
    if isinstance(part, Table):
        return replace(part, rows=tuple(tuple(map(_unlinked, row)) for row in part.rows))
    return Text(spans=(TextSpan(part.caption),)) if isinstance(part, Figure) else part


def _unlinked(spans: Spans) -> Spans:
    return tuple(span._replace(href="") for span in spans)


def _kind(part: Part) -> tuple[bool, int]:
    """Tell whether a part is of a list, and how often it is quoted."""
    return isinstance(part, ListItem), part.quoted if isinstance(part, Text | ListItem) else 0


def _html_of(group: list[Part], quoted: int) -> str:
    items = [part for part in group if isinstance(part, ListItem)]
    inner = _html_list(items) if items else "\n".join(map(_html_part, group))
    for _ in range(quoted):
        inner = f"<blockquote>\n{inner}\n</blockquote>"
    return inner


def _html_part(part: Part) -> str:
    if isinstance(part, Text):
        tag = f"h{part.level}" if part.level else "p"
        return f"<{tag}>{_html_spans(part.spans)}</{tag}>"
    if isinstance(part, Code):
        return f"<pre><code>{html.escape(part.text)}</code></pre>"
    if isinstance(part, Figure):
        caption = f"<figcaption>{html.escape(part.caption)}</figcaption>" if part.caption else ""
        return f'<figure><img src="{html.escape(part.src)}" alt="{html.escape(part.alt)}">{caption}</figure>'
    return _html_table(part) if isinstance(part, Table) else ""


def _html_table(table: Table) -> str:
    rows = []
    for place, row in enumerate(table.rows):
        tag = "th" if table.has_header and not place else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{_html_spans(cell)}</{tag}>" for cell in row) + "</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _html_list(items: Sequence[ListItem]) -> str:
    """Return nested lists; an item deeper by several levels opens them all."""
    out: list[str] = []
    opened: list[str] = []  # tags of the open lists; each has an open item
    for item in items:
        inner = _html_spans(item.spans)
        if item.continues and opened:
            out.append(f"<p>{inner}</p>")
            continue
        while len(opened) > item.depth:
            out.append(f"</li>\n</{opened.pop()}>")
        if len(opened) == item.depth:
            out.append("</li>\n<li>" + inner)
            continue
        while len(opened) < item.depth:
            opened.append("ol" if item.ordered else "ul")
            out.append(f"\n<{opened[-1]}>\n<li>" if len(opened) > 1 else f"<{opened[-1]}>\n<li>")
        out.append(inner)
    out.extend(f"</li>\n</{tag}>" for tag in reversed(opened))
    return "".join(out)


def _html_spans(spans: Spans) -> str:
    return "".join(map(_html_span, spans))


def _html_span(span: TextSpan) -> str:
    text = html.escape(span.text)
    for wanted, tag in ((span.code, "code"), (span.emphasis, "em"), (span.strong, "strong")):
        if wanted:
            text = f"<{tag}>{text}</{tag}>"
    return f'<a href="{html.escape(span.href)}">{text}</a>' if span.href else text


def as_markdown(body: Iterable[Part]) -> str:
    """Return the parts as Markdown (CommonMark, and tables as GitHub writes them); ``""`` for none."""
    blocks: list[str] = []
    previous: Part | None = None
    numbers: dict[int, int] = {}
    for part in body:
        if not isinstance(part, ListItem):
            numbers.clear()
        text = _markdown_item(part, numbers) if isinstance(part, ListItem) else _markdown_part(part)
        tight = isinstance(part, ListItem) and isinstance(previous, ListItem) and not part.continues
        blocks.append(("\n" if tight else "\n\n") + text if blocks else text)
        previous = part
    return plain("".join(blocks))


def _markdown_part(part: Text | Code | Table | Figure) -> str:
    if isinstance(part, Text):
        text = _line_start(_markdown_spans(part.spans))
        return "> " * part.quoted + (f"{'#' * part.level} {text}" if part.level else text)
    if isinstance(part, Code):
        fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(part.text)), default=0))
        return f"{fence}\n{part.text}\n{fence}"
    if isinstance(part, Figure):
        picture = f"![{escape_markdown(part.alt)}]({_target(part.src)})"
        return f"{picture}\n\n*{escape_markdown(part.caption)}*" if part.caption else picture
    return _markdown_table(part)


def _markdown_table(table: Table) -> str:
    width = max(map(len, table.rows))
    rows = [[_markdown_spans(cell) for cell in row] + [""] * (width - len(row)) for row in table.rows]
    header = rows[0] if table.has_header else [""] * width
    body = rows[1:] if table.has_header else rows
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, ["---"] * width, *body))


def _markdown_item(item: ListItem, numbers: dict[int, int]) -> str:
    indent = "   " * (item.depth - 1)
    text = _line_start(_markdown_spans(item.spans))
    prefix = "> " * item.quoted
    if item.continues:
        return f"{prefix}{indent}   {text}"
    for depth in [depth for depth in numbers if depth > item.depth]:
        del numbers[depth]
    numbers[item.depth] = numbers.get(item.depth, 0) + 1
    mark = f"{numbers[item.depth]}." if item.ordered else "-"
    return f"{prefix}{indent}{mark} {text}"


def _markdown_spans(spans: Spans) -> str:
    return "".join(map(_markdown_span, spans))


def _markdown_span(span: TextSpan) -> str:
    text = span.text.strip()
    if not text:
        return span.text
    if span.code:
        ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(text)), default=0))
        marked = f"{ticks} {text} {ticks}" if "`" in text else f"`{text}`"
    else:
        mark = "**" * span.strong + "*" * span.emphasis
        marked = f"{mark}{escape_markdown(text)}{mark[::-1]}"
    if span.href:
        marked = f"[{marked}]({_target(span.href)})"
    start = span.text[: len(span.text) - len(span.text.lstrip())]
    return start + marked + span.text[len(span.text.rstrip()) :]


def escape_markdown(text: str) -> str:
    """Return ``text`` so that Markdown shows it as it is, in the middle of a line."""
    return _MARKS.sub(r"\\\1", text.replace("&", "&amp;"))


def _line_start(text: str) -> str:
    """Escape what would make a paragraph a heading or a list."""
    match = _LINE_MARKS.match(text)
    if match is None:
        return text
    at = match.end(2) - 1 if match[2][-1] in ".)" else match.start(2)
    return f"{text[:at]}\\{text[at:]}"
