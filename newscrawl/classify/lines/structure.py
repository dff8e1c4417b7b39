"""Rules after the networks, by the page's structure: head of the page, comments, links.

Few rules read what a text says: labels before the names of a story's makers are in ``languages/``, and a model knows
notices by their wording.
``data/results/news-extractor.md`` has the cost of leaving out each rule on unseen sites.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.cohesion import wording
from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.repeats import drop_headlines
from newscrawl.classify.verdict import Speaker
from newscrawl.languages.patterns import WordPattern
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.measures import Bools

MAX_LINKS_BESIDE: Final = 2.0
"""Most characters of links on one side of the text per character of its prose. Lists have more."""

MIN_DIGITS: Final = 6
MIN_DIGIT_SHARE: Final = 0.2
"""Least share of digits in a dateline, which has a date and little more."""
MAX_DATELINE: Final = 90.0
HEAD_LINES: Final = 3
"""First lines of the text that may be a dateline."""
_STOP: Final = re.compile(r"(?<=[^\W\d_]{5})\.|(?<=[^\W\d_]{3})\.$|[!?。！？؟।]")
"""End of a sentence. A dot after a number makes it ordinal, as in German dates. A dot after a short word abbreviates:
Sept., p.m., พ.ค."""

MIN_TOLD: Final = 2
"""Least paragraphs of the page's own story above another one."""
N_BELOW: Final = 6
"""Lines below the headline that may name the author."""
MIN_CAPTION: Final = 24.0
"""Least weight outside links of a caption that tells something."""
MAX_CAPTION: Final = 250.0
"""Most weight of a caption."""
MAX_CAPTIONS: Final = 0.4
"""Most share of the text that is captions. Otherwise captions are the text."""
MAX_NAME: Final = 4
"""Most words of a name."""
MAX_ADDRESS: Final = 6
"""Most words of a line with the address of who wrote a story."""
MIN_NOTE: Final = 3
"""Least words of a note on the author after the name."""
MIN_NOTICE: Final = 1.0
"""Least mean evidence in the wording of an element's paragraphs that makes all of it a notice."""
MAX_NOTE: Final = 8
"""Lines of a box about the author."""

_CREDIT: Final = WordPattern(
    r"[\W_]*{people.label_colon,people.label,people.editor,people.photographer}\s*[:：]\s*[^:：.!?。！？]{2,48}",
    re.IGNORECASE,
    is_led=True,
)
_CREDITED: Final = WordPattern(
    r"(?:^|[\s\W]){people.photographer}(?:\s*[:：/|=]\s*|\s+{people.by,people.credit_by}\s+)(?:\b\w\.|[^.。!?！？]){2,50}[.。]?[)）\]】]?\s*$"
    r"|[(（\[【]\s*{people.photographer}\b[^.。)）]{2,50}[)）\]】]\s*$"
    r"|.{6}[\s\W]\w{2,12}\s*[/／]?\s*{~people.credit_after}[)）\]】。]?\s*$"
    r"|[(（][^()（）/]{2,40}/[^()（）]{2,40}[)）]\s*$|[(（]\d{1,3}\s?/\s?\d{1,3}[)）]\s*$|^\s*[△▲▽▼◁◀←↑]\s*\S|\s/\s*(?:[^\W\d_]\.\s?){1,3}$",
    re.IGNORECASE,
)
"""The end of a caption: who made the picture, or its number; or a mark that points to it."""
_BY: Final = WordPattern(
    r"\W*{people.by,people.prefix,people.label_colon,people.label,people.written_by}\W+", re.IGNORECASE, is_led=True
)
_QUOTES: Final = '"“”„«»「『'
_ABOUT_LABEL: Final = WordPattern(r"\W*{people.about}\s*(?:[:：|–—)）】\]]|$)", re.IGNORECASE, is_led=True)
_MAIL: Final = re.compile(r"[\w.+-]@[\w-]{1,63}\.\w")
_SMALL: Final = frozenset(("font", "small", "em", "i", "span", "cite"))
_PICTURES: Final = ("img", "picture")
_BETWEEN: Final = re.compile(r"\s*[|•·]\s*|\s{2,}")
_NAME: Final = re.compile(r"[^\W\d_][^\d|•·,:：;/()–—\n]{3,48}")
_IS_HEADLINE, _IN_FIGURE, _IN_ITEM, _ENDS = map(
    FEATURES.index, ("is_headline", "in_figure", "in_item", "ends_sentence")
)
_OWN_FACTS: Final = FEATURES.index("own_facts")
_IMAGES: Final = kinds_among(frozenset(("img", "picture", "video", "figure")))
_ABOUT: Final = "about the author"
_DATELINE: Final = [FEATURES.index(name) for name in ("digits", "separators", "n_stops", "is_heading")]


def drop_dateline(is_body: Bools, page: NetworkInput) -> None:
    """Leave out bylines with dates among the first lines of the text, also below a summary; sentences stay.

    A heading is a byline only if it has a separator, such as ``|``.
    """
    for line in is_body.nonzero()[0][:HEAD_LINES].tolist():
        digits, separators, n_stops, is_heading = page.values[line, _DATELINE]
        is_dated = digits >= MIN_DIGIT_SHARE and digits * page.chars[line] >= MIN_DIGITS
        if is_dated and (separators or not is_heading) and page.features.weight[line] <= MAX_DATELINE:
            is_body[line] = bool(n_stops and _STOP.search(page.lines.text(line)))


def lines_about_people(
    page: NetworkInput, probabilities: NDArray[np.float32], least: float, sure: float
) -> dict[int, str]:
    """Return the lines that name the story's makers, with the reason.

    Below the headline they are labelled names and nothing else. After the text they begin with a name that stands below
    the headline. An interviewer's question has a colon after the name and is none.

    :param least: least probability of a line that may be text.
    :param sure: probability of a line that surely is.
    """
    likely = (probabilities >= least).nonzero()[0].tolist()
    headline = page.values[:, _IS_HEADLINE].nonzero()[0].tolist()
    if not likely:
        return {}
    first = headline[0] + 1 if headline else likely[0]
    short = page.features.weight <= MAX_DATELINE
    below = [line for line in range(first, min(first + N_BELOW, likely[-1])) if short[line]]
    begin = next((line for line in likely if probabilities[line] >= sure), likely[0])
    # the label of an author begins them, or their element is called after one
    above = [
        line
        for line in range(max(0, begin - N_BELOW), begin)
        if short[line] and (page.values[line, _OWN_FACTS] > 0 or _BY.match(page.lines.text(line)))
    ]
    about = {line: "who wrote it" for line in below if _is_credit(page.lines.text(line))}
    named = [(line, name) for line in (*(below if headline else ()), *above) for name in _names(page, line)]
    if named:
        about |= dict.fromkeys(_author_box(page, likely, probabilities >= sure, dict(named)), _ABOUT)
    for line in reversed([line for line in likely if line not in about]) if named else ():
        if any(at < line and _is_about(page.lines.text(line), name) for at, name in named):
            about[line] = _ABOUT
        elif probabilities[line] >= sure:
            break
    return about


def lines_of_agreements(page: NetworkInput, probabilities: NDArray[np.float32], least: float) -> list[int]:
    """Return the paragraphs of elements outside the story's that together speak like notices, as terms do.

    The story's element has the first paragraphs below the headline.
    """
    around, measures = page.named.near[0], page.lines.measures
    likely = (page.features.is_prose & (probabilities >= least)).nonzero()[0]
    headline = page.values[:, _IS_HEADLINE].nonzero()[0][:1].tolist()
    rows = Counter(around[likely].tolist())
    below = [row for row in around[likely[likely > headline[0]]].tolist() if rows[row] > 1] if headline else []
    beside = [
        row
        for row, n in rows.items()
        if n > 1 and below and not below[0] <= row < measures.end[below[0]] and not row <= below[0] < measures.end[row]
    ]
    if not beside:
        return []
    told = wording(page.lines.texts(likely.tolist()), page.lines.wide[likely] > 0)
    if told[around[likely] == below[0]].mean() > 0:
        return []
    found = [row for row in beside if told[around[likely] == row].mean() >= MIN_NOTICE]
    return [line for line in likely.tolist() if around[line] in found]


def _author_box(page: NetworkInput, likely: Sequence[int], is_sure: Bools, named: Mapping[int, str]) -> list[int]:
    """Return the lines from an author's name on that stands alone in a box behind the text; an interview has many."""
    names, shown = set(named.values()), page.lines.shown
    found = [line for line in likely if shown[line] in names and line not in named]
    measures = page.lines.measures
    if len(found) != 1 or np.count_nonzero(is_sure[: found[0]] & page.features.is_prose[: found[0]]) < MIN_TOLD:
        return []
    [line] = found
    row, high = int(page.named.near[0][line]), line
    while row > 0:
        low, stop = page.lines.within(row)
        if stop - low > MAX_NOTE:
            break
        row, high = int(measures.parent[row]), stop
    last = int(is_sure.nonzero()[0][-1])
    return [at for at in likely if line <= at < high] if line < last < high else []


def _is_credit(text: str) -> bool:
    """Tell whether a line holds labels with names and nothing else."""
    text = text.strip()
    label = _BY.match(text)
    name = _NAME.fullmatch(text, label.end()) if label else None
    if name and len(name[0].split()) <= MAX_NAME and not any(word[0].islower() for word in name[0].split()):
        return True
    has_label = ":" in text or "：" in text  # most lines have none, and the pattern is long
    return has_label and all(map(_CREDIT.fullmatch, _BETWEEN.split(text)))


def drop_credits(is_body: Bools, page: NetworkInput) -> None:
    """Leave out labelled names and addresses after the text, and there a note on the author under a label."""
    kept = is_body.nonzero()[0].tolist()
    for at in range(max(MIN_TOLD, len(kept) - MAX_NOTE), len(kept)):
        if _ABOUT_LABEL.match(page.lines.text(kept[at])):
            is_body[kept[at:]] = False
            return
    for line in reversed(kept):
        text = page.lines.text(line) if page.features.weight[line] <= MAX_DATELINE else ""
        is_said = page.values[line, _ENDS] > 0 or len(text.split()) > MAX_ADDRESS
        if not _is_credit(text) and (is_said or not _MAIL.search(text)):
            return
        is_body[line] = False


def drop_captions(is_body: Bools, page: NetworkInput) -> None:
    """Leave out lines right below a picture that say at their end who made it, or are set apart from the text."""
    images = _IMAGES[page.lines.measures.kinds].nonzero()[0]
    if not len(images):
        return
    before = np.searchsorted(images, page.lines.start)
    is_below = is_body & (np.diff(before, prepend=0) > 0) & (page.features.weight <= MAX_CAPTION)
    asked = is_below.nonzero()[0].tolist()
    found = [line for line in asked if _CREDITED.search(page.lines.text(line)) or _is_below_picture(page, line)]
    if page.chars[found].sum() <= MAX_CAPTIONS * page.chars[is_body].sum():
        is_body[found] = False


def _is_below_picture(page: NetworkInput, line: int) -> bool:
    """Tell whether a line stands in an inline element of its own right behind a picture of the same paragraph."""
    row = int(page.lines.start[line])
    node = page.lines.measures.nodes[row]
    if node.tag not in _SMALL or page.values[line, _ENDS] > 0:
        return False
    before = node.getprevious()
    while before is not None and before.tag == "br" and not (before.tail or "").strip():
        before = before.getprevious()
    if before is None or next(before.iter(*_PICTURES), None) is None:
        return False
    return not (before.tail or "").strip() and not before.text_content().strip()


def captions(page: NetworkInput) -> list[int]:
    """Return the captions below the headline: the text of a page that shows pictures."""
    headline = page.values[:, _IS_HEADLINE].nonzero()[0]
    below = np.arange(len(page.chars)) > (headline[0] if len(headline) else len(page.chars))
    is_caption = page.values[:, _IN_FIGURE] > 0
    return (below & is_caption & (page.features.free >= MIN_CAPTION)).nonzero()[0].tolist()


def _names(page: NetworkInput, line: int) -> Iterator[str]:
    """Yield the name of two to four words at the beginning of a line; in a list of links only after a label."""
    text = page.lines.text(line)
    label = _BY.match(text)
    if label is None and page.values[line, _IN_ITEM]:
        return
    found = _NAME.match(text, label.end() if label else 0)
    words = found[0].split() if found else []
    both = (words, words[:2])[: 1 + int(page.values[line, _OWN_FACTS] > 0)]  # then for whom the author writes
    for name in both:
        if 2 <= len(name) <= MAX_NAME and not (name[0][0].islower() or name[-1][0].islower()):
            yield " ".join(name)


def _is_about(text: str, name: str) -> bool:
    behind = text[len(name) :]
    is_quoted = any(mark in behind for mark in _QUOTES)
    return text.startswith(name) and behind[:1].isspace() and len(behind.split()) >= MIN_NOTE and not is_quoted


def drop_links_beside(is_body: Bools, page: NetworkInput) -> None:
    """Leave out links before the first line of prose and after the last one, unless the page is a list.

    Most lines on that side must be links, so a linked sub-heading stays.
    """
    features = page.features
    kept = is_body.nonzero()[0]
    prose = kept[features.is_prose[kept]]
    if not len(prose):
        return
    for side in (kept[kept < prose[0]], kept[kept > prose[-1]]):
        links = side[features.is_links[side]]
        if 2 * len(links) >= len(side) and page.chars[links].sum() < MAX_LINKS_BESIDE * page.chars[prose].sum():
            is_body[links] = False


MAX_LINES: Final = 3_000
"""Lines from which a text is too long for rules that compare each with all."""
Rules = tuple[tuple[str, "Callable[[Bools, NetworkInput], None]"], ...]
HEAD_RULES: Final[Rules] = (("the page's headline", drop_headlines), ("a dateline above the text", drop_dateline))
"""Rules about the beginning of a text."""


def left_out(is_body: Bools, page: NetworkInput, rules: Rules) -> dict[int, str]:
    """Apply the rules, and return the reason of each line left out."""
    reasons: dict[int, str] = {}
    before, n_before = is_body.copy(), np.count_nonzero(is_body)
    if n_before > MAX_LINES:
        return reasons
    for reason, drop in rules:
        drop(is_body, page)
        n_left = np.count_nonzero(is_body)
        if n_left < n_before:
            reasons |= dict.fromkeys((before != is_body).nonzero()[0].tolist(), reason)
            before, n_before = is_body.copy(), n_left
    return reasons


def take_labels(verdict: Verdict, page: NetworkInput, probabilities: NDArray[np.float32], is_body: Bools) -> Verdict:
    """Return the verdict of a user's labels: the labelled lines without headline and dateline.

    The labels decide whether comments and links are text.
    """
    kept = is_body.copy()
    reasons = left_out(kept, page, HEAD_RULES)
    mass, chars = page.chars * probabilities, page.chars[kept].sum()
    expected = float(2 * mass[kept].sum() / max(1.0, float(chars + mass.sum())))
    return verdict.spoken_by(Speaker.LABELS, kept, probabilities=probabilities, confidence=expected, reasons=reasons)
