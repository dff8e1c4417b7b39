"""A generated site of six hosts as a WARC file: hubs, articles, articles of several pages, redirects, dead links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.archives import write_warc
from tests.records import chinese

if TYPE_CHECKING:
    from pathlib import Path

HOSTS = tuple(f"{name}.kill.example" for name in ("www", "news", "tech", "sport", "world", "life"))
ARTICLES_PER_HOST = 60
PARTS = 3

SITE = """
title = "Kill test"
hosts = [".kill.example"]
seeds = ["http://www.kill.example/"]
sitemaps = ["http://www.kill.example/sitemap.xml"]
timezone = "Asia/Shanghai"
language = "zh"
"""
PATTERNS = "article_patterns = ['/(?P<y>20\\d\\d)/(?P<m>\\d\\d)/a\\d+(_\\d)?\\.html']\n"


def write_archive(folder: Path, *, memory: bool = False) -> Path:
    """Write the archive of the site; return it.

    :param memory: pages say what others say, so that what is known of a host changes texts.
    """
    return write_warc(folder / f"site-{memory}.warc.gz", *records_of_site(memory=memory))


def write_description(folder: Path, *, has_patterns: bool = True) -> Path:
    """Write the folder with the site's description; return it.

    :param has_patterns: else the crawl has to find out which pages are articles.
    """
    sites = folder / "sites"
    sites.mkdir(parents=True, exist_ok=True)
    (sites / "killsite.toml").write_text(SITE + PATTERNS * has_patterns, encoding="utf-8")
    return sites


def records_of_site(n: int = ARTICLES_PER_HOST, *, memory: bool = False) -> list[dict[str, Any]]:
    """Return all answers of the site, with ``n`` articles a host: two hubs list a third each, links the last."""
    return [*(record for number in range(len(HOSTS)) for record in _host(number, n, memory=memory)), _sitemap(n)]


def _host(number: int, n_articles: int, *, memory: bool) -> list[dict[str, Any]]:
    host, third = HOSTS[number], n_articles // 3
    addresses = [_address(number, n) for n in range(n_articles)]
    hubs = {f"http://{host}/": addresses[:third], f"http://{host}/list/2.html": addresses[third : 2 * third]}
    moved, gone = f"http://{host}/moved.html", f"http://{host}/2024/03/a999.html"
    records: list[dict[str, Any]] = [
        {"url": f"http://{host}/robots.txt", "body": b"User-agent: *\nAllow: /\n", "headers": _TEXT},
        {"url": moved, "status": 302, "headers": [("Location", addresses[2 * third])]},
    ]
    for hub, listed in hubs.items():
        others = [f"http://{other}/" for other in HOSTS] + [f"http://{host}/list/2.html", moved, gone]
        records.append({"url": hub, "body": hub_page(host, listed, others)})
    for n, address in enumerate(addresses):
        n_parts = PARTS if n % 20 == 7 else 1
        following = addresses[(n + 1) % n_articles]  # the last third is linked from articles only
        said = _repeated(number, n) if memory else ("", "")
        records += [
            article_of(number, n, part, n_parts, address, following, said=said) for part in range(1, n_parts + 1)
        ]
    return records


def _address(host: int, n: int) -> str:
    return f"http://{HOSTS[host]}/2024/03/a{host * 1000 + n}.html"


def _part(address: str, part: int) -> str:
    return address if part == 1 else address.replace(".html", f"_{part}.html")


def hub_page(host: str, listed: list[str], others: list[str]) -> bytes:
    items = "".join(f"<li><a href='{url}'>{chinese(hash_of(url), 18)}</a></li>" for url in listed)
    nav = "".join(f"<a href='{url}'>{url[7:20]}</a> " for url in others)
    return (
        f"<html><head><title>{host}</title></head><body><div class='nav'>{nav}</div><ul>{items}</ul></body></html>"
    ).encode()


def _repeated(host: int, n: int) -> tuple[str, str]:
    """Return what the article repeats of others, above and below its own text: a third, a fifth, or three say so."""
    above = [seed for seed, every in ((1, 3), (2, 5)) if n % every == 0]
    below = [seed for seed, is_there in ((3, n % 4 < 3), (4, n in {11, 12, 48}), (5, n % 7 == 0)) if is_there]
    head, tail = (
        "".join(f"<p>{chinese(900_000 + host * 100 + seed, 40)}。</p>" for seed in seeds) for seeds in (above, below)
    )
    return head, tail


def article_of(
    host: int, n: int, part: int, n_parts: int, address: str, following: str, *, said: tuple[str, str] = ("", "")
) -> dict[str, Any]:
    seed = (host * 1000 + n) * 10 + part
    headline = chinese((host * 1000 + n) * 10 + 9, 20)
    paragraphs = "".join(f"<p>{chinese(seed * 10 + i, 120)}。</p>" for i in range(5))
    pager = ""
    if n_parts > 1:
        numbers = "".join(f"<a href='{_part(address, i)}'>{i}</a> " for i in range(1, n_parts + 1))
        onward = f"<a href='{_part(address, part + 1)}'>下一页</a>" if part < n_parts else ""
        back = f"<a href='{_part(address, part - 1)}'>上一页</a>" if part > 1 else ""
        pager = f"<div class='page'>{back} {numbers} {onward}</div>"
    body = (
        f"<html><head><title>{headline}_杀</title></head><body><div class='nav'><a href='/'>首页</a></div>"
        f"<div class='article'><h1>{headline}</h1>"
        f"<div class='info'>2024年03月{n % 28 + 1:02d}日 10:20 来源：测试日报</div>"
        f"<div class='content'>{said[0]}{paragraphs}{said[1]}</div>{pager}</div>"
        f"<div class='more'><ul><li><a href='{following}'>{chinese(hash_of(following), 18)}</a></li></ul></div>"
        "</body></html>"
    )
    return {"url": _part(address, part), "body": body.encode()}


def _sitemap(n_articles: int) -> dict[str, Any]:
    listed = range(n_articles * 2 // 3, n_articles * 5 // 6)
    urls = [_address(host, n) for host in range(len(HOSTS)) for n in listed]
    items = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    body = f"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{items}</urlset>"
    return {"url": "http://www.kill.example/sitemap.xml", "body": body.encode(), "headers": _XML}


def hash_of(text: str) -> int:
    """A number of the text, the same in every process."""
    return int.from_bytes(text.encode()[-8:], "big")


_TEXT = [("Content-Type", "text/plain")]
_XML = [("Content-Type", "application/xml")]
