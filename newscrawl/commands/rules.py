"""``scrapy rules``: a table ``[rules]`` for a site's file, to be read, tried and corrected."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from newscrawl.command import DatabaseCommand, one_argument
from newscrawl.exceptions import UserError
from newscrawl.files import read_text
from newscrawl.readers.wants import sites_folder
from newscrawl.sites import named_site
from newscrawl.sites.propose import MIN_PAGES, MIN_SHARE, BodyRule, body_rule, ftr_rules
from newscrawl.sites.rules import SiteRules
from newscrawl.sites.toml import rules_table
from newscrawl.storage.facts import harvested_sites, site_of_row
from newscrawl.storage.site_memory import load_memories

if TYPE_CHECKING:
    import argparse

    from newscrawl.sites import NewsSite


class Command(DatabaseCommand):
    usage = "[options] <site>"
    summary = "Write what harvests have seen of a site as rules for its file"
    details = (
        "Prints a table [rules] for the file of a site: for each host the innermost element that held "
        f"{MIN_SHARE:.0%} of the text of its articles, of {MIN_PAGES} or more. With --ftr, the rules of a file of the "
        "collection ftr-site-config. No file is changed. Example: scrapy rules sina"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--ftr", metavar="FILE", help="the rules of this file of ftr-site-config instead")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.ftr:
            absent = f"no file {opts.ftr!r}; expected one of ftr-site-config"
            text = read_text(Path(opts.ftr), what=opts.ftr, absent=absent)
            rules, unusable = ftr_rules(text.splitlines())
            notes = [f"not used, as neither CSS nor XPath: {line}" for line in unusable]
        else:
            name = one_argument(args, "site")
            found = self._seen(name, opts)
            if not found:
                raise UserError(f"{name!r}: no host has {MIN_PAGES} remembered articles with their text in one element")
            rules = SiteRules(body=tuple(dict.fromkeys(rule.selector for rule in found.values())))
            notes = [
                f"{host}: {rule.selector} holds {rule.share:.0%} of the text of {rule.n_pages} articles"
                for host, rule in found.items()
            ]
        if rules == SiteRules():
            raise UserError(f"{opts.ftr}: no rule that can be used; expected lines such as body: //article")
        sys.stdout.write("".join(f"# {note}\n" for note in notes) + rules_table(rules))

    def _seen(self, name: str, opts: argparse.Namespace) -> dict[str, BodyRule]:
        """Return the rule of each host of the site, those with most articles first."""
        with self.database(opts) as engine, engine.connect() as connection:
            harvested = {site.name: site for site in map(site_of_row, harvested_sites(connection))}
            site: NewsSite | None = harvested.get(name) or named_site(name, sites_folder(self.project_settings))
            if site is None:
                raise UserError(f"no site {name!r}; harvested are: {', '.join(sorted(harvested)) or 'none'}")
            memories = load_memories(connection)
        rules = {host: body_rule(memory) for host, memory in memories.items() if site.covers_host(host)}
        known = {host: rule for host, rule in rules.items() if rule is not None}
        return dict(sorted(known.items(), key=lambda pair: -pair[1].n_pages))
