from __future__ import annotations

import pytest
from scrapy.http import Response

from newscrawl.spiders.responses import kind_of


@pytest.mark.parametrize(
    ("media_type", "body", "kind"),
    [
        ("text/html", b"anything", "html"),
        ("text/xml", b"<?xml version='1.0'?><html><p>x</p></html>", "html"),
        ("text/xml", b"<datastore><record><![CDATA[<li><a href='/a/1.html'>x</a></li>]]></record></datastore>", "html"),
        ("text/xml", b"<datastore><record><![CDATA[<svg>]]></record></datastore>", "not_html"),
        ("application/json", b'{"a": "<p>x</p>"}', "not_html"),
        ("text/html", b"%PDF-1.7", "not_html"),
        ("text/html", b" \n", "empty"),
        ("text/xml", "<?xml version='1.0' encoding='UTF-16'?><urlset>".encode("utf-16"), "sitemap"),
        ("application/xml", "<rss>".encode("utf-16-be"), "feed"),
        ("application/xml", "<rss>".encode("utf-32"), "feed"),
        ("text/plain", "<html><p>x</p></html>".encode("utf-16"), "html"),
        ("image/jpeg", b"\xff\xd8\xff\xe0\0", "not_html"),
    ],
)
def test_kinds_of_answers(media_type: str, body: bytes, kind: str) -> None:
    response = Response("http://example.org/", body=body, headers={"Content-Type": media_type})
    assert kind_of(response) == kind
