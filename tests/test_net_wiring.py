from __future__ import annotations

from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list

from newscrawl.middlewares.outcome import OutcomeMiddleware
from newscrawl.middlewares.redirect import ReportedRedirectMiddleware
from newscrawl.net.wiring import configure_network


def downloader(settings: Settings) -> list[object]:
    return build_component_list(settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES"))


def test_ours_stand_in_for_scrapys() -> None:
    settings = Settings({"NEWSCRAWL_ALLOW_NETS": ""})
    configure_network(settings)
    components = downloader(settings)
    assert components[0] is OutcomeMiddleware
    assert ReportedRedirectMiddleware in components
    assert not any("RedirectMiddleware" in str(one) for one in components if isinstance(one, str))


def test_what_a_project_has_chosen_stays() -> None:
    own = {RedirectMiddleware: None, OutcomeMiddleware: 45}
    settings = Settings({"NEWSCRAWL_ALLOW_NETS": "", "DOWNLOADER_MIDDLEWARES": own})
    configure_network(settings)
    assert ReportedRedirectMiddleware not in downloader(settings)
    assert settings["DOWNLOADER_MIDDLEWARES"][OutcomeMiddleware] == 45
