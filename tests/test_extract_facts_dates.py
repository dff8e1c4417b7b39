from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.extract.facts.moments import DateContext, date_in_url, is_day_first
from newscrawl.languages.date_parts import month_number
from newscrawl.languages.date_text import find_dates, parse_stamp
from newscrawl.languages.relative import find_relative, resolve_relative
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from newscrawl.items import Article

SHANGHAI = ZoneInfo("Asia/Shanghai")
FETCHED = datetime(2024, 3, 5, 12, 0, tzinfo=UTC)  # 20:00 in Shanghai, a Tuesday


def read(
    body: str, head: str = "", *, url: str = "http://news.example.cn/a.html", lang: str = "zh", **options: object
) -> Article:
    page = f"<html lang={lang}><head><title>新图书馆开放</title>{head}</head><body>{body}</body></html>"
    options = {"fetched_at": FETCHED, "site_timezone": "Asia/Shanghai", **options}
    return extract_metadata(Document.from_html(page, url), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3/4(月) 22:15 配信", "2024-03-04T22:15"),
        ("12/31（日）8:05", "2023-12-31T08:05"),
        ("3月4日(月)22:15", "2024-03-04T22:15"),
        ("3/4 22:15", None),
        ("全3/4(月額) 22:15", None),
    ],
)
def test_japanese_portals_leave_out_the_year(text: str, expected: str | None) -> None:
    line = "<p>市の新しい図書館が五日に開館し、子どもから高齢者まで多くの市民が訪れて本を手に取った。</p>" * 3
    body = f"<h1>図書館が開館</h1><div>{text}</div>{line}<p>うちの町でも同じ話がありました。</p><span>16分前</span>"
    fetched = datetime(2024, 3, 5, 12, 0, tzinfo=UTC)
    page = Document.from_html(f"<html lang=ja><title>図書館が開館</title>{body}", "http://news.example.jp/a.html")
    found = str(extract_metadata(page, fetched_at=fetched, site_timezone="Asia/Tokyo").datePublished).replace(" ", "T")
    assert found[:16] == expected if expected else not found.startswith("2024-03-04")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024年3月5日 10:20 来源：新华社", "2024-03-05T10:20:00"),
        ("2024-03-05", "2024-03-05T00:00:00"),
        ("2024-03-05T10:20:30.123+08:00", "2024-03-05T10:20:30.123000+08:00"),
        ("05.03.2024, 10:20 Uhr", "2024-03-05T10:20:00"),
        ("March 5, 2024 at 3:20 pm EST", "2024-03-05T15:20:00-05:00"),
        ("5 de marzo de 2024", "2024-03-05T00:00:00"),
        ("Tue, 05 Mar 2024 10:20:00 GMT", "2024-03-05T10:20:00+00:00"),
        ("10:20 Uhr, 5. März 2024", "2024-03-05T10:20:00"),
        ("2024年03月05日 星期二 下午3:20", "2024-03-05T15:20:00"),
        ("2024. 3. 5. 오후 3:20", "2024-03-05T15:20:00"),
        ("2024. 3. 5. 오전 12:20", "2024-03-05T00:20:00"),
        ("2020. augusztus 18. 10:00", "2020-08-18T10:00:00"),
        ("24 نيسان / أبريل 2020", "2020-04-24T00:00:00"),
        ("2024年3月5日 24:00", "2024-03-06T00:00:00"),
        ("12/31/2024", "2024-12-31T00:00:00"),
        ("1709605200", "2024-03-05T02:20:00+00:00"),
    ],
)
def test_stamps_are_read(text: str, expected: str) -> None:
    parsed = parse_stamp(text)
    assert parsed is not None
    assert parsed[0].isoformat() == expected


@pytest.mark.parametrize(
    "text", ["", "2024-13-05", "31.02.2024", "1:20-03-24", "call 010-2024-0305", "1848年3月5日", "version 1.2.3"]
)
def test_other_numbers_are_no_dates(text: str) -> None:
    assert parse_stamp(text) is None


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("时间：25/06/12 07:45", "zh", "2025-06-12T07:45:00"),
        ("25/06/12 07:45", "ja", "2025-06-12T07:45:00"),
        ("24.11.05 07:45", "ko", "2024-11-05T07:45:00"),
        ("12/06/25 07:45", "fr", "2025-06-12T07:45:00"),
    ],
)
def test_two_digits_of_a_year_come_first_where_years_do(text: str, language: str, expected: str) -> None:
    assert [found.moment.isoformat() for found in find_dates(text, language)] == [expected]


def test_language_and_country_decide_day_and_month() -> None:
    (british,) = find_dates("03/05/2024", "en", day_first=is_day_first("en", "en-GB", None))
    (american,) = find_dates("03/05/2024", "en", day_first=is_day_first("en", "en-US", None))
    assert (british.moment.month, american.moment.month) == (5, 3)
    assert is_day_first("de", "", None)
    assert is_day_first("en", "", "https://www.example.co.uk/")
    assert not is_day_first("en", "", "https://www.example.com/")


@pytest.mark.parametrize(
    ("word", "language", "number"),
    [("Sept.", None, 9), ("août", None, 8), ("listopada", "hr", 10), ("listopada", "pl", 11), ("Monday", None, None)],
)
def test_month_names(word: str, language: str | None, number: int | None) -> None:
    assert month_number(word, language) == number


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_read_in_every_form(day: date) -> None:
    forms = (
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.day}.{day.month}.{day.year}",
        day.strftime("%d %B %Y"),
        day.strftime("%B %d, %Y"),
        day.isoformat(),
    )
    assert {parsed[0].date() for form in forms if (parsed := parse_stamp(form))} == {day}


def test_zone_of_the_page_is_kept_and_the_sites_assumed() -> None:
    stated = read("", '<meta property="article:published_time" content="2024-03-05T10:20:00+02:00">')
    assert stated.datePublished == datetime(2024, 3, 5, 10, 20, tzinfo=timezone(timedelta(hours=2)))
    assumed = read("", '<meta property="article:published_time" content="2024-03-05 10:20:00">')
    assert assumed.datePublished == datetime(2024, 3, 5, 10, 20, tzinfo=SHANGHAI)
    assert assumed.datePublishedRaw == "2024-03-05 10:20:00"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("3小时前", "2024-03-05 17:00"),
        ("昨天 08:15", "2024-03-04 08:15"),
        ("发布时间：2024年3月4日 10:20 来源：示例日报", "2024-03-04 10:20"),
        ("来源：示例日报 03-04 10:20", "2024-03-04 10:20"),
        ("12-30 10:20", "2023-12-30 10:20"),
    ],
)
def test_visible_dates_near_the_headline(line: str, expected: str) -> None:
    metadata = read(f"<h1>新图书馆开放</h1><div>{line}</div><p>{'正文内容，' * 30}。</p>")
    assert metadata.datePublished is not None
    assert metadata.datePublished.strftime("%Y-%m-%d %H:%M") == expected
    assert metadata.fieldSources["datePublished"] == "visible"


def test_relative_date_in_english() -> None:
    page = "<h1>New library opens</h1><span>2 hours ago</span><p>" + "The council opened the new library today. " * 5
    metadata = read(page, lang="en", site_timezone="UTC")
    assert metadata.datePublished == datetime(2024, 3, 5, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("昨天 13:06", "03-30 13:06"),
        ("昨日下午 3:20", "03-30 15:20"),
        ("昨天凌晨 1:20", "03-30 01:20"),
        ("前天", "03-29 14:30"),
        ("半小时前", "03-31 14:00"),
        ("2个月前", "01-31 14:30"),
        ("3時間前", "03-31 11:30"),
        ("3시간전", "03-31 11:30"),
        ("Yesterday at 3:15 pm", "03-30 15:15"),
        ("today, 12:05 am", "03-31 00:05"),
        ("an hour ago", "03-31 13:30"),
        ("5 mins ago", "03-31 14:25"),
        ("heute, 7.57 Uhr", "03-31 07:57"),
        ("vor einer Woche", "03-24 14:30"),
        ("Hier à 9h30", "03-30 09:30"),
        ("il y a 3 jours", "03-28 14:30"),
        ("hace 3 días", "03-28 14:30"),
        ("há 2 horas", "03-31 12:30"),
        ("1 settimana fa", "03-24 14:30"),
        ("2 maanden geleden", "01-31 14:30"),
        ("5 дней назад", "03-26 14:30"),
        ("вчера в 10:30", "03-30 10:30"),
        ("5 godzin temu", "03-31 09:30"),
        ("3 gün önce", "03-28 14:30"),
        ("1 week, 3 days ago", "03-21 14:30"),
        ("2\xa0years, 4\xa0months ago", "12-02 14:30"),
        ("a year and 4 months ago", "12-02 14:30"),
        ("2年4个月前", "12-02 14:30"),
        ("五个月前", "11-02 14:30"),
        ("vor 2 Jahren, 4 Monaten", "12-02 14:30"),
        ("il y a 2 ans et 4 mois", "12-02 14:30"),
        ("2 года, 4 месяца назад", "12-02 14:30"),
        ("2 lata i 4 miesiące temu", "12-02 14:30"),
        # these tell no day
        ("il y a 2 ans", None),
        ("vor 3 Jahren", None),
        ("几天前", None),
        ("yesterday at 25:61", None),
    ],
)
def test_a_date_seen_from_the_fetch(text: str, day: str | None) -> None:
    base = datetime(2024, 3, 31, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))  # the clocks went forward at two
    phrase = find_relative(f"Mara Lind | {text}")
    assert phrase == text
    moment = resolve_relative(phrase, base)
    assert (moment and f"{moment:%m-%d %H:%M}") == day


def test_dates_after_the_fetch_are_never_taken() -> None:
    head = '<meta property="article:published_time" content="2031-01-01T00:00:00Z">'
    metadata = read("<h1>新图书馆开放</h1><div>2024-03-04 10:20</div>", head)
    assert metadata.datePublished == datetime(2024, 3, 4, 10, 20, tzinfo=SHANGHAI)


def test_time_of_day_comes_from_another_statement_of_the_same_day() -> None:
    head = '<meta name="publishdate" content="2024-03-04">'
    metadata = read("<h1>新图书馆开放</h1><div>2024-03-04 10:20</div>", head)
    assert metadata.datePublished == datetime(2024, 3, 4, 10, 20, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("above", "below", "moment"),
    [
        ("January 7, 2024 9:30 am", "", "09:30"),
        ("January 7, 2024", '<p>pixel wrote</p><time datetime="2024-01-07T18:45">at 18:45</time><p>Fine!</p>', "00:00"),
        ("January 7, 2024", "<p>Posted by pixel on January 7, 2024 at 6:45 pm</p><p>Fine!</p>", "00:00"),
        ("January 7, 2024", "<p>This entry was posted on January 7, 2024 at 9:30 am, and filed in News.</p>", "09:30"),
    ],
    ids=["above", "comment-element", "comment", "sentence-of-the-post"],
)
@pytest.mark.parametrize("n_paragraphs", [1, 8])
def test_a_time_below_the_text_is_that_of_a_comment(above: str, below: str, moment: str, n_paragraphs: int) -> None:
    head = '<meta name="publishdate" content="2024-01-07">'
    body = f"<h1>The new library opens today</h1><div>{above}</div>{STORY * n_paragraphs}<h2>Comments</h2>{below}"
    text = f"{STORY[3:-5]}\n" * n_paragraphs
    found = read(body, head, lang="en", url="http://e.com/a", body_text=text, site_timezone="UTC").datePublished
    assert str(found)[:16] == f"2024-01-07 {moment}"


def test_published_and_modified_are_told_apart() -> None:
    body = "<h1>新图书馆开放</h1><div>发布时间：2024-03-01 10:20</div><div>更新时间：2024-03-02 08:00</div>"
    metadata = read(body)
    assert metadata.datePublished == datetime(2024, 3, 1, 10, 20, tzinfo=SHANGHAI)
    assert metadata.dateModified == datetime(2024, 3, 2, 8, 0, tzinfo=SHANGHAI)


def test_an_abbreviation_holds_the_moment_in_its_title() -> None:
    stamp = '<abbr class=published itemprop=datePublished title="2024-03-04T22:10:00-05:00">10:10 PM</abbr>'
    page = read(f"<h2>Monday, March 4, 2024</h2><h1>新图书馆开放</h1><p>text</p><div>at {stamp}</div>", lang="en")
    assert str(page.datePublished) == "2024-03-04 22:10:00-05:00"


def test_hint_of_a_news_sitemap_comes_first() -> None:
    metadata = read("<h1>新图书馆开放</h1><div>2024-03-04 10:20</div>", hints={"date": "2024-03-03T09:00:00+08:00"})
    assert metadata.datePublished == datetime(2024, 3, 3, 9, 0, tzinfo=SHANGHAI)
    assert metadata.fieldSources["datePublished"] == "hint"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("<time datetime=2024-03-04T01:26:00+09:00>", "2024-03-04T01:26:00+09:00"),
        ("<time datetime=2024-03-01T01:26:00+09:00>", "2024-03-04T00:26:00+08:00"),
        ("", "2024-03-04T00:26:00+08:00"),
    ],
    ids=["offset of the page", "another time", "offset of the site"],
)
def test_hint_in_utc_is_the_day_of_the_page(shown: str, expected: str) -> None:
    metadata = read(f"<h1>新图书馆开放</h1>{shown}", hints={"date": "2024-03-03T16:26:00+00:00"})
    assert metadata.datePublished is not None
    assert metadata.datePublished.isoformat() == expected


@pytest.mark.parametrize(
    ("lang", "line", "expected"),
    [
        ("en", "posted on 2024-03-03 23:30 EST", "2024-03-03T23:30:00-05:00"),
        ("de", "Veröffentlicht am 3.3.2024, 23:30 Uhr", "2024-03-03T23:30:00+01:00"),
        ("zh", "发布时间：2024-03-05 00:10", "2024-03-05T00:10:00+08:00"),
        ("en", "posted on 2024-03-01 23:30 EST", "2024-03-04T00:00:00"),
        ("en", "posted on 2024-03-03", "2024-03-04T00:00:00"),
    ],
)
def test_a_moment_beside_the_day_of_the_address_is_shown_in_the_readers_zone(
    lang: str, line: str, expected: str
) -> None:
    page = f"<html lang={lang}><title>The library</title><h1>The library</h1><p>{line}</p><p>{'Text. ' * 40}</p>"
    document = Document.from_html(page, "http://www.example.com/news/2024-03-04/library.html")
    found = extract_metadata(document, fetched_at=datetime(2024, 6, 1, tzinfo=UTC)).datePublished
    assert found is not None
    assert found.isoformat().startswith(expected)


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2024-03-03 22:30:00 -0500">',
        "<time datetime=2024-03-03T22:30:00-05:00>Sunday</time>",
        '<script type="application/ld+json">{"@type": "Article", "dateCreated": "2024-03-03T22:30:00-05:00"}</script>',
    ],
)
def test_a_moment_in_utc_has_the_offset_that_the_page_states_elsewhere(head: str) -> None:
    stated = '{"@type": "NewsArticle", "headline": "The library", "datePublished": "2024-03-04T03:30:00Z"}'
    page = f'<html lang=en><script type="application/ld+json">{stated}</script>{head}<h1>The library</h1><p>Text.</p>'
    document = Document.from_html(page, "http://www.example.com/library.html")
    found = extract_metadata(document, fetched_at=datetime(2024, 6, 1, tzinfo=UTC)).datePublished
    assert found is not None
    assert found.isoformat() == "2024-03-03T22:30:00-05:00"


def test_comments_footer_and_headline_are_not_the_date() -> None:
    body = (
        "<h1>新图书馆开放 2019年1月1日</h1><div>2024-03-04 10:20</div>"
        f"<p>{'正文内容，' * 30}。</p><div class=comments><time datetime=2024-03-05T10:00:00Z>今天</time></div>"
        "<div>版权所有 © 2001-01-01 示例新闻</div>"
    )
    assert read(body).datePublished == datetime(2024, 3, 4, 10, 20, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com/2023/07/09/a.html", "2023-07-09"),
        ("http://example.com/n1/2023/0709/c1-2.html", "2023-07-09"),
        ("http://example.com/news/20230709/t20230709_1.htm", "2023-07-09"),
        ("http://example.com/23/0709/12/A.html", "2023-07-09"),
        ("http://example.com/meldungen/09-07-2023", "2023-07-09"),
        ("http://example.com/article/20230709123456", "2023-07-09"),
        ("http://example.com/article/2023070912", None),
        ("http://example.com/2023/07/09-a.html", "2023-07-09"),
        ("http://example.com/2023/07/9-ways-to-cook-rice/", None),
        ("http://example.com/2023/07/10-sposobov/", None),
        ("http://example.com/2023/13/45/a", None),
        ("http://example.com/2031/01/01/a", None),
    ],
)
def test_dates_in_addresses(url: str, expected: str | None) -> None:
    context = DateContext(fetched_at=FETCHED, zone=UTC, language="en", day_first=False)
    found = date_in_url(url, context)
    assert (found.moment.date().isoformat() if found else None) == expected


def test_reading_time_is_no_date() -> None:
    metadata = read("<h1>新图书馆开放</h1><p>6 Min.</p><p>31.03.2020</p><p>x</p>", lang="de")
    assert metadata.datePublishedRaw == "31.03.2020"


def test_change_in_the_footer_is_better_than_nothing() -> None:
    body = f"<h1>新图书馆开放</h1><p>{'Ein Satz mit Punkt. ' * 5}</p>{'<p>Link</p>' * 60}"
    metadata = read(f"{body}<p>Diese Seite wurde zuletzt am 29. Januar 2020 um 13:22 Uhr geändert.</p>", lang="de")
    assert metadata.datePublished is not None
    assert metadata.datePublished.date().isoformat() == "2020-01-29"


@settings(deadline=None)  # the first language detection loads its model
@given(st.text(max_size=200), st.text(max_size=60))
def test_no_text_raises_and_no_date_lies_after_the_fetch(body: str, stamp: str) -> None:
    page = f'<html><head><meta name="date" content="{stamp}"></head><body><h1>a</h1><p>{body}</p></body></html>'
    metadata = extract_metadata(Document.from_html(page), fetched_at=FETCHED)
    for moment in (metadata.datePublished, metadata.dateModified):
        assert moment is None or (moment.tzinfo is not None and moment <= FETCHED)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("5 พ.ย. 2566 13:05 น.", "2023-11-05"),
        ("24 ต.ค. 66", "2023-10-24"),
        ("5 พฤศจิกายน พ.ศ. 2566", "2023-11-05"),
        ("令和元年5月1日", "2019-05-01"),
        ("中華民國112年11月5日", "2023-11-05"),
        ("24 नवंबर 2023", "2023-11-24"),
        ("سه‌شنبه ۱۴ اسفند ۱۴۰۳ - ۱۲:۴۵", "2025-03-04"),
        ("۱ فروردين ماه ۱۴۰۴", "2025-03-21"),
        ("الثلاثاء 24 تشرين الثاني / نوفمبر 2023", "2023-11-24"),
        ("24 كانون الأول 2023", "2023-12-24"),
        ("ngày 4 tháng 3 năm 2024, 14:30", "2024-03-04"),
        ("פורסם 18 במרץ 2023, 20:00", "2023-03-18"),
        ("18 מאי 2023", "2023-05-18"),
        ("12 студзеня 2024", "2024-01-12"),
        ("7 დეკემბერი 2023", "2023-12-07"),
        ("4 जुलै 2023", "2023-07-04"),
    ],
    ids=["thai", "thai-short", "thai-long", "japan", "taiwan", "hindi", "persian", "persian-new-year", "levantine",
         "levantine-two-words", "vietnamese", "hebrew-in", "hebrew", "belarusian", "georgian", "marathi"],
)  # fmt: skip
def test_years_and_months_of_other_calendars_and_scripts(text: str, day: str) -> None:
    assert [found.moment.date().isoformat() for found in find_dates(text)] == [day]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("5 مارس 2024 - 09:30 مساءً", "2024-03-05 21:30"),
        ("05/03/2024 12:30 ص", "2024-03-05 00:30"),
        ("05/03/2024 09:30 ملاحظة", "2024-03-05 09:30"),
        ("5 Μαρτίου 2024, 9:15 μ.μ.", "2024-03-05 21:15"),
        ("৫ মার্চ ২০২৪, ৯:১৫ পিএম", "2024-03-05 21:15"),
        ("9:15 p.m. ET, Tue March 5, 2024", "2024-03-05 21:15"),
        ("05/mar/2024 21h15", "2024-03-05 21:15"),
    ],
)
def test_time_of_day_in_other_scripts_and_forms(text: str, moment: str) -> None:
    assert [found.moment.strftime("%Y-%m-%d %H:%M") for found in find_dates(text)] == [moment]


@pytest.mark.parametrize(
    "line",
    [
        "Aktualizacja: 4 marca 2024, 08:00. Publikacja: 2 marca 2024, 21:15",
        "Pubblicato il 2 marzo 2024 alle 21:15 - Ultimo aggiornamento: 4 marzo 2024 alle 08:00",
        "Última actualización: 04/03/2024 08:00 | 02/03/2024 21:15",
        "Mise à jour : 04/03/2024 08:00. Publié : 02/03/2024 21:15",
        "Letzte Änderung: 04.03.2024, 08:00 Uhr, erstellt 02.03.2024, 21:15 Uhr",
        "21:15 02.03.2024 (обновлено: 08:00 04.03.2024)",
    ],
)
def test_a_change_is_told_from_the_day_of_publication(line: str) -> None:
    metadata = read(f"<h1>新图书馆开放</h1><div>{line}</div><p>{'正文内容，' * 30}。</p>")
    found = (metadata.datePublished, metadata.dateModified)
    assert [moment and moment.strftime("%m-%d %H:%M") for moment in found] == ["03-02 21:15", "03-04 08:00"]


def test_digits_of_a_persian_page_count_solar_years() -> None:
    assert [found.moment for found in find_dates("۱۴۰۲/۱۲/۲۹ - ۰۹:۰۵", "fa")] == [datetime(2024, 3, 19, 9, 5)]  # noqa: DTZ001
    assert [found.moment.date() for found in find_dates("1403/12/30", "fa")] == [date(2025, 3, 20)]  # a leap year
    assert not list(find_dates("1402/12/29", "en"))
    assert not list(find_dates("1402/13/29, 1402/07/31", "fa"))


def test_a_sentence_that_says_just_now_is_no_date() -> None:
    text = "晚上十点，大多数场馆已经熄灯，县图书馆西侧的小门却刚刚打开，不打烊的灯光照亮了半条街道。"
    assert read(f"<h1>新图书馆开放</h1><p>{text}</p><p>{text}</p>", lang="zh").datePublished is None


@pytest.mark.parametrize(
    ("line", "lang", "published", "modified"),
    [
        ("פורסם 4 במרץ 2024, 10:20 עודכן 5 במרץ 2024, 08:00", "he", "2024-03-04 10:20", "2024-03-05 08:00"),
        ("تاریخ انتشار: ۱۴ اسفند ۱۴۰۲ - ۱۰:۲۰", "fa", "2024-03-04 10:20", None),
        ("Giriş: 04 Mart 2024 - 10:20 Güncelleme: 05 Mart 2024 - 8:00", "tr", "2024-03-04 10:20", "2024-03-05 08:00"),
        ("2024/3/4 5:00（2024/3/5 11:20 更新）", "ja", "2024-03-04 05:00", "2024-03-05 11:20"),
        ("2024.03.04 10:20 (2024.03.05 11:20 수정)", "ko", "2024-03-04 10:20", "2024-03-05 11:20"),
        ("公開 2024/3/4 5:00 更新 2024/3/5 11:20", "ja", "2024-03-04 05:00", "2024-03-05 11:20"),
        ("Publié le 4 mars 2024 à 10h20, mis à jour à 14h12", "fr", "2024-03-04 10:20", "2024-03-04 14:12"),
        ("发布时间：2024-03-04 10:20 更新：14:12", "zh", "2024-03-04 10:20", "2024-03-04 14:12"),
        ("2024. 3. 4. 10:20 수정 14:12", "ko", "2024-03-04 10:20", "2024-03-04 14:12"),
        ("<b>04</b><i>03月</i></div><div>2024", "zh", "2024-03-04 00:00", None),
        ("<b>04</b><i>2024-03</i>", "zh", "2024-03-04 00:00", None),
        ("<b>2024</b><i>3.4</i>", "ja", "2024-03-04 00:00", None),
        ("<em>03</em>/<em>04</em><br>2024", "zh", "2024-03-04 00:00", None),
        ("<b>4</b><br>mars<br>2024", "fr", "2024-03-04 00:00", None),
        ("<div>04</div><div>марта</div><div>2024</div>", "ru", "2024-03-04 00:00", None),
        ("2024年<br>3月4日<br>10:22", "zh", "2024-03-04 00:00", None),
        ("<strong>04</strong><span>2024.03</span>", "ko", "2024-03-04 00:00", None),
    ],
)  # fmt: skip
def test_labels_of_other_languages(line: str, lang: str, published: str, modified: str | None) -> None:
    page = read(f"<h1>新图书馆开放</h1><div>{line}</div><p>{'text, ' * 30}.</p>", lang=lang, site_timezone="UTC")
    found = [moment and f"{moment:%Y-%m-%d %H:%M}" for moment in (page.datePublished, page.dateModified)]
    assert found == [published, modified]


META = '<meta property="article:published_time" content="{0}"><meta property="article:modified_time" content="{1}">'
STORY = "<p>" + "The city council opened the new library today, and readers may borrow books for free. " * 3 + "</p>"


@pytest.mark.parametrize(
    ("published", "modified", "shown", "expected"),
    [
        ("2024-03-05T02:41:07Z", "2024-03-05T05:00:00Z", "March 4, 2024 9:41 pm", "2024-03-04T21:41:07-05:00"),
        ("2024-03-05T02:41:07Z", "2024-03-05T05:00:00Z", "March 4, 2024 9:43 pm", "2024-03-05T02:41:07+00:00"),
        ("2024-03-05T02:41:07+01:00", "2024-03-05T05:00:00Z", "March 4, 2024 9:41 pm", "2024-03-05T02:41:07+01:00"),
        ("2024-03-05", "2024-03-05", "Posted on January 7, 2024", "2024-01-07T00:00:00+00:00"),
        ("2024-03-05", "2024-03-05", "Updated on January 7, 2024", "2024-03-05T00:00:00+00:00"),
        ("2024-03-04", "2024-03-05", "Posted on January 7, 2024", "2024-03-04T00:00:00+00:00"),
        ("2024-03-05T02:41:07Z", "2024-03-05T02:41:07Z", "March 4, 2024", "2024-03-04T23:41:07-03:00"),
        ("2024-03-04T09:41:07Z", "2024-03-04T09:41:07Z", "March 3, 2024", "2024-03-04T09:41:07+00:00"),
        ("2024-03-03T21:41:07Z", "2024-03-03T21:41:07Z", "March 4, 2024", "2024-03-03T21:41:07+00:00"),
    ],
    ids=[
        "site's zone",
        "other moment",
        "zone stated",
        "one time for both",
        "shown is a change",
        "two times",
        "the day before",
        "no such zone",
        "a day of the east",
    ],
)
def test_what_readers_are_shown_mends_what_is_stated_for_machines(
    published: str, modified: str, shown: str, expected: str
) -> None:
    body = f"<h1>The new library opens today</h1><p>{shown}</p>{STORY}"
    found = read(body, META.format(published, modified), lang="en", url="http://e.com/a", site_timezone=None)
    assert found.datePublished is not None
    assert found.datePublished.isoformat() == expected


@pytest.mark.parametrize(
    ("url", "shown", "day"),
    [
        ("http://e.com/2024/03/01/library", "March 3, 2024", 1),
        ("http://e.com/20240301/library", "March 3, 2024", 1),
        ("http://e.com/20240301_lecture/", "March 3, 2024", 3),
        ("http://e.com/lecture-01-03-2024", "March 3, 2024", 3),
        ("http://e.com/20240301_lecture/", "", 1),
        ("http://e.com/a", "March 1, 2024, 18:00 – 19:30 Lecture</p><p class=date>March 3, 2024", 3),
        ("http://e.com/a", "1.3.2024, 10:00-11:30</p><p class=date>March 3, 2024", 3),
    ],
)
def test_the_day_of_an_event_is_not_that_of_the_story(url: str, shown: str, day: int) -> None:
    found = read(f"<h1>The new library opens today</h1><p>{shown}</p>{STORY}", lang="en", url=url)
    assert found.datePublished is not None
    assert found.datePublished.day == day


def test_of_two_days_of_publication_that_of_the_change_is_the_later() -> None:
    data = '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2024-01-07"}</script>'
    found = read(
        f"<h1>The new library opens today</h1>{STORY}", META.format("2024-03-04", "2024-03-04") + data, lang="en"
    )
    assert str(found.datePublished)[:10] == "2024-01-07"


def test_date_behind_a_byline_in_cells_of_its_own() -> None:
    cells = "".join(f"<div>{cell}</div>" for cell in ("By", "Jane Doe", "|", "6", "mins", "|", "March 4, 2024"))
    text = "The city council opened the new library today."
    body = f"<h1>The new library opens</h1><p>{text}</p>{cells}{STORY}"
    found = read(body, lang="en", url="http://e.com/a", body_text=f"{text}\n{STORY[3:-5]}")
    assert found.datePublished is not None
    assert found.datePublished.date() == date(2024, 3, 4)


def test_the_only_day_of_a_page_is_its_date() -> None:
    aside = "<aside><h3>Published</h3><p>March 4, 2024</p></aside>"
    found = read(f"<h1>The new library opens today</h1>{STORY * 4}{aside}", lang="en", url="http://e.com/a")
    assert found.datePublished is not None
    assert found.datePublished.date() == date(2024, 3, 4)


def test_the_day_of_a_comment_is_none_of_the_article() -> None:
    reply = "<div class=comment-list><p>Ann { 03.04.24 at 4:56 am }</p><p>So nice to read.</p></div>"
    body = f"<h1>The new library opens today</h1>{STORY * 4}{reply}"
    assert read(body, lang="en-GB", url="http://e.com/a", body_text=STORY[3:-5] * 4).datePublished is None


@pytest.mark.parametrize(
    ("name", "day"), [("entry-meta", 4), ("post_date", 4), ("byline", 4), ("masthead", None), ("sidebar", None)]
)
def test_a_line_named_for_dates_far_above_the_headline_says_the_day(name: str, day: int | None) -> None:
    menu = "".join(f"<li><a href='/{n}'>Section {n}</a></li>" for n in range(14))
    body = f"<p class={name}>March 4, 2024 By Ann</p><ul>{menu}</ul><h1>The new library opens today</h1>{STORY * 4}"
    found = read(body, lang="en", url="http://e.com/a").datePublished
    assert (found and found.day) == day


LISTED = """<h3>More stories</h3><ul><li><a href="/b">The bridge over the river is closed</a>
<time datetime="2024-02-20T10:00">20 February</time><div>By Mara Lind</div></li>
<li><a href="/c">A new school for the old town</a> <time datetime="2024-02-01T10:00">1 February</time></li></ul>"""


@pytest.mark.parametrize(
    "below",
    [
        '<footer class="entry-footer">Published <time datetime="2024-01-07T09:00">7 January</time> {}</footer>',
        '<article><footer><time datetime="2024-01-07T09:00">7 January</time> {}</footer></article>',
        '<div><time datetime="2024-01-07T09:00">7 January</time></div><div>{}</div>',
        "<article><footer><time>Created: 7 January 2024</time> <time>Modified: 9 May 2024</time> {}</footer></article>",
    ],
)
def test_other_stories_below_the_text_give_the_article_neither_date_nor_author(below: str) -> None:
    author = '<p class="author-name">Jane Doe</p>'
    table = "<table><tr><td>2019</td><td>31 May 2020</td></tr></table>"
    body = f"<h1>The new library opens today</h1>{STORY * 2}{table}{LISTED}{below.format(author)}"
    found = read(body, lang="en", url="http://e.com/a", body_text=f"{STORY[3:-5]}\n" * 2)
    assert found.datePublished is not None
    assert found.datePublished.date() == date(2024, 1, 7)
    assert [person.name for person in found.authors] == ["Jane Doe"]


def test_the_time_of_the_request_is_no_date_beside_one_that_is_shown() -> None:
    head = '<meta name="created" content="5th Mar 2024 12:00">'
    title = "Wer kennt die neue Bibliothek in der Stadt"
    shown = f"<h1>{title}</h1><h4>{title}</h4><p>Kiesel 7. Januar 2024 19:21</p>{STORY}"
    text = f"{title}\n{STORY[3:-5]}"
    found = [read(body, head, lang="de", url="http://e.de/a", body_text=text) for body in (shown, STORY)]
    days = [article.datePublished and article.datePublished.date() for article in found]
    assert days == [date(2024, 1, 7), FETCHED.date()]


def test_a_title_holds_the_full_date_and_a_thread_whose_posts_are_named_comments_is_read() -> None:
    post = '<div class="comment"><a href="/user/{}">{}</a><ul class="comment-date"><li title="{}">{}</li></ul>{}</div>'
    first = post.format(1, "pixel", "January 7, 2024, 4:08 p.m.", "7 Jan '24", STORY)
    reply = post.format(2, "grumpy", "February 1, 2024, 4:08 p.m.", "1 Feb '24", "<p>Thank you.</p>")
    body = f"<h1>The new library opens today</h1>{first}{reply}"
    found = read(body, lang="en", url="http://e.com/a", body_text=f"{STORY[3:-5]}\nThank you.")
    assert found.datePublished is not None
    assert found.datePublished.date() == date(2024, 1, 7)


def test_a_date_in_a_layout_that_is_named_for_its_sidebar() -> None:
    item = '<li><b>{}</b> <a href="/{}">{}</a> <span>2024-02-{:02} 10:00:00</span></li>'
    stories = ("The bridge over the river is closed", "A new school for the old town")
    latest = "".join(item.format(day, day, story, day) for day, story in enumerate(stories, 1))
    info = '<div class="info"><a>2024-01-07</a></div>'
    body = f'<div class="has-sidebar">{info}<h1>The new library opens today</h1>{STORY * 2}<ul>{latest}</ul></div>'
    found = read(body, lang="en", url="http://e.com/a", body_text=f"{STORY[3:-5]}\n" * 2)
    assert found.datePublished is not None
    assert found.datePublished.date() == date(2024, 1, 7)


def test_an_element_that_states_a_moment_says_what_its_words_mean() -> None:
    moment = '<a><time class="updated" datetime="2024-01-07T09:30:00-05:00"><b>Today 9:30am</b></time></a>'
    found = read(f"<h1>The new library opens today</h1><div>{moment}</div>{STORY * 2}", lang="en", url="http://e.com/a")
    assert str(found.datePublished) == "2024-01-07 09:30:00-05:00"


@pytest.mark.parametrize(
    ("lang", "sentence", "moment"),
    [
        ("en", "This entry was posted on Sunday, January 7th, 2024 at 9:30 am and is filed under News.", "09:30"),
        ("de", "Dieser Beitrag wurde am Sonntag, 7. Januar 2024 um 9:30 Uhr veröffentlicht, in: Stadt.", "09:30"),
    ],
)
def test_the_sentence_below_a_post_that_says_when_it_appeared(lang: str, sentence: str, moment: str) -> None:
    feeds = " You can follow all responses to it by a feed, or leave one of your own below this line." * 2
    links = "".join(f'<li><a href="/{n}">Another page of this blog</a></li>' for n in range(40))
    body = f"<h1>The new library opens today</h1>{STORY * 2}<ul>{links}</ul><p>{sentence}{feeds}</p>"
    found = read(body, lang=lang, url="http://e.com/a", body_text=f"{STORY[3:-5]}\n" * 2)
    assert str(found.datePublished)[:16] == f"2024-01-07 {moment}"


@pytest.mark.parametrize(
    ("day", "moment"), [("January 7, 2024", "2024-01-07 09:30"), ("March 5, 2024", "2024-03-05 00:00")]
)
def test_a_vague_meta_adds_the_time_to_a_day_that_is_not_of_the_fetch(day: str, moment: str) -> None:
    head = '<meta name="date" content="2024-01-07 09:30"><meta name="created" content="2024-03-05 11:58">'
    body = f'<h1>The new library opens today</h1><div class="date">Published: {day}</div>{STORY * 2}'
    assert str(read(body, head, lang="en", url="http://e.com/a").datePublished)[:16] == moment


def test_a_dateline_that_begins_with_a_link_to_the_home_page_is_no_other_story() -> None:
    line = '<td><a href="http://e.com/">http://www.example.com</a> 2024-01-07 09:30</td>'
    related = '<td><a href="/2024/fair">The fair of 2024 begins</a></td>'
    body = f"<h1>The new library opens today</h1><table><tr>{line}<tr>{related}</table>{STORY * 2}"
    found = read(body, lang="en", url="http://e.com/a", body_text=f"{STORY[3:-5]}\n" * 2)
    assert str(found.datePublished)[:16] == "2024-01-07 09:30"


def test_a_day_without_its_year_is_that_of_the_change_stated_for_machines() -> None:
    head = '<meta property="og:updated_time" content="2019-10-08 12:00:57">'
    found = read(f"<h1>新图书馆开放</h1><div class=date>发布时间：10-08 12:00</div>{STORY * 2}", head, lang="zh")
    assert found.datePublished is not None
    assert found.datePublished.date() == date(2019, 10, 8)


TEXTS = {
    "zh": "市立新圖書館今天開放，全體居民都可以免費借閱圖書。",
    "th": "ห้องสมุดใหม่ของเมืองเปิดให้บริการวันนี้ ประชาชนยืมหนังสือได้โดยไม่เสียค่าใช้จ่าย ",
    "ko": "시립 새 도서관이 오늘 문을 열었고 모든 주민이 책을 무료로 빌릴 수 있다. ",
    "ne": "नगरको नयाँ पुस्तकालय आजदेखि खुलेको छ र सबै बासिन्दाले निःशुल्क पुस्तक लिन सक्नेछन्। ",
    "fa": "کتابخانه تازه شهر امروز باز شد و همه شهروندان می‌توانند رایگان کتاب بگیرند. ",
    "ja": "市の新しい図書館が今日開館し、すべての住民が無料で本を借りることができる。",
    "ar": "افتتحت المكتبة الجديدة في المدينة اليوم ويستطيع جميع السكان استعارة الكتب مجانا. ",
    "am": "አዲሱ የከተማው ቤተ መጻሕፍት ዛሬ ተከፈተ፤ ሁሉም ነዋሪዎች መጻሕፍትን በነፃ መዋስ ይችላሉ። ",
    "he": "הספרייה החדשה של העיר נפתחה היום וכל התושבים יכולים לשאול ספרים ללא תשלום. ",
    "de": "Die neue Bibliothek der Stadt ist seit heute offen, und alle können Bücher ausleihen. ",
}


@pytest.mark.parametrize(
    ("lang", "head", "line", "moment"),
    [
        ("zh-TW", "", "發布日期：113-03-04", "2024-03-04 00:00"),
        ("zh-TW", "", "113.03.04 10:20", "2024-03-04 10:20"),
        ("zh-TW", "", "113/3/4 下午2:30", "2024-03-04 14:30"),
        ("en", "", "call 113-03-04", None),
        ("th", '<meta property="article:published_time" content="2567-03-04T14:30:00+07:00">', "", "2024-03-04 14:30"),
        ("th", '<meta name="publish-date" content="2567-03-04 14:30">', "", "2024-03-04 14:30"),
        ("th", "", '<time datetime="2567-03-04T14:30:00+07:00">4 มี.ค. 67</time>', "2024-03-04 14:30"),
        ("ko", '<meta property="og:regDate" content="20240304143000">', "", "2024-03-04 14:30"),
        ("ko", '<meta name="regist_dt" content="2024-03-04 14:30">', "", "2024-03-04 14:30"),
        ("en", '<meta name="story-timestamp" content="2024-03-04T14:30:00+08:00">', "", "2024-03-04 14:30"),
        ("en", '<meta name="news_date" content="March 4, 2024 2:30 pm">', "", "2024-03-04 14:30"),
        ("en", '<meta name="expire-date" content="2024-03-04T14:30:00+08:00">', "", None),
        ("en", '<meta name="event:start_time" content="2024-03-04T14:30:00+08:00">', "", None),
        ("en", "", '<span class="js-time" data-timestamp="1709533800000"></span>', "2024-03-04 14:30"),
        ("en", "", '<b class="published" data-epoch="1709533800">a while ago</b>', "2024-03-04 14:30"),
        ("de", "", '<i class="datum" data-iso="2024-03-04T14:30:00+08:00"></i>', "2024-03-04 14:30"),
        ("en", "", '<span class="post-date" data-id="1709533800999999"></span>', None),
        ("en", "", '<relative-time datetime="2024-03-04T06:30:00Z">1 day ago</relative-time>', "2024-03-04 14:30"),
        ("en", "", '<local-time epoch="1709533800"></local-time>', "2024-03-04 14:30"),
        ("en", "", '<div data-published-at="2024-03-04T06:30:00Z"></div>', "2024-03-04 14:30"),
        ("en", "", '<b><span data-utc="1709533800">March 4</span></b>', "2024-03-04 14:30"),
        ("en", "", "<time data-epoch='1709533800'></time>", "2024-03-04 14:30"),
        ("en", "", '<div data-updated-time="1709533800"></div>', None),
        ("en", "", '<div data-user="1709533800"></div>', None),
        ("ne", "", "२०८० फागुन २१", "2024-03-04 00:00"),
        ("fa", "", "۱۴۰۲/۱۲/۱۴ ۱۴:۳۰", "2024-03-04 14:30"),
        ("ja", "", "令和6年3月4日 14時30分", "2024-03-04 14:30"),
        ("zh", "", "二〇二四年三月四日", "2024-03-04 00:00"),
        ("ar", "", "٤ مارس ٢٠٢٤ ١٤:٣٠", "2024-03-04 14:30"),
        ("am", "", "የካቲት 25 ቀን 2016", "2024-03-04 00:00"),
        ("he", "", "כ״ד באדר א׳ תשפ״ד", "2024-03-04 00:00"),
        ("ar", "", "23 شعبان 1445", "2024-03-04 00:00"),
    ],
)
def test_dates_of_other_calendars_and_systems(lang: str, head: str, line: str, moment: str | None) -> None:
    text = TEXTS.get(lang[:2], "The new library opens today, and all readers may borrow books for free. ")
    page = f"<html lang={lang}><head><title>{text[:20]}</title>{head}</head><body>"
    page += f"<h1>{text[:20]}</h1><div>{line}</div><p>{text * 4}</p>"
    found = extract_metadata(Document.from_html(page.encode()), fetched_at=FETCHED, site_timezone="Asia/Shanghai")
    shown = found.datePublished.astimezone(SHANGHAI if lang != "th" else None) if found.datePublished else None
    if lang == "th" and found.datePublished is not None:
        shown = found.datePublished
    assert (shown and f"{shown:%Y-%m-%d %H:%M}") == moment


@pytest.mark.parametrize(
    ("head", "line", "zone"),
    [
        ("2024-03-04T14:30:00+08:00", "", None),
        ("2024-03-04T14:30:00Z", "", None),
        ("2024-03-04 14:30:00", "", "assumed"),
        ("", "March 4, 2024 2:30 pm", "assumed"),
        ("", "March 4, 2024 2:30 pm ET", None),
        ("2024-03-04", "", None),
        ("", "3 hours ago", None),
        ("2024-03-04T14:30:00+08:00", "4 March 2024, 06:30", "doubtful"),
        ("2024-03-04T14:30:00+08:00", "4 March 2024, 06:30 GMT", None),
        ("2024-03-04T14:30:00+08:00", "4 March 2024, 14:30", None),
    ],
)
def test_a_zone_that_is_not_stated_or_stated_twice_is_told(head: str, line: str, zone: str | None) -> None:
    meta = f'<meta property="article:published_time" content="{head}">' if head else ""
    body = f"<h1>The new library opens today</h1><div>{line}</div>{STORY * 3}"
    found = read(body, meta, lang="en", site_timezone="Asia/Shanghai")
    assert found.datePublished is not None
    assert found.fieldSources.get("datePublishedZone") == zone


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Open day: 14 January 2024", None),
        ("Konzert: 14. Januar 2024", None),
        ("Published: 14 January 2024", "2024-01-14"),
        ("14 January 2024", "2024-01-14"),
    ],
)
def test_a_day_behind_another_label_below_the_text_is_that_of_an_event(line: str, day: str | None) -> None:
    body = f"<h1>The new library opens today</h1>{STORY * 2}<p>{line}</p>"
    found = read(body, lang="en", url="http://e.com/a", body_text=f"{STORY[3:-5]}\n" * 2).datePublished
    assert (found and found.date().isoformat()) == day


def test_an_address_may_name_the_month() -> None:
    found = read("<h1>The new library opens today</h1>", lang="en", url="http://e.com/world/2024/jan/14/library")
    assert str(found.datePublished)[:10] == "2024-01-14"


def test_a_date_alone_below_the_summary_is_the_one_that_readers_are_shown() -> None:
    head = '<meta property="article:published_time" content="2024-01-14T23:30:00Z">'
    lines = f"<p>{'A summary of the story in a sentence. ' * 4}</p><p>Tessa Marlow</p><p>January 15, 2024, 0:30</p>"
    body = f"<h1>The new library opens today</h1>{lines}{STORY * 2}"
    text = f"{'A summary of the story in a sentence. ' * 4}\n{STORY[3:-5]}\n{STORY[3:-5]}"
    found = read(body, head, lang="en", url="http://e.com/a", body_text=text)
    assert str(found.datePublished) == "2024-01-15 00:30:00+01:00"
