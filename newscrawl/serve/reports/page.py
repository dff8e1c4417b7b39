"""Self-contained HTML: templates with autoescape, one inline style sheet that the page's policy allows by its hash."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newscrawl.console.wording import quantity
from newscrawl.sites.memory import describe_drift

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment


def environment(*packages: str) -> Environment:
    """Return the templates of these packages, the first one's before the next one's; every value is escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 (few crawls write one)

    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["_"] = str  # reports are in English
    made.filters |= {
        "web_link": web_link,
        "percent": percent,
        "thousands": "{:,}".format,
        "quantity": quantity,
        "sentence": drift_sentence,
    }
    return made


def render(template: str, **values: Any) -> str:
    """Render a template of ``newscrawl/serve/reports/templates``; every value is escaped."""
    from markupsafe import Markup  # noqa: PLC0415

    templates = environment("newscrawl.serve.reports")
    style = templates.get_template("style.css").render()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = templates.get_template(template).render(
        style=Markup(style),  # noqa: S704 (our own file) # nosec B704
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        **values,
    )
    return text_of(page)


def text_of(page: str) -> str:
    """Return the page with what no encoding can write replaced: a harvested text may hold half a character."""
    return page.encode("utf-8", "replace").decode()


def drift_sentence(drift: Mapping[str, Any]) -> str:
    """Return what was noticed of a host as a sentence."""
    return describe_drift(*(drift[name] for name in ("host", "reason", "old", "new")))


def web_link(url: str) -> str:
    """Return the URL if a reader may follow it, else ``"#"``: a harvested ``javascript:`` is no link.

    >>> web_link("javascript:alert(1)"), web_link("https://example.org/")
    ('#', 'https://example.org/')
    """
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError:
        return "#"
    return url if scheme in {"http", "https"} else "#"


def percent(ratio: float) -> str:
    """Return a share with as many digits as it needs; only all of it is 100 %.

    >>> percent(1.0), percent(0.9996), percent(0.5)
    ('100 %', '99.9 %', '50.0 %')
    """
    if ratio >= 1.0:
        return "100 %"
    return f"{int(ratio * 1000) / 10:.1f} %"
