"""What a page is: article, hub, forum, product, listing or other, with a probability.

Rules weigh an article against a hub (:mod:`~newscrawl.page_type.rules`) and decide alone where the address is an
article's and they are sure. Else a model over the page's features is asked, the rules' weight and the kind of the
address among them (:mod:`~newscrawl.page_type.model`).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.blocks.teasers import MIN_ITEMS
from newscrawl.items import PageType
from newscrawl.metadata.date_text import find_dates
from newscrawl.metadata.gather import gather
from newscrawl.page_type.features import FEATURES, page_features, states_date
from newscrawl.page_type.model import CLASSES, inputs, shipped_model, softmax
from newscrawl.page_type.rules import NEAR_HEADLINE_LINES, NO_TEXT, article_reasons
from newscrawl.urls.shape import is_about_site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newscrawl.dom.document import Document
    from newscrawl.page_type.model import PageTypeModel

SURE: Final = 5.0
"""From this log-odds by rules on, a page with an article's address is one, and the model is not asked."""
ARTICLE_BIAS: Final = 1.0
"""Log-odds: the model was taught with types weighted almost alike, most pages are articles."""
HUB_ARTICLE_BIAS: Final = 0.5
"""The same for the address of a hub: fewer of those are."""
SITE_CONFIDENCE: Final = 0.95
"""That a page is about its site where its address says so."""
LEAST_ARTICLE: Final = 0.5
"""Where the rules speak against an article, and its address is neither one's nor a hub's, it is one from here on."""
DATED: Final = 3.0
"""From this log-odds by rules on, a page of a wiki or a manual with a date below its title is an article."""
MAX_DATELINE: Final = 40
"""Characters."""
PRODUCT_BIAS: Final = 0.7
"""Goods are sold on few sites that the model has seen."""

_ERROR_TITLES: Final = frozenset(
    title.strip().casefold()
    for title in """404, 404 not found, not found, 404 error, error 404, 404 page not found, page not found,
    page not found (404), 404 page, not found (404), the page cannot be found, this page does not exist,
    page does not exist, page unavailable, article not found, story not found, 410 gone, internal server error,
    500 internal server error, service unavailable, 503 service unavailable, 502 bad gateway, bad gateway,
    database error, under maintenance, site under maintenance, 404错误, 404页面, 404 页面, 页面不存在, 页面未找到,
    页面没有找到, 找不到页面, 您访问的页面不存在, 您访问的页面找不到了, 文章不存在, 该页面不存在, 信息不存在,
    404错误页面, 页面找不到, 系统维护, 网站维护中, 提示信息, 系统提示, 找不到網頁, 找不到頁面, 網頁不存在,
    頁面不存在, ページが見つかりません, お探しのページは見つかりませんでした, お探しのページが見つかりません,
    페이지를 찾을 수 없습니다, seite nicht gefunden, fehler 404, 404 seite nicht gefunden, page introuvable,
    page non trouvée, erreur 404, página no encontrada, página não encontrada, pagina non trovata,
    pagina niet gevonden, страница не найдена, ошибка 404, 404 страница не найдена, strona nie została znaleziona,
    nie znaleziono strony, sayfa bulunamadı, sidan hittades inte, siden blev ikke fundet, siden ble ikke funnet,
    sivua ei löytynyt, stránka nenalezena, halaman tidak ditemukan, không tìm thấy trang, ไม่พบหน้าที่คุณต้องการ,
    पृष्ठ नहीं मिला, الصفحة غير موجودة, صفحه یافت نشد, הדף לא נמצא""".split(",")
)
_SITE_TITLES: Final = frozenset(
    title.strip().casefold()
    for title in """about us, privacy policy, privacy notice, terms of service, terms of use, terms and conditions,
    cookie policy, legal notice, contact us, impressum, datenschutz, datenschutzerklärung, über uns,
    nutzungsbedingungen, mentions légales, politique de confidentialité, aviso legal,
    política de privacidad, política de privacidade,
    关于我们, 联系我们, 联系方式, 隐私政策, 隐私权政策, 免责声明, 版权声明, 關於我們, 聯絡我們, 隱私權政策,
    プライバシーポリシー, お問い合わせ, 利用規約, 会社概要, 개인정보처리방침, 회사소개, 이용약관, 청소년보호정책,
    политика конфиденциальности, о нас, о проекте, реклама на сайте, контакты, quem somos, quiénes somos,
    sobre nosotros, qui sommes-nous, chi siamo, o nas, hakkımızda, gizlilik politikası, tentang kami,
    kebijakan privasi, về chúng tôi, เกี่ยวกับเรา, นโยบายความเป็นส่วนตัว, हमारे बारे में, गोपनीयता नीति,
    广告服务, 招聘信息, 网站地图, 网站导航, 服务条款, 用户协议, 关于本站, 网站声明, 网站简介, 法律声明, 版权说明,
    投稿须知, 加入我们, 人才招聘, 学校简介, 学院简介, 公司简介, 企业简介, 单位简介, 机构简介, 机构设置, 组织机构,
    领导班子, 现任领导, 历史沿革, 报社简介, 本报简介,
    من نحن, سياسة الخصوصية, اتصل بنا, شروط الاستخدام, هيئة التحرير, درباره ما, تماس با ما, قوانین و مقررات,
    אודות, צור קשר, תנאי שימוש, מדיניות פרטיות,
    accessibility statement, editorial policy, code of ethics, advertise with us, erklärung zur barrierefreiheit,
    contacto, política de cookies, términos y condiciones, aviso de privacidad, contato, fale conosco, expediente,
    à propos, nous contacter, contatti, redazione, note legali, redakcja, regulamin, polityka prywatności, over ons,
    om oss, künye, İletişim, gizlilik sözleşmesi, kullanım koşulları, çerez politikası,
    redaksi, pedoman media siber, hubungi kami, kode etik, liên hệ, giới thiệu, chính sách bảo mật,
    điều khoản sử dụng""".split(",")
)
"""What a page about its site is called, before or behind the site's name."""
_MAX_SITE_NAME: Final = 25
_TITLE_END: Final = re.compile(r"(?<!\s)\s*+[|–—_»«·]|\s-|(?<=[\u3000-\u9fff])-")

_URL_PRIORS: Final = {"article": 1.0, "hub": -1.5, "other": -1.0}
_HOME_PRIOR: Final = -3.0
_ARTICLE, _HUB, _LISTING, _PRODUCT, _OTHER = map(
    CLASSES.index, (PageType.ARTICLE, PageType.HUB, PageType.LISTING, PageType.PRODUCT, PageType.OTHER)
)
_TEASERS: Final = FEATURES.index("teasers")
_GOODS: Final = [
    FEATURES.index(name)
    for name in (
        "prices", "says_cart", "says_sort", "ld_product", "og_product", "names_product", "to_product", "item_prices",
        "nodes_goods", "types_goods", "nodes_entries", "types_entries",
    )
]  # fmt: skip
"""Signs of goods or entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJudgement:
    page_type: PageType
    confidence: float
    """Probability of the type, 0..1."""
    evidence: tuple[str, ...]
    """Reasons, one a line, the weightiest first."""


def judge(document: Document, *, url_kind: str | None = None, model: PageTypeModel | None = None) -> PageJudgement:
    """Tell what a page is.

    :param url_kind: ``article``, ``hub``, ``other`` or ``unknown``: what the address promises.
    :param model: in place of the shipped one.
    """
    reasons = list(document.once(article_reasons))
    if _is_about_site(document):
        reasons.append((-10.0, "address or title of a page about the site"))
        return PageJudgement(page_type=PageType.OTHER, confidence=SITE_CONFIDENCE, evidence=_shown(reasons))
    if _is_error(document):
        reasons.append((-10.0, "title of an error page"))
        return PageJudgement(page_type=PageType.OTHER, confidence=SITE_CONFIDENCE, evidence=_shown(reasons))
    if not len(document.once(find_body).features):
        return PageJudgement(page_type=PageType.HUB, confidence=1.0, evidence=_shown(reasons))
    reasons += _prior(document, url_kind)
    rules = sum(weight for weight, _ in reasons)
    if url_kind == "article" and rules >= SURE:
        return PageJudgement(page_type=PageType.ARTICLE, confidence=_share(rules), evidence=_shown(reasons))
    values = document.once(page_features)
    scores = (model or shipped_model()).log_odds(inputs(values, url_kind))
    scores[_PRODUCT] += PRODUCT_BIAS
    if url_kind != "hub":
        scores[_ARTICLE] += ARTICLE_BIAS
    elif not any(weight <= NO_TEXT for weight, _ in reasons):
        scores[_ARTICLE] += HUB_ARTICLE_BIAS
    if _is_home(document):
        scores[_ARTICLE] += _HOME_PRIOR
    shares = softmax(scores)
    if shares[_LISTING] > shares[_HUB] and _announces_stories(values):
        shares[[_HUB, _LISTING]] = shares[[_LISTING, _HUB]]
    if url_kind == "other" and rules < 0 and shares[_ARTICLE] < LEAST_ARTICLE:
        shares[_ARTICLE] = 0.0
    if shares.argmax() == _OTHER and url_kind == "article" and rules >= DATED and _has_dateline(document):
        shares[_OTHER] = 0.0
    best = int(shares.argmax())
    told = ", ".join(f"{name} {share:.2f}" for name, share in zip(CLASSES, shares, strict=True))
    return PageJudgement(
        page_type=CLASSES[best], confidence=float(shares[best]), evidence=(*_shown(reasons), f"model: {told}")
    )


def _shown(reasons: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    ordered = sorted(reasons, key=lambda reason: -abs(reason[0]))
    return tuple(f"{weight:+.1f} {why}" for weight, why in ordered)


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(log_odds, 30.0)))


def _is_error(document: Document) -> bool:
    """Whether a page sent as 200 says by its title that nothing is there; it may stand where an article was."""
    return _is_called(document, _ERROR_TITLES)


def _is_about_site(document: Document) -> bool:
    return _is_called(document, _SITE_TITLES) or bool(document.url and is_about_site(document.url))


def _is_called(document: Document, titles: frozenset[str]) -> bool:
    """Tell whether one of the titles is the page's, before or behind the site's name."""
    first, *rest = (part.strip(" .!。！:").casefold() for part in _TITLE_END.split(document.once(gather).title))
    return first in titles or (len(rest) == 1 and len(first) <= _MAX_SITE_NAME and rest[0] in titles)


def _is_home(document: Document) -> bool:
    return document.url is not None and urlsplit(document.url)[2:4] in {("", ""), ("/", "")}


def _prior(document: Document, url_kind: str | None) -> Iterator[tuple[float, str]]:
    if states_date(document.once(gather)):
        yield 0.5, "states a date of publication"
    if _is_home(document):
        yield _HOME_PRIOR, "address of a home page"
    elif url_kind in _URL_PRIORS:
        yield _URL_PRIORS[url_kind], f"address of {url_kind} shape"


def _has_dateline(document: Document) -> bool:
    """Tell whether a line between the title and the first paragraphs is nothing but a day."""
    body = document.once(find_body)
    if body.headline < 0:
        return False
    lines = document.once(gather).lines
    first = max(int(body.is_body.argmax()), body.headline) + 3
    for number in range(body.headline + 1, min(first, body.headline + NEAR_HEADLINE_LINES, len(lines))):
        text = lines[number].text
        found = next(find_dates(text), None) if len(text) <= MAX_DATELINE else None
        if found is not None and not any(map(str.isalpha, _WEEKDAY.sub("", text[: found.start] + text[found.end :]))):
            return True
    return False


_WEEKDAY: Final = re.compile(r"^\s*[^\W\d]+\.?,?\s")


def _announces_stories(values: NDArray[np.float64]) -> bool:
    """Tell a list that announces pages in sentences and shows no sign of goods or entries."""
    return bool(values[_TEASERS] >= np.log1p(MIN_ITEMS) and not values[_GOODS].any())
