"""Names of months and weekdays; dates of Thai, Japanese, Taiwanese and Persian calendars, Levantine, Vietnamese."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.text import without_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS: Final = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "bg": "януари февруари март април май юни юли август септември октомври ноември декември",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "sk": "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "hr": "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
    "sr": "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    "sl": "januar februar marec april maj junij julij avgust september oktober november december",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
    "ms": "januari februari mac april mei jun julai ogos september oktober november disember",
    "el": "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου "
    "νοεμβρίου δεκεμβρίου",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
    "lokakuuta marraskuuta joulukuuta",
    "is": "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "lt": "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    "lv": "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris",
    "et": "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "sq": "janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "sw": "januari februari machi aprili mei juni julai agosti septemba oktoba novemba desemba",
    "be": "студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня",
    "mk": "јануари февруари март април мај јуни јули август септември октомври ноември декември",
    "kk": "қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан",
    "az": "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr",
    "uz": "yanvar fevral mart aprel may iyun iyul avgust sentyabr oktyabr noyabr dekabr",
    "gl": "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
    "af": "januarie februarie maart april mei junie julie augustus september oktober november desember",
    "tl": "enero pebrero marso abril mayo hunyo hulyo agosto setyembre oktubre nobyembre disyembre",
    "ka": "იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი დეკემბერი",
    "hy": "հունվարի փետրվարի մարտի ապրիլի մայիսի հունիսի հուլիսի օգոստոսի սեպտեմբերի հոկտեմբերի նոյեմբերի դեկտեմբերի",
    "mr": "जानेवारी फेब्रुवारी मार्च एप्रिल मे जून जुलै ऑगस्ट सप्टेंबर ऑक्टोबर नोव्हेंबर डिसेंबर",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "fa": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "he": "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    "ur": "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    "hi": "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "bn": "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
}
_WEEKDAYS: Final = """
monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend
sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
segunda terça quarta quinta sexta feira lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag
woensdag donderdag vrijdag zaterdag zondag måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag
søndag понедельник вторник среда четверг пятница суббота воскресенье понеділок вівторок середа четвер пʼятниця
п'ятниця субота неділя понеделник сряда четвъртък петък събота неделя poniedziałek wtorek środa czwartek piątek sobota
niedziela pondělí úterý středa čtvrtek pátek neděle pondelok utorok streda štvrtok piatok nedeľa ponedjeljak srijeda
četvrtak petak subota nedjelja понедељак уторак четвртак петак недеља ponedeljek torek sreda četrtek petek nedelja
hétfő kedd szerda csütörtök péntek szombat vasárnap luni marți miercuri joi vineri sâmbătă duminică pazartesi salı
çarşamba perşembe cuma cumartesi senin selasa rabu kamis jumat jum'at sabtu minggu isnin khamis jumaat ahad δευτέρα
τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur sunnudagur pirmadienis antradienis trečiadienis
ketvirtadienis penktadienis šeštadienis sekmadienis pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena
svētdiena esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev hënë martë mërkurë enjte premte shtunë diel
dilluns dimarts dimecres dijous divendres dissabte diumenge jumatatu jumanne jumatano alhamisi ijumaa jumamosi
jumapili الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد دوشنبه سه‌شنبه چهارشنبه پنجشنبه پنج‌شنبه جمعه
شنبه یکشنبه یک‌شنبه שני שלישי רביעי חמישי שישי שבת ראשון سوموار منگل بدھ جمعرات ہفتہ اتوار सोमवार मंगलवार बुधवार
गुरुवार शुक्रवार शनिवार रविवार সোমবার মঙ্গলবার বুধবার বৃহস্পতিবার শুক্রবার শনিবার রবিবার
"""
_ENGLISH_SHORT: Final = """
jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun am pm gmt utc
"""
_ASIAN_DATE_WORD: Final = re.compile(
    "(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일|[0-9一二三四五六七八九十]{0,3}月"
    "|วัน(?:จันทร์|อังคาร|พุธ|พฤหัสบดี|ศุกร์|เสาร์|อาทิตย์)"
)
_EXTRA: Final = {"sept": 9, "dez": 12, "okt": 10, "mrz": 3, "jän": 1, "jänner": 1, "feber": 2, "maerz": 3, "ابريل": 4,
                 "מרס": 3, "جانفي": 1, "فيفري": 2, "أفريل": 4, "ماي": 5, "جوان": 6, "جويلية": 7, "أوت": 8, "يوليوز": 7,
                 "غشت": 8, "شتنبر": 9, "نونبر": 11, "دجنبر": 12, "agt": 8, "ags": 8}  # fmt: skip
"""Spellings beside those above; names of the months in the Maghreb."""
_MIN_ABBREVIATION: Final = 3
_IN_HEBREW: Final = "ב"
"""*In*, written together with the month."""
_FIRST_DAY: Final = date(622, 3, 21)
"""1 Farvardin 1, in the Gregorian calendar counted back."""


@lru_cache(maxsize=4096)
def month_number(word: str, language: str | None = None) -> int | None:
    """Return 1..12 for a month's name or its abbreviation of three letters or more, else None.

    The page's language decides where two languages use one word for different months; a word no language
    knows as a whole counts as an abbreviation only of a name it begins.

    >>> month_number("Sept."), month_number("août"), month_number("listopada", "hr"), month_number("Monday")
    (9, 8, 10, None)
    """
    folded = _fold(word)
    if language in _MONTHS:
        number = _table(language).get(folded)
        if number:
            return number
    return _all_names().get(folded) or _all_names().get(folded.removeprefix(_IN_HEBREW))


def _fold(word: str) -> str:
    return without_marks(word.casefold().strip(". "))


def is_date_word(word: str) -> bool:
    """Tell whether a word names a month or a weekday: in full in any language, or as English shortens it.

    Short forms of other languages are left out, for many are given names: *Sam* of *samedi*, *Mai*.

    >>> [is_date_word(word) for word in ("Thu", "Montag", "周四", "Sam", "Anna")]
    [True, True, True, False, False]
    """
    return _fold(word) in _full_names() or _ASIAN_DATE_WORD.fullmatch(word) is not None


@cache
def _full_names() -> frozenset[str]:
    months = " ".join(_MONTHS.values())
    return frozenset(_fold(name) for name in f"{months} {_WEEKDAYS} {_ENGLISH_SHORT}".split())


@cache
def _table(language: str) -> dict[str, int]:
    table: dict[str, int] = {}
    ambiguous: set[str] = set()
    for number, name in enumerate(_MONTHS[language].split(), start=1):
        folded = _fold(name)
        for length in range(_MIN_ABBREVIATION, len(folded) + 1):
            prefix = folded[:length]
            if table.setdefault(prefix, number) != number and length < len(folded):
                ambiguous.add(prefix)
        table[folded] = number
    return {name: number for name, number in table.items() if name not in ambiguous}


@cache
def _all_names() -> dict[str, int]:
    """Names of all languages; earlier languages win."""
    merged: dict[str, int] = {_fold(name): number for name, number in _EXTRA.items()}
    for language, names in _MONTHS.items():
        for number, name in enumerate(names.split(), start=1):
            merged.setdefault(_fold(name), number)
        for prefix, number in _table(language).items():
            merged.setdefault(prefix, number)
    return merged


BUDDHIST_ERA: Final = 543
"""Years before those of the Common Era; Thai pages write either."""
_FIRST_BUDDHIST: Final = 2400
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
"""Year before the first of an era."""

_THAI_MONTHS: Final = (
    "มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย. กรกฎาคม|ก.ค. สิงหาคม|ส.ค."
    " กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค."
)
_NUMBER: Final = {
    name.rstrip("."): number for number, names in enumerate(_THAI_MONTHS.split(), start=1) for name in names.split("|")
}
_THAI: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(map(re.escape, _NUMBER))})\.?\s?(?:พ\.ศ\.\s?|ค\.ศ\.\s?)?(\d{{4}}|\d\d)(?!\d)"
)
_ERA: Final = re.compile(rf"({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)年\s?(\d{{1,2}})月\s?(\d{{1,2}})日")
_HINT: Final = re.compile("[\u0e01-\u0e2e]|" + "|".join(_ERAS))

_SOLAR_HIJRI_MONTHS: Final = (
    "فروردین|حمل اردیبهشت|ثور خرداد|جوزا تیر|سرطان مرداد|امرداد|اسد شهریور|سنبله مهر|میزان آبان|عقرب آذر|قوس دی|جدی"
    " بهمن|دلو اسفند|حوت"
)
_SOLAR_HIJRI_NUMBER: Final = {
    name: number for number, names in enumerate(_SOLAR_HIJRI_MONTHS.split(), start=1) for name in names.split("|")
}
_SOLAR_HIJRI: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(_SOLAR_HIJRI_NUMBER).replace('ی', '[یي]')})(?:\s?ماه)?"
    r"[\s،,]{1,3}(1[34]\d\d)(?!\d)"
)
_SOLAR_HIJRI_DIGITS: Final = re.compile(r"(?<![\d/.-])(1[34]\d\d)\s?([/-])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?![\d/-])")
"""Dates in digits alone. They are read on Persian pages: elsewhere such a year is of the Middle Ages, or a price."""
_PERSIAN: Final = frozenset(("fa", "ps", "prs", "ckb"))
_YEARS_IN_33: Final = frozenset((1, 5, 9, 13, 17, 22, 26, 30))
"""Leap years of the solar calendar's cycle of 33 years; right from 1799 to 2256."""

_LEVANTINE: Final = {"كانون الثاني": 1, "تشرين الأول": 10, "تشرين الاول": 10, "تشرين الثاني": 11, "كانون الأول": 12,
                     "كانون الاول": 12, "شباط": 2, "آذار": 3, "اذار": 3, "نيسان": 4, "أيار": 5, "ايار": 5, "حزيران": 6,
                     "تموز": 7, "آب": 8, "أيلول": 9, "ايلول": 9}  # fmt: skip
_ARABIC: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s({'|'.join(_LEVANTINE)})(?:\s?[/-]\s?\w{{3,8}})?[\s،,]{{1,3}}((?:19|20)\d\d)(?!\d)"
)
_VIETNAMESE: Final = re.compile(
    r"(?<!\d)(\d{1,2})\s?(?:tháng|thg)\s?(\d{1,2})\s?(?:,|năm)?\s?((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_ARABIC_LETTER: Final = re.compile("[\u0621-\u064a]")


def other_days(text: str, language: str | None = None) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield start, end, year of the Common Era, month and day of each such date; a day may not exist.

    :param language: of the page; dates of digits alone are read as solar Hijri where it is Persian.

    >>> list(other_days("5 พ.ย. 2566")), list(other_days("令和5年11月5日"))
    ([(0, 11, 2023, 11, 5)], [(0, 9, 2023, 11, 5)])
    """
    if language in _PERSIAN:
        for match in _SOLAR_HIJRI_DIGITS.finditer(text):
            yield from _solar_hijri(match, int(match[1]), int(match[3]), int(match[4]))
    if text.isascii():
        return
    if _ARABIC_LETTER.search(text):
        for match in _SOLAR_HIJRI.finditer(text):
            number = _SOLAR_HIJRI_NUMBER[match[2].replace("ي", "ی")]
            yield from _solar_hijri(match, int(match[3]), number, int(match[1]))
        for match in _ARABIC.finditer(text):
            yield *match.span(), int(match[3]), _LEVANTINE[match[2]], int(match[1])
    for match in _VIETNAMESE.finditer(text):
        yield *match.span(), int(match[3]), int(match[2]), int(match[1])
    if not _HINT.search(text):
        return
    for match in _THAI.finditer(text):
        year = int(match[3])
        if len(match[3]) == 2:
            year += 2500
        yield *match.span(), year - BUDDHIST_ERA if year >= _FIRST_BUDDHIST else year, _NUMBER[match[2]], int(match[1])
    for match in _ERA.finditer(text):
        year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
        yield *match.span(), year, int(match[3]), int(match[4])


def _solar_hijri(match: re.Match[str], year: int, month: int, day: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the Gregorian day: a year begins on the 20th or 21st of March, its first six months have 31 days."""
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return
    cycles, rest = divmod(year - 1, 33)
    days = cycles * (33 * 365 + len(_YEARS_IN_33)) + rest * 365 + sum(leap <= rest for leap in _YEARS_IN_33)
    days += (month - 1) * 31 - max(0, month - 7) + day - 1
    gregorian = _FIRST_DAY + timedelta(days=days)
    yield *match.span(), gregorian.year, gregorian.month, gregorian.day
