"""``scrapy rules``: a table ``[rules]`` for a site's file, to be read, tried and corrected."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from newscrawl.console.command import one_argument, print_json
from newscrawl.console.files import read_text
from newscrawl.console.place import sites_folder
from newscrawl.exceptions import UserError
from newscrawl.sites import named_site
from newscrawl.sites.memory.facts import MIN_AGREED, MIN_AGREEMENT
from newscrawl.sites.propose import MIN_PAGES, MIN_SHARE, ftr_rules, proposals
from newscrawl.sites.rules import SiteRules
from newscrawl.sites.toml import rules_table
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.facts import harvested_sites, site_of_row
from newscrawl.store.site_memory import load_memories

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from newscrawl.sites import NewsSite
    from newscrawl.sites.propose import Proposal


class RulesCommand(DatabaseCommand):
    usage = "[options] <site>"
    summary = "Write what harvests have seen of a site as rules for its file"
    details = (
        "Prints a table [rules] for the file of a site, each rule with what bears it out. The body is the innermost "
        f"element that held {MIN_SHARE:.0%} of the text of a host's articles, of {MIN_PAGES} or more; not_body, what "
        "stood in it beside the text in all of them. Headline, authors and date of publication are where they stood in "
        f"{MIN_AGREEMENT:.0%} of the articles that have the place, in {MIN_AGREED} or more. With --ftr, the rules of a "
        "file of the collection ftr-site-config. No file is changed. Example: scrapy rules sina"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--ftr", metavar="FILE", help="the rules of this file of ftr-site-config instead")
        parser.add_argument("--json", action="store_true", help="print JSON instead of TOML")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.ftr:
            absent = f"no file {opts.ftr!r}; expected one of ftr-site-config"
            text = read_text(Path(opts.ftr), what=opts.ftr, absent=absent)
            rules, unusable = ftr_rules(text.splitlines())
            if rules == SiteRules():
                raise UserError(f"{opts.ftr}: no rule that can be used; expected lines such as body: //article")
            notes = [f"not used, as neither CSS nor XPath: {line}" for line in unusable]
            about: dict[str, object] = {"unusable": unusable}
        else:
            name = one_argument(args, "site")
            found = self._propose(name, opts)
            if not found:
                raise UserError(
                    f"{name!r}: no host has {MIN_PAGES} remembered articles with text or a fact in one place"
                )
            rules = _table(proposal for _, proposal in found)
            notes = [f"{host}: {proposal}" for host, proposal in found]
            about = {"support": [{"host": host, **proposal._asdict()} for host, proposal in found]}
        if opts.json:
            print_json(
                {"rules": {field: selectors for field, selectors in rules._asdict().items() if selectors}} | about
            )
        else:
            sys.stdout.write("".join(f"# {note}\n" for note in notes) + rules_table(rules))

    def _propose(self, name: str, opts: argparse.Namespace) -> list[tuple[str, Proposal]]:
        """Return what the hosts of the site propose, those with most articles first."""
        with self.database(opts) as engine, engine.connect() as connection:
            harvested = {site.name: site for site in map(site_of_row, harvested_sites(connection))}
            site: NewsSite | None = harvested.get(name) or named_site(name, sites_folder(self.project_settings))
            if site is None:
                raise UserError(f"no site {name!r}; harvested are: {', '.join(sorted(harvested)) or 'none'}")
            memories = load_memories(connection)
        known = sorted(memories.items(), key=lambda pair: -pair[1].n_pages)
        return [(host, rule) for host, memory in known if site.covers_host(host) for rule in proposals(memory)]


def _table(proposals: Iterable[Proposal]) -> SiteRules:
    selectors: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for proposal in proposals:
        selectors[proposal.field][proposal.selector] = None
    return SiteRules(**{field: tuple(found) for field, found in selectors.items()})
