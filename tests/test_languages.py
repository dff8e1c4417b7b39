"""Files of languages: their form, what is read by them, and a language made up of one file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import tomllib
import zipfile
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

import newscrawl
from newscrawl.commands.cli import run_program
from newscrawl.languages import tables
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.groups import GROUPS
from newscrawl.languages.relative import find_relative, resolve_relative
from newscrawl.languages.tables import UNITS, language_of, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.languages.tables import Language

FILES = sorted((file for file in files("newscrawl.languages").iterdir() if file.name.endswith(".toml")), key=str)
CODES = [file.name.removesuffix(".toml") for file in FILES]
NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
DAYS = [date(2024, month, day) for month, day in ((1, 31), (2, 9), (3, 14), (5, 5), (8, 21), (10, 10), (12, 2))]
MAX_LOAD_SECONDS = 0.005
SECONDS = dict(zip(UNITS, (1, 60, 3600, 86_400, 604_800, 30 * 86_400, 365 * 86_400), strict=True))


def table_of(code: str) -> Language:
    table = tables.language(code)
    assert table is not None
    return table


@pytest.mark.parametrize("file", FILES, ids=CODES)
def test_a_file_is_read_as_toml_and_has_known_words_alone(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    said = tomllib.loads(text)
    assert read_toml(text) == said
    table = language_of(file.name.removesuffix(".toml"), said)
    assert said["name"]
    assert table.words["links.next"]
    assert all(word.strip("* ") for found in table.words.values() for word in found)


def test_there_are_languages_enough_with_months_and_relative_times() -> None:
    full = [one.code for one in tables.languages() if any(one.months.get("months", ((),))) and one.counted["ago"]]
    assert len(full) >= 60


def test_each_list_of_words_is_in_some_file() -> None:
    assert {name for table in tables.languages() for name in table.words} == set(GROUPS)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"month": []}, "unknown key 'month'"),
        ({"months": ["May"]}, "1"),
        ({"ago": {"fortnight": "{0} fortnights ago"}}, "unknown unit 'fortnight'"),
        ({"links": {"nxt": "next"}}, "unknown words 'links.nxt'; did you mean links.next"),
        ({"monts": []}, "unknown key 'monts'; did you mean months"),
        ({"months": "May"}, "accepted: a list of names"),
        ({"today": ["hodi"]}, "accepted: a text; bars part its words"),
        ({"people": "by"}, "accepted: a table"),
        ({"people": {"by": ["bi"]}}, "people.by = "),
    ],
)
def test_a_wrong_file_is_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        language_of("xx", table)


def test_toml_of_any_form_is_read() -> None:
    assert read_toml("name = \"a\\tb\"\n[x]\ny = [\n'a',\n]\n") == {"name": "a\tb", "x": {"y": ["a"]}}
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml("name = ")


def test_a_language_is_loaded_in_no_time() -> None:
    def seconds(code: str) -> float:
        tables.language.cache_clear()
        start = time.perf_counter()
        tables.language(code)
        return time.perf_counter() - start

    assert max(min(seconds(code) for _ in range(5)) for code in ("de", "zh", "en")) < MAX_LOAD_SECONDS


def test_nothing_is_read_at_import() -> None:
    code = (
        "import newscrawl.extract.facts.extract, newscrawl.links.next_page, newscrawl.languages.tables as t;"
        "print(t.language.cache_info().currsize)"
    )
    assert run("-c", code) == "0\n"


def test_the_files_are_read_from_an_archive(tmp_path: Path) -> None:
    root = Path(newscrawl.__file__).parent
    archive = tmp_path / "newscrawl.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(root / "__init__.py", "newscrawl/__init__.py")
        packed.write(root / "exceptions.py", "newscrawl/exceptions.py")
        for room in ("console", "languages"):
            for file in (root / room).iterdir():
                if file.suffix in {".py", ".toml"}:
                    packed.write(file, f"newscrawl/{room}/{file.name}")
    code = "import newscrawl.languages.date_parts as m; print(m.__file__, m.month_number('Mai', 'de'))"
    said = run("-c", f"import sys; sys.path.insert(0, {str(archive)!r}); {code}")
    assert "newscrawl.zip" in said
    assert said.endswith(" 5\n")


def written(table: Language) -> Iterator[tuple[str, date]]:
    """Yield dates as the language writes them, every second one in its own digits."""
    digits = table.digits[:10]
    for number, day in enumerate(DAYS):
        for form in table.forms:
            text = "".join(
                _field(found, table, day) for found in re.findall(r"'([^']*)'|(E+|M+|L+|y+|d+|G+)|([^EMLydG']+)", form)
            )
            yield (text.translate({48 + n: digit for n, digit in enumerate(digits)}) if number % 2 else text), day


def _field(part: tuple[str, str, str], table: Language, day: date) -> str:
    quoted, field, other = part
    if not field:
        return quoted or other
    if field[0] == "E":
        return table.weekdays[day.weekday()] if table.weekdays else ""
    if field[0] == "y":
        return str(day.year % 100 if field == "yy" else day.year)
    if field[0] == "d":
        return f"{day.day:02}" if field == "dd" else str(day.day)
    if field[0] == "G":
        return ""
    names = table.months.get({4: "months", 3: "months_short"}.get(len(field), ""), ())
    return names[day.month - 1][0] if len(names) == 12 and names[day.month - 1] else f"{day.month:02}"


def relative(table: Language) -> Iterator[tuple[str, float]]:
    """Yield relative times as the language writes them, and how many seconds ago they say."""
    for unit in ("minute", "hour", "day", "week", "month"):
        for number, pattern in zip((2, 5), table.counted["ago"].get(unit, ())[:2] * 2, strict=False):
            yield pattern.replace("{0}", str(number)), number * SECONDS[unit]


@pytest.mark.parametrize("code", CODES)
def test_dates_of_a_language_are_read_back(code: str) -> None:
    table = table_of(code)
    wrong = []
    for text, day in written(table):
        found = next(find_dates(text, code), None)
        if found is None or found.moment.date() != day:
            wrong.append((text, str(day), str(found and found.moment.date())))
    assert not wrong


@pytest.mark.parametrize("code", CODES)
def test_relative_times_of_a_language_are_read_back(code: str) -> None:
    wrong = []
    for text, seconds in relative(table_of(code)):
        phrase = find_relative(text, code)
        moment = resolve_relative(phrase, NOW, code) if phrase else None
        if moment != NOW - timedelta(seconds=seconds):
            wrong.append((text, phrase, str(moment and NOW - moment)))
    assert not wrong


MADE_UP = """
name = 'Made-up'
months = ['ona', 'duwa', 'trina', 'kwara', 'pinka', 'zesta', 'septa', 'okta', 'nova', 'deka', 'unda', 'doza']
frames = '{} zu'

[units]
hour = '{0} orin'

[people]
label_colon = 'verfiko'

[links]
next = 'sekvanto'
"""
PAGE = """<html lang="qx"><title>Granda ponto</title><h1>Granda ponto</h1><p>Verfiko: Mira Tolen</p><p>7 zesta 2024</p>
<p>{text}</p><a href="/2024/ponto?page=2">Sekvanto</a></html>"""


def test_a_language_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "qx.toml").write_text(MADE_UP, encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(
        PAGE.format(text="La ponto super la rivero estis malfermita hodiau por la tuta urbo. " * 8), encoding="utf-8"
    )
    code = (
        "import pathlib, sys; from newscrawl.extractors import extract;"
        "from newscrawl.links.next_page import continuation;"
        "from newscrawl.page.document import Document; from newscrawl.languages.relative import find_relative;"
        "html = pathlib.Path(sys.argv[1]).read_bytes(); url = 'https://example.org/2024/ponto';"
        "article = extract(html, url).article;"
        "print(article.datePublished.date(), article.authors[0].name, find_relative('5 orin zu', 'qx'));"
        "print(continuation(Document.from_html(html, url)).next_url)"
    )
    done = run("-c", code, str(page), NEWSCRAWL_LANGUAGES=str(tmp_path))
    assert done.splitlines() == ["2024-06-07 Mira Tolen 5 orin zu", "https://example.org/2024/ponto?page=2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("monts = []", "qx.toml: unknown key 'monts'; did you mean months"),
        ("months = ", "docs/languages.md has the form"),
        (None, "no such folder; accepted: a folder of files CODE.toml"),
    ],
)
def test_a_mistake_in_a_folder_of_languages_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str | None, said: str
) -> None:
    folder = tmp_path / "own"
    if text is not None:
        folder.mkdir()
        (folder / "qx.toml").write_text(text, encoding="utf-8")
    caches: list[Any] = [tables._files, tables.language, tables.languages]
    with monkeypatch.context() as patched:
        patched.setenv("NEWSCRAWL_LANGUAGES", str(folder))
        for one in caches:
            one.cache_clear()
        assert run_program(["extract", "story.html"]) == 2
    for one in caches:
        one.cache_clear()
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def run(*arguments: str, **variables: str) -> str:
    """Return what Python prints."""
    command = [sys.executable, *arguments]
    environment = os.environ | variables
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout  # noqa: S603


@pytest.mark.slow
def test_the_tables_of_cldr_are_those_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("babel", reason="Babel is not installed")
    from lab import languages as made  # noqa: PLC0415

    for file in FILES:
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(made, "FOLDER", tmp_path)
    made.main(())
    assert [file.name for file in FILES if (tmp_path / file.name).read_bytes() != file.read_bytes()] == []


@pytest.mark.parametrize(
    ("text", "code", "moment"),
    [
        ("June 5, 2024 at 2:30 p.m. PT", "en", "2024-06-05T14:30:00-07:00"),
        ("January 5, 2024 2:30 PM ET", "en", "2024-01-05T14:30:00-05:00"),
        ("5 Jun 2024 14:30 NZST", "en", "2024-06-05T14:30:00+12:00"),
        ("Published: 2:30pm, 5 Jun 2024 HKT", "en", "2024-06-05T14:30:00+08:00"),
        ("5. Juni 2024, 14:30 Uhr MESZ", "de", "2024-06-05T14:30:00+02:00"),
        ("二〇二四年六月十五日", "zh", "2024-06-15T00:00:00"),
        ("民國113年6月5日 下午2:30", "zh", "2024-06-05T14:30:00"),
        ("06/06/2567 14:30", "th", "2024-06-06T14:30:00"),
        ("6 มิ.ย. 67 14:30 น.", "th", "2024-06-06T14:30:00"),
        ("۱۴۰۳/۰۳/۱۶", "fa", "2024-06-05T00:00:00"),
        ("٥ حزيران / يونيو ٢٠٢٤", "ar", "2024-06-05T00:00:00"),
        ("5 كانون الثاني 2024", "ar", "2024-01-05T00:00:00"),
        ("5 de junio de 2024, 2:30 p. m.", "es", "2024-06-05T14:30:00"),
        ("Thứ Tư, 5 tháng 6 năm 2024 14:30", "vi", "2024-06-05T14:30:00"),
        ("2567-06-05 14:30", "th", "2024-06-05T14:30:00"),
        ("5/6/67", "th", "2024-06-05T00:00:00"),
        ("113年6月5日", "zh", "2024-06-05T00:00:00"),
        ("中華民國一一三年六月五日", "zh", "2024-06-05T00:00:00"),
        ("2024年五月三十一日", "zh", "2024-05-31T00:00:00"),
        ("令和六年六月五日", "ja", "2024-06-05T00:00:00"),
        ("R6.6.5", "ja", "2024-06-05T00:00:00"),
        ("2024年(令和6年)6月5日", "ja", "2024-06-05T00:00:00"),
        ("1445/11/28", "ar", "2024-06-05T00:00:00"),
        ("28/11/1445 هـ", "ar", "2024-06-05T00:00:00"),
        ("1 رمضان 1446", "ar", "2025-03-01T00:00:00"),
        ("28 ذیقعدہ 1445", "ur", "2024-06-05T00:00:00"),
        ('כ"ח אייר התשפ"ד', "he", "2024-06-05T00:00:00"),
        ("ግንቦት 28፣ 2016", "am", "2024-06-05T00:00:00"),
        ("२०८१-०२-२३", "ne", "2024-06-05T00:00:00"),
        ("ஜூன் 5, 2024", "ta", "2024-06-05T00:00:00"),
        ("ဇွန် ၅၊ ၂၀၂၄", "my", "2024-06-05T00:00:00"),
        ("၂၀၂၄ ခုနှစ် ဇွန်လ ၅ ရက်", "my", "2024-06-05T00:00:00"),
        ("ថ្ងៃទី៥ ខែមិថុនា ឆ្នាំ២០២៤", "km", "2024-06-05T00:00:00"),
        ("June 5, 2024 3:00 PM (US Eastern)", "en", "2024-06-05T15:00:00-04:00"),
    ],
)
def test_moments(text: str, code: str, moment: str) -> None:
    assert next(find_dates(text, code)).moment.isoformat() == moment


@pytest.mark.parametrize(
    ("text", "code", "hours"),
    [
        ("3 giờ trước", "vi", 3),
        ("hace 5 horas", "es", 5),
        ("vor 2 Stunden", "de", 2),
        ("vor einer Stunde und 30 Minuten", "de", 1.5),
        ("منذ 3 ساعات", "ar", 3),
        ("قبل ساعتين", "ar", 2),
        ("לפני שעתיים", "he", 2),
        ("3h ago", "en", 3),
        ("3 hrs. ago", "en", 3),
        ("半小时前", "zh", 0.5),
        ("十五分钟前", "zh", 0.25),
        ("час назад", "ru", 1),
        ("3 órája", "hu", 3),
        ("DÜN 10:00", "tr", 26),
        ("вчора, 10:00", "uk", 26),
        ("half an hour ago", "en", 0.5),
        ("한 시간 전", "ko", 1),
        ("그제 오전 10:00", "ko", 50),
        *((said, code, 0) for said, code in (("עכשיו", "he"), ("épp most", "hu"), ("همین حالا", "fa"), ("አሁን", "am"))),
        *((said, code, 0) for said, code in (("ယခု", "my"), ("ឥឡូវ", "km"), ("sasa hivi", "sw"), ("ką tik", "lt"))),
        ("gestern, 10 Uhr", "de", None),
        ("in 3 Stunden", "de", None),
        ("several hours ago", "en", None),
    ],
)
def test_relative_times(text: str, code: str, hours: float | None) -> None:
    phrase = find_relative(text, code)
    moment = resolve_relative(phrase, NOW, code) if phrase else None
    assert moment == (None if hours is None else NOW - timedelta(hours=hours))


@pytest.mark.parametrize(
    ("text", "code", "home", "offset"),
    [
        ("June 5, 2024, 2:30 p.m. CST", "en", "America/Chicago", -6),
        ("June 5, 2024, 2:30 p.m. CST", "en", "UTC", -6),
        ("2024-06-05 14:30 CST", "zh", "UTC", 8),
        ("June 5, 2024 14:30 CST", "en", "Asia/Shanghai", 8),
        ("5 June 2024, 14:30 IST", "en", "Asia/Kolkata", 5.5),
        ("5 June 2024, 14:30 IST", "en", "Europe/Dublin", 1),
        ("5 January 2024, 14:30 IST", "en", "Asia/Jerusalem", 2),
        ("5 June 2024, 14:30 IST", "en", "Asia/Jerusalem", 3),
        ("05.06.2024, 14:30 IST", "he", "Asia/Jerusalem", 3),
        ("5 June 2024, 14:30 BST", "en", "Europe/London", 1),
        ("5 June 2024, 14:30 BST", "bn", "Asia/Dhaka", 6),
        ("5 June 2024 2:30 pm Eastern Time", "en", "UTC", -4),
        ("5 January 2024 2:30 pm Pacific Time", "en", "UTC", -8),
        ("June 5, 2024 2:30 PM Mountain Standard Time", "en", "UTC", -7),
        ("June 5, 2024 2:30 PM (America/New_York)", "en", "UTC", -4),
        ("2024-06-05 14:30 Asia/Kolkata", "en", "UTC", 5.5),
        ("5 июня 2024, 14:30 (мск)", "ru", "UTC", 3),
        ("5 de junho de 2024 14:30 (horário de Brasília)", "pt", "UTC", -3),
        ("5 червня 2024, 14:30 за Києвом", "uk", "UTC", 3),
        ("5 Juni 2024 14:30 WIB", "id", "UTC", 7),
        ("2024年6月5日 14:30 日本時間", "ja", "UTC", 9),
        ("5 Haziran 2024 14:30 TSİ", "tr", "UTC", 3),
        ("Jun 5, 2024 14:30 AEST", "en", "UTC", 10),
        ("Wed Jun 05 14:30:00 CST 2024", "en", "Asia/Taipei", 8),
    ],
)
def test_names_of_zones(text: str, code: str, home: str, offset: float) -> None:
    moment = next(find_dates(text, code, home=ZoneInfo(home))).moment
    assert (moment.hour, moment.minute, moment.utcoffset()) == (14, 30, timedelta(hours=offset))
