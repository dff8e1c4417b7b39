"""An explanation in lines, as the command and the browser show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from newscrawl.console.program import program
from newscrawl.console.wording import quantity
from newscrawl.extract.facts.extract import RULE
from newscrawl.sites.rules import SiteRules
from newscrawl.store.facts import WAITING
from newscrawl.store.schema import NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.store.facts import Explanation, Facts, RulesVerdict

_CHANGES_SHOWN: Final = 12
"""Changed paragraphs."""
_RULED: Final = {"articleBody": "body", "datePublished": "date_published"}
"""Field of an article → that of a rule, where the names differ."""


def explanation_lines(explanation: Explanation) -> Iterator[tuple[str, str]]:
    """Yield titles and values; a value whose title is ``""`` belongs to the one before."""
    facts, rules = explanation.facts, explanation.rules
    if facts.page:
        yield from _page_lines(facts.page)
    if facts.article:
        yield from _article_lines(facts.article, facts)
        yield from _rule_lines(facts.article["field_sources"], rules)
    if facts.twin:
        yield "stored as", f"{facts.twin}; ask for that address"
    if facts.visit:
        yield from _visit_lines(facts.visit)
    if facts.memory:
        yield "site memory", f"learnt from {quantity(facts.memory['n_pages'], 'article')} of {facts.memory['host']}"
    for drift in facts.drifts:
        yield from _drift_lines(drift)
    for judged in facts.topics:
        yield from _topic_lines(judged)
    if facts.link:
        link = facts.link
        yield "link", f"{link['reason'] or 'not refused'}; found on {link['found_on'] or 'an unknown page'}"
        yield "", f"anchor {link['anchor'] or ''!r}, {link['position'] or 'position unknown'}"
    if facts.run:
        run = facts.run
        yield "run", f"{run['id']}: {run['spider']}, started {run['started_at']:%Y-%m-%d %H:%M} UTC"
    if rules.site is None:
        yield "rules", f"none: {rules.why} ({rules.kind})"
    else:
        verdict = "follow" if rules.follow else f"refuse ({rules.rejection})"
        yield "rules", f"{rules.site}: {verdict}; {rules.why} (kind {rules.kind})"


def _drift_lines(drift: dict[str, Any]) -> Iterator[tuple[str, str]]:
    noticed = f"noticed {drift['noticed_at']:%Y-%m-%d %H:%M} UTC"
    if drift["reason"] == RULE:
        yield "broken rule", f"{drift['old']}: {drift['new']}; {noticed}"
        return
    if drift["reason"] == "kinds":
        yield "contradiction", f"{drift['old']}, and {drift['new']}; {noticed}"
        return
    what = "new template" if drift["reason"] in ("places", "length") else "event"
    yield what, f"{noticed} by {drift['reason']}"
    yield "", f"was {drift['old']}"
    yield "", f"is {drift['new']}"


def _rule_lines(sources: dict[str, str], rules: RulesVerdict) -> Iterator[tuple[str, str]]:
    """Tell the rules of the site's file that fields were read by."""
    for name, source in sources.items():
        field = _RULED.get(name, name)
        if source.partition(";")[0] == RULE and field in SiteRules._fields:
            selectors = rules.selectors.get(field)
            stated = f"{field} = {', '.join(selectors)}" if selectors else f"{field}, gone by now"
            yield "by rule", f"{stated} ({rules.site}.toml)"


def _topic_lines(judged: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if not judged["is_article"]:
        yield "topic", f"{judged['topic']}: no article, followed for its links"
    else:
        verdict = "relevant" if judged["probability"] >= judged["threshold"] else "not relevant"
        yield "topic", f"{judged['topic']}: {verdict}, {judged['probability']:.3f} against {judged['threshold']:g}"
        yield "", ", ".join(f"{word} {weight:+.1f}" for word, weight in judged["words"]) or "no word spoke for it"
    score = "a seed" if judged["score"] is None else f"score {judged['score']:.3f}, anchor {judged['anchor'] or ''!r}"
    yield "", f"page {judged['number']} of its crawl; {score}"


def _page_lines(page: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "outcome", ", ".join(str(part) for part in (page["outcome"], page["reason"], page["detail"]) if part)
    yield "answer", f"status {page['status'] or 'none'}, {page['fetched_at']:%Y-%m-%d %H:%M:%S} UTC"
    if page["requested_url"]:
        yield "asked as", page["requested_url"]
    if page["encoding"]:
        yield "encoding", f"{page['encoding']} ({page['encoding_source'] or 'source unknown'})"
    if page["page_type"]:
        yield "page type", f"{page['page_type']}, confidence {page['page_type_confidence']:.2f}"
    if page["referer"]:
        depth = "" if page["depth"] is None else f" (depth {page['depth']})"  # known of answers only
        yield "found on", f"{page['referer']}{depth}"


def _visit_lines(visit: dict[str, Any]) -> Iterator[tuple[str, str]]:
    due = visit["next_fetch_at"]
    if visit["state"] in WAITING:
        yield "frontier", f"{visit['state']}, priority {visit['priority']}"
    elif due is None:
        yield "frontier", "asked for again in the next harvest that finds a link to it"
    elif due >= NEVER:
        retired = f"retired after {visit['n_failures']} failures" if visit["n_failures"] else "not asked for again"
        yield "frontier", f"{retired}, unless with mode=all"
    else:
        yield "frontier", f"{visit['kind'] or 'of unknown kind'}, due again {due:%Y-%m-%d %H:%M} UTC"


def _article_lines(article: dict[str, Any], facts: Facts) -> Iterator[tuple[str, str]]:
    yield "headline", article["headline"] or "none"
    yield "published", f"{article['date_published'] or 'unknown'}, source {article['source'] or 'unknown'}"
    length = quantity(article["n_chars"], "character")
    yield "text", f"{length} by the method {article['method']}, confidence {article['confidence']:.2f}"
    if said := article["field_sources"].get("articleBody", "").removeprefix(RULE).removeprefix("; "):
        yield "", said
    revisions = f"revision {article['revision']}, {facts.n_revisions} earlier kept"
    yield "", f"{revisions}, first seen {article['first_fetched_at']:%Y-%m-%d %H:%M} UTC"
    if article["gone_at"]:
        yield "gone", f"since {article['gone_at']:%Y-%m-%d %H:%M} UTC"
    for i, line in enumerate(facts.changes[:_CHANGES_SHOWN]):
        yield "" if i else "changed", line
    if len(facts.changes) > _CHANGES_SHOWN:
        yield "", f"… {len(facts.changes) - _CHANGES_SHOWN} more; {program()} export --revisions has all"
    if article["duplicate_of"]:
        yield "repeats", f"{article['duplicate_of']} ({article['duplicate_kind']})"
    if facts.duplicates:
        yield "repeated by", ", ".join(facts.duplicates)
