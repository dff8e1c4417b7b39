"""What the add-on turns on, and what a setting turns off."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object
from scrapy.utils.python import global_object_name
from scrapy.utils.test import get_crawler

from newscrawl.addon import COMPONENTS, EXPORTERS, REPLACED, SCHEDULER, wire_components
from newscrawl.extensions.delays import RetryAfterExtension
from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.middlewares.outcome import OutcomeMiddleware
from newscrawl.net.resolver import WiringCheckExtension

OUTCOME = "newscrawl.middlewares.outcome.OutcomeMiddleware"
REDIRECT = "newscrawl.middlewares.redirect.ReportedRedirectMiddleware"
ADDON: dict[str, Any] = {
    "ADDONS": {"newscrawl.addon.NewscrawlAddon": 500},
    "COMMANDS_MODULE": "newscrawl.commands",
    "NEWSCRAWL_DATABASE": "",
}


def wired(**own: object) -> list[str]:
    settings = Settings(own)
    wire_components(settings)
    found = build_component_list(settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES"))
    return [one if isinstance(one, str) else global_object_name(one) for one in found]


def test_every_component_is_there() -> None:
    paths = [path for orders in COMPONENTS.values() for path in orders]
    paths += [*REPLACED.keys(), *REPLACED.values()]
    for path in (*paths, *EXPORTERS.values(), SCHEDULER):
        assert isinstance(load_object(path), type)


def test_what_stands_in_for_scrapys_has_its_order() -> None:
    settings = Settings()
    wire_components(settings)
    orders = {setting: settings.getdict(f"{setting}_BASE") for setting in COMPONENTS}
    for scrapys, ours in REPLACED.items():
        (setting,) = (setting for setting, base in orders.items() if scrapys in base)
        assert settings.getdict(setting)[ours] == orders[setting][scrapys]
        assert settings.getdict(setting)[scrapys] is None


def test_ours_stand_in_for_scrapys() -> None:
    components = wired()
    assert components[0] == OUTCOME
    assert REDIRECT in components
    assert global_object_name(RedirectMiddleware) not in components


@pytest.mark.parametrize("known", [RedirectMiddleware, global_object_name(RedirectMiddleware)])
def test_scrapys_stays_where_a_project_names_it(known: object) -> None:
    components = wired(DOWNLOADER_MIDDLEWARES={known: 610})
    assert REDIRECT not in components
    assert global_object_name(RedirectMiddleware) in components


@pytest.mark.parametrize("known", [OutcomeMiddleware, OUTCOME])
def test_a_project_moves_or_drops_a_component(known: object) -> None:
    assert wired(DOWNLOADER_MIDDLEWARES={known: 2000})[-1] == OUTCOME
    assert OUTCOME not in wired(DOWNLOADER_MIDDLEWARES={known: None})


def test_the_add_on_loads_no_component() -> None:
    """A command that does not crawl waits for none of them."""
    paths = {path.rpartition(".")[0] for orders in COMPONENTS.values() for path in orders}
    code = "import sys, newscrawl.addon; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert (paths | {"newscrawl.page", "sqlalchemy"}) & set(done.stdout.split()) == set()


@pytest.mark.parametrize(
    ("setting", "extension"),
    [
        ("NEWSCRAWL_RETRY_AFTER_ENABLED", RetryAfterExtension),
        ("NEWSCRAWL_WIRING_CHECK_ENABLED", WiringCheckExtension),
    ],
)
def test_a_setting_turns_an_extension_off(setting: str, extension: type[Any]) -> None:
    assert isinstance(get_crawler(settings_dict=ADDON).get_extension(extension), extension)
    assert get_crawler(settings_dict=ADDON | {setting: False}).get_extension(extension) is None


def test_what_is_known_of_sites_has_two_parts_each_with_its_setting() -> None:
    def known(**settings: bool) -> SiteMemoryExtension | None:
        return get_crawler(settings_dict=ADDON | settings).get_extension(SiteMemoryExtension)

    both, no_kinds, no_texts = known(), known(NEWSCRAWL_SITE_KINDS=False), known(NEWSCRAWL_SITE_MEMORY=False)
    assert both is not None
    assert both.kinds is not None
    assert both.texts is not None
    assert no_kinds is not None
    assert no_kinds.kinds is None
    assert no_kinds.texts is not None
    assert no_texts is not None
    assert no_texts.kinds is not None
    assert no_texts.texts is None
    assert known(NEWSCRAWL_SITE_KINDS=False, NEWSCRAWL_SITE_MEMORY=False) is None
