"""Names of people and organisations as bylines write them, split and cleaned."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from newscrawl.languages.calendar_names import is_date_word
from newscrawl.languages.characters import HAN, HAN_LETTER
from newscrawl.languages.text import fold

ORGANISATION: Final = "organisation"
REPORTER: Final = "reporter"
EDITOR: Final = "editor"
PHOTOGRAPHER: Final = "photographer"

MAX_NAME_CHARS: Final = 60
MAX_NAME_WORDS: Final = 6
MAX_BYLINE_CHARS: Final = 400
"""Characters of a byline worth splitting."""
MAX_NAMES: Final = 20
MAX_HAN_NAME: Final = 8
"""Characters of a pen name; longer words without a word for an office or press are sentences."""

MAX_MIXED_NAME: Final = 20
MAX_LATIN_NAME: Final = 40
"""Characters of names behind a Chinese label that hold other letters, too, and that hold only those."""

WRITTEN_BY: Final = (
    r"(?:written|posted|published|submitted|created|contributed|reported) by"
    r"|(?:geschrieben|verfasst|eingereicht|veröffentlicht|eingestellt) von"
    r"|(?:écrit|rédigé|publié|soumis|proposé|posté|signé) par|(?:escrito|publicado|enviado|redactado|postado) por"
    r"|(?:scritto|pubblicato|inviato|inserito) da|a cura di|(?:geschreven|ingediend|geplaatst) door"
    r"|(?:skriven|publicerad|skrevet|publisert) av|skrevet af|napisane przez|ditulis oleh|تحریر از"
    r"|kirjoittanut|kirjoittaja|kirjutas|írta|scris de|escrit per|shkruar nga|yazan|parašė|napsala?|napísala?"
    r"|piše|napisa(?:o|la)|пише|пишува|γράφει(?: [οη])?"
)
"""What stands before the name in bylines of content systems."""
_PREFIX: Final = re.compile(
    r"^\W*(?:"
    r"(?:words|story|text|report(?:ing)?|article|analysis|written|posted|published|reviewed|opinion|photos?)\s+by"
    r"|by|von|par|por|di|door|av|af|przez|от|oleh|text|interview|reporter|eine?\s+\w+\s+von"
    r"|autor(?:in|en)?|author|auteur|автор|tekst|szerző|yazar|redac(?:ción|ão)"
    r"|text (?:&|und|and) fotos?|words (?:&|and) (?:photos?|pictures?)"
    r"|作者|记者|文/?|撰文)\s*[:：/|]?\s+"
    r"|^\W*(?:autor(?:in|en)?|author|byline|text|by|von|автор|oleh|penulis|writer|words|作者|文字?)\s*[:：]\s*"
    r"|^\W*(?:reporter|jurnalis|pewarta|editör|muhabir|haber|yazan|tác giả|thực hiện|tekst|авторы?|текст|корреспондент"
    r"|редактор|συντάκτης|מאת|כתבת?|كتبت?|كتبه|بقلم|الكاتبة?|المؤلف|إعداد|تحرير|المحررة?|نویسنده|خبرنگار|گزارشگر|به قلم"
    r"|लेखक|द्वारा|ผู้เขียน|เขียนโดย)\s*[:：]\s*"
    rf"|^\W*(?:{WRITTEN_BY})\s*:?\s+",
    re.IGNORECASE,
)
_PARTICLES: Final = frozenset(
    "a about af am at av by cura da de den der di door el en et fra i il in la le na o od of oleh om on par pe "
    "per pis por przez på the this um und van vom von y και".split()
)
_LABEL_WORDS: Final = (
    frozenset(map(fold, re.findall(r"[^\W\d_]+", WRITTEN_BY)))
    | frozenset(
        "author authors autor auteur autore byline created date edited editor last modified publish updated".split()
    )
) - frozenset(map(fold, _PARTICLES))
"""What templates print before a name or a date."""
_BETWEEN_WORDS: Final = re.compile(r"[\s\d.,;:|/()\[\]–—-]+")
_SPLIT: Final = re.compile(
    r"(?:(?<!\s)\s++)?(?:[;；、|｜•&，]|/(?=[A-Z\u4e00-\u9fff]))\s*"
    r"|(?<!\s)\s++(?:/|and|und|et|y|och|og|en|oraz|и|та|with|e|ja|ve|dan|[–—-])\s+"
)
_ROLE_WORDS: Final = re.compile(
    r"\b(?:reporter|writer|editor|correspondent|staff|contributor|journalist|columnist|chief|producer|photographer"
    r"|bureau|special to|director|professor|minister|senior|political|news desk"
    r"|korrespondent\w*|redakteur\w*|reporterin|autor\w*|journaliste?|redac\w+|corresponsal"
    r"|published|updated|follow|email|twitter|facebook|instagram|artikel\w*|beiträge|alle|interview mit|uhr"
    r"|read more|more articles|view all|posts|min read)\b",
    re.IGNORECASE,
)
_NOISE: Final = re.compile(
    r"https?(?:://|$)|www\.|\.(?:html?|php)\b|@\w+\.\w|\d{3,}|[<>{}\[\]=#]|\b_|_\b|^\W*$|[^\W\d_]{5}[.!?]\s"
)
"""The last: a sentence ends, and another begins; what initials and titles shorten is shorter."""
_ORGANISATION: Final = re.compile(
    r"redaktion|redaction|redacción|redazione|redação|editorial|zeitung|newspaper|agency|agentur|agence|magazine?"
    r"|\b(?:news|team|staff|media|tv|inc|dpa)\b|online|press\b|radio|university|institut|ministerium|verlag|GmbH"
    r"|\.(?:com?|de|at|ch|org|net|is|fr|it)\b"
    r"|通讯社|新闻|新聞|日报|晚报|时报|周刊|杂志|网$|网站|电视台|集团|公司|政府|中心|编辑部|オンライン|通信|뉴스|일보"
    r"|^(?:afp|ap|sda|apa|reuters|ansa|efe|tass|kna|epd|sid|pti|ani|ians|tpn|cna|aap)\b",
    re.IGNORECASE,
)
_GENERIC: Final = frozenset(
    fold(name)
    for name in (
        "admin administrator author editor name unknown anonymous none null undefined guest system webmaster root user "
        "syndicated sponsored advertorial "
        "佚名 未知 匿名 网络 互联网 本站 本站原创 原创 转载 小编 管理员 作者 译者 校对 编辑 记者 来源 楼主 发布于 "
        "关注 订阅 收藏 分享 举报 打赏 阅读 评论 登录 注册 首页 正文"
    ).split()
)

SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江"
    "阎阎薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱严莫孔向汤尹常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴"
    "骆凌晁湛嵇宓糜昌亓粱郗靖扈褟闾霍涂成苗谷曲盛冉翁蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾"
    "隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢劳谌奚皮粟冼蔺楼盘满闻位厉伊仝区郜海阚花权强帅屠豆朴盖练廉禹井祖漆巴丰支卿国狄"
    "張劉陳楊黃趙吳孫馬許鄧馮韓蕭葉蔣蘇呂盧鍾薑譚範陸賈韋鄒閻龍賀顧龔邵萬錢嚴湯龐顏倪莊聶魯歐關蘭俞紀畢單塗藍遊靳鮑華喻饒應閔鄔邊"
)
COMPOUND_SURNAMES: Final = tuple("欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯 歐陽 司馬".split())
_HAN_ONLY: Final = re.compile(rf"[{HAN}·•]+")
_DESK_CODE: Final = re.compile(r"[A-Z]{1,3}\d{0,4}")
"""What portals print after an editor's name: ``王五 NF1``."""
_HAN_STOP: Final = re.compile(
    r"[|｜。！!？?（）()【】\[\]<>《》“”\"：:]|来源|來源|稿源|责任编辑|责编|责任编|编辑|編輯|实习|记者|記者|通讯员|时间|日期|发布|发表|點擊|点击"
    r"|浏览|阅读|评论|字号|字体|字體|摄影|摄|攝|编译|發自|发自|返回"
    r"|报道|報導|報道|综合|文/|图/|翻译|校对|审核|经授权|授权|监制|关注|打印|分享|订阅|转自|原标题|本文|美编|编导|更新|我要|人气|供稿|出品|作者|\d{2,}"
)
_NICKNAME: Final = re.compile(r"(?<=[A-Za-z.])\s*\([A-Z][A-Za-z.]{1,14}\)\s*(?=[A-Z])")
"""``J. (Jane) Doe``."""
_COLONS: Final = (":", "：")
_REPORTED: Final = ("报道", "報道", "報導")
_PLACE: Final = re.compile(r"(?<!\s)\s*+[/／][^/／]{2,8}$")
"""Where it was reported from: ``林小美／高雄報導``."""
_EDGES: Final = " \t　:：/|丨-—,，、;；.·"
_JOB: Final = re.compile(
    r"(?:(?:senior|chief|staff|news|political|special|media|tv)\s+)+(?:reporter|writer|editor|correspondent|photographer)s?"
    r"|editing by .+",
    re.IGNORECASE,
)
"""A title behind a name, or who edited; without a name before they stand for the press."""


def is_chinese_name(text: str) -> bool:
    """Tell whether ``text`` is built like a Chinese person's name: a common surname and one or two characters more."""
    if not _HAN_ONLY.fullmatch(text) or text in _GENERIC or text.endswith(("摄", "攝")):  # who took a picture
        return False
    if text.startswith(COMPOUND_SURNAMES):
        return 3 <= len(text) <= 4
    return 2 <= len(text) <= 3 and text[0] in SURNAMES


def chinese_names(text: str, *, strict: bool) -> list[str]:
    """Return the names at the beginning of ``text``, which follows a label such as ``作者：`` or ``记者``.

    :param strict: take only what is built like a person's name; else any short word.

    >>> chinese_names("张三 李四 责任编辑：王五", strict=False)
    ['张三', '李四']
    """
    text = _NICKNAME.sub(" ", text)
    stop = _HAN_STOP.search(text)
    if stop:
        text = text[: stop.start()]
        if stop[0] in _COLONS:  # the word before it is another label
            text = text.rstrip().rpartition(" ")[0]
        elif stop[0] in _REPORTED:
            text = _PLACE.sub("", text)
    text = text.strip(_EDGES)[:80]
    names: list[str] = []
    for chunk in text.split("  "):  # a chunk of another text node is a second name, or a button
        found = _names_in(chunk, strict=strict or bool(names), ends_at_stop=stop is not None)
        if not found:
            break
        names.extend(found)
    return names[:MAX_NAMES]


def _names_in(text: str, *, strict: bool, ends_at_stop: bool) -> list[str]:
    text, _, clause = text.strip(_EDGES).partition("，")
    words = _words(text)
    later = _words(clause)
    names: list[str] = []
    for at, word in enumerate([*words, *later]):
        if names and _DESK_CODE.fullmatch(word):
            continue
        strict = strict or at >= len(words)
        is_last = ends_at_stop and word == (later or words)[-1]
        if strict and not (is_chinese_name(word) or (is_last and len(word) == 4 and word[0] in SURNAMES)):
            break
        longest = 4 if strict else _longest(word)
        if not 2 <= len(word) <= longest or fold(word) in _GENERIC or _NOISE.search(word) or is_label(word):
            break
        names.append(word)
    return names


def _longest(word: str) -> int:
    if not HAN_LETTER.search(word):
        return MAX_LATIN_NAME
    return MAX_HAN_NAME if _HAN_ONLY.fullmatch(word) and not is_organisation(word) else MAX_MIXED_NAME


_BETWEEN_NAMES: Final = re.compile(rf"[、,，;；/／&丨]|(?<=[{HAN}])和(?=[{HAN}])|\s(?:和|与|及|and)\s")


def _words(text: str) -> list[str]:
    names = _BETWEEN_NAMES.split(text)
    return [word for name in names for word in _join_spaced(name.split())]


def _join_spaced(words: list[str]) -> list[str]:
    """Join what white space cut: single characters (``张 三``) and the words of a name in Latin letters."""
    joined: list[str] = []
    for word in words:
        if joined and len(word) == len(joined[-1]) == 1 and HAN_LETTER.match(word) and HAN_LETTER.match(joined[-1]):
            joined[-1] += word
        elif joined and not HAN_LETTER.search(word) and not HAN_LETTER.search(joined[-1]):
            joined[-1] += " " + word
        else:
            joined.append(word)
    return joined


def split_names(text: str) -> list[str]:
    """Return the names of a byline in any language, roles, addresses and connecting words left out.

    >>> split_names("By Jane Doe, Senior Reporter and John Roe")
    ['Jane Doe', 'John Roe']
    """
    text = " ".join(text.split())[:MAX_BYLINE_CHARS]
    text = re.sub(r"\([^)]*\)|（[^）]*）", " ", text)
    names: list[str] = []
    for part in _SPLIT.split(text):
        names.extend(name for piece in _pieces(part) if (name := clean_name(piece)))
        if len(names) >= MAX_NAMES:
            break
    people = [name for name in names if not _JOB.fullmatch(name)]
    return list(dict.fromkeys(people or names))


def _pieces(part: str) -> list[str]:
    """Split at commas, unless the comma stands before a first name or a title."""
    pieces = [piece.strip() for piece in part.split(",") if piece.strip() and not is_label(piece)]
    if len(pieces) == 2 and all(" " not in piece for piece in pieces) and not _ORGANISATION.search(part):
        return [f"{pieces[1]} {pieces[0]}"] if not pieces[1].isupper() else pieces[:1]
    return [piece for piece in pieces if not re.match(r"(?:Jr|Sr|Ph\.?D|M\.?D)\b", piece)]


def clean_name(text: str) -> str | None:
    """Return the name in ``text`` without ``By`` and the like, None where it is no name."""
    name = text.strip(" \t.,;:-–—|/•*\"'“”„»«")
    for _ in range(2):
        name = _PREFIX.sub("", name + " ").strip(" \t.,;:-–—|/•*")
    if text.rstrip().endswith(".") and re.search(r"\b[A-Z][a-z]?$", name):
        name += "."
    if not 2 <= len(name) <= MAX_NAME_CHARS or len(name.split()) > MAX_NAME_WORDS:
        return None
    if name.startswith("@") or (any(map(str.isdigit, name)) and not name.isalnum()):
        return None
    if is_label(name) or _NOISE.search(name) or fold(name) in _GENERIC or not any(letter.isalpha() for letter in name):
        return None
    if _ROLE_WORDS.search(name) and not _ORGANISATION.search(name):
        return None
    return name


@lru_cache(maxsize=4096)
def is_label(text: str) -> bool:
    """Tell whether a text is words of dates, or a label of the template, with nothing beside them but particles.

    >>> [is_label(text) for text in ("Posted on", "Thu, Sep", "By", "Jane May", "Le An")]
    [True, True, False, False, False]
    """
    words = [word for word in _BETWEEN_WORDS.split(text) if word]
    found = [is_date_word(word) or fold(word) in _LABEL_WORDS for word in words]
    return any(found) and all(known or word.casefold() in _PARTICLES for known, word in zip(found, words, strict=True))


def is_organisation(name: str) -> bool:
    """Tell whether a name is that of a press, agency or office rather than a person."""
    return bool(_ORGANISATION.search(name))
