"""Notices of the house below a text: who holds the rights, whose views they are, what may be done with it.

Told by set phrases of many languages, at the end of the text alone. A language without phrases here loses nothing.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from newscrawl.dom.measures import Bools
    from newscrawl.network.features import PageLines

MAX_LINES: Final = 8
"""So many last lines are looked at: notices of several paragraphs."""
MAX_NOTICE: Final = 600.0
"""A longer line is a text about such things. Letters."""
MAX_GAP: Final = 2
"""Lines without a phrase between two that have one, at most."""

_PHRASES: Final = (
    # what the phrase has in it, in lower case and quick to look for; the phrase
    ("rights reserved", r"all rights reserved"),
    ("copyright", r"^\W{0,3}(?:\w+ )?copyright\b.{0,60}\b(?:19|20)\d\d\b"),
    ("©", r"©\s?(?:copyright\s)?(?:19|20)\d\d\b|^\W{0,3}©.{0,60}\b(?:19|20)\d\d\b"),
    ("(c)", r"\(c\)\s?(?:19|20)\d\d\b"),
    (
        "not be ",
        (
            r"\b(?:material|articles?|contents?|story|report|text|site)\b.{0,40}\b(?:may|must|can) ?not be"
            r" (?:published|reproduced|republished|copied|broadcast|redistributed|reprinted)"
        ),
    ),
    ("prohibited", r"\b(?:reproduction|republication|redistribution|copying|reuse)\b.{0,140}\bprohibited\b"),
    ("forbidden", r"\b(?:reproduction|republication|redistribution|copying|reuse)\b.{0,140}\bforbidden\b"),
    ("expressed", r"\b(?:views|opinions)\b.{0,30}\bexpressed\b.{0,80}\b(?:not|those of|authors?'?s?|solely)\b"),
    ("vorbehalten", r"alle rechte vorbehalten"),
    ("voorbehouden", r"alle rechten voorbehouden"),
    ("réservés", r"tous droits (?:de reproduction )?réservés"),
    ("interdite", r"reproduction (?:même partielle )?interdite"),
    ("derechos", r"todos los derechos reservados"),
    ("reproducción", r"prohibida (?:su|la) reproducción"),
    ("direitos", r"todos os direitos reservados"),
    ("reprodução", r"é proibida a reprodução"),
    ("riservat", r"tutti i diritti (?:sono )?riservati|riproduzione riservata"),
    ("prawa", r"wszelkie prawa zastrzeżone"),
    ("powielan", r"nie może być (?:powielan|rozpowszechnian|kopiowan)"),
    ("práva", r"všechna práva vyhrazena|všetky práva vyhradené"),
    ("fenntartva", r"minden jog fenntartva"),
    ("rezervate", r"toate drepturile rezervate"),
    ("förbehåll", r"alla rättigheter (?:är )?förbehåll"),
    ("forbehold", r"alle rettigheder forbehold|alle rettigheter forbehold"),
    ("pidätet", r"kaikki oikeudet pidätet"),
    ("права", r"все права (?:защищены|охраняются)|(?:всі|усі) права (?:захищен|застережен)"),
    ("ссылк", r"при (?:\w+ ){0,3}(?:использовании|перепечатке|цитировании|копировании)\b.{0,120}\bссылк"),
    ("мнени", r"мнени[ея]\b.{0,60}\b(?:автор|редакц)\w*.{0,60}\bне (?:совпада|отража)"),
    ("посиланн", r"(?:при|у разі) (?:\w+ ){0,3}(?:використанн|передру|цитуванн|копіюванн)\w*.{0,120}\bпосиланн"),
    ("επιφύλαξη", r"με (?:την )?επιφύλαξη παντός"),
    ("απαγορεύεται", r"απαγορεύεται .{0,40}(?:αναδημοσίευση|αναπαραγωγή)"),
    ("saklıdır", r"(?:tüm|her) hak(?:lar|k)ı saklıdır"),
    ("izinsiz", r"izinsiz (?:kopyalan|kullanıl|yayınlan|alıntı)"),
    ("حقوق", r"(?:جميع|كل|كافة) الحقوق محفوظة|حقوق (?:النشر|الطبع) محفوظة"),
    ("حقوق", r"(?:تمام|کلیه)\S{0,3} حقوق\b.{0,60}(?:محفوظ|متعلق)"),
    ("זכויות", r"כל הזכויות שמורות"),
    ("सर्वाधिकार", r"सर्वाधिकार सुरक्षित"),
    ("ลิขสิทธิ์", r"สงวนลิขสิทธิ์"),
    ("bản quyền", r"bản quyền thuộc|giữ bản quyền"),
    ("cipta", r"hak cipta (?:dilindungi|©|\()"),
    ("dilarang", r"dilarang (?:mengutip|menyalin|mereproduksi)"),
    ("無断", r"無断(?:での?)?(?:転載|複製|転用|使用|引用).{0,12}(?:禁|お断り)|禁無断転載"),
    ("무단", r"무단\s?(?:전재|복제|배포|사용|도용).{0,20}금지"),
    ("저작권자", r"저작권자\s?[ⓒ©(]"),
    ("注明", r"凡.{0,14}注明.{0,80}(?:版权|转载|授权)|转载(?:本文|时|者)?(?:敬?请|须|需|务必).{0,12}注明"),
    ("註明", r"凡.{0,14}註明.{0,80}(?:版權|轉載|授權)|轉載(?:本文|時|者)?(?:敬?請|須|需|務必).{0,12}註明"),
    ("标注", r"凡.{0,14}标注.{0,80}(?:版权|转载|授权)"),
    ("转载", r"(?:未经|非经).{0,24}(?:授权|许可|同意).{0,16}(?:不得|禁止|严禁|请勿|谢绝).{0,16}转载"),
    ("轉載", r"(?:未經|非經).{0,24}(?:授權|許可|同意).{0,16}(?:不得|禁止|嚴禁|請勿|謝絕).{0,16}轉載"),
    ("未经", r"未经.{0,24}(?:授权|许可|同意).{0,8}不得.{0,16}(?:摘编|使用|复制|镜像|引用|翻印)"),
    ("未經", r"未經.{0,24}(?:授權|許可|同意).{0,8}不得.{0,16}(?:摘編|使用|複製|鏡像|引用|翻印)"),
    ("版权", r"版权(?:均|皆)?(?:归|属于?).{0,24}(?:本|我|原|作者).{0,6}所有|^\W{0,3}版权所有"),
    ("版權", r"版權(?:均|皆)?(?:歸|屬於?).{0,24}(?:本|我|原|作者).{0,6}所有|^\W{0,3}版權所有"),
    ("仅代表", r"仅代表.{0,10}(?:作者|个人|本人|发布者|撰稿人|嘉宾).{0,10}(?:观点|意见|立场|看法)"),
    ("只代表", r"只代表.{0,10}(?:作者|[个個]人|本人|[发發]布者).{0,10}(?:[观觀][点點]|意[见見]|立[场場]|看法)"),
    ("僅代表", r"僅代表.{0,10}(?:作者|個人|本人|發布者|撰稿人|來賓).{0,10}(?:觀點|意見|立場|看法)"),
    ("不代表", r"不代表.{0,14}(?:本|我|平台|[网網][站易]?|[报報]社?|刊).{0,12}(?:[观觀][点點]|立[场場])"),
    ("定代表", r"不一定代表.{0,14}(?:本|我|平台|[网網][站易]?|[报報]社?|刊).{0,12}(?:[观觀][点點]|立[场場])"),
    ("无关", r"(?:观点|立场|内容).{0,10}与(?:本|我).{0,10}无关"),
    ("無關", r"(?:觀點|立場|內容).{0,10}與(?:本|我).{0,10}無關"),
    ("赞同", r"不(?:意味着|代表|等于).{0,16}赞同"),
    ("贊同", r"不(?:意味著|代表|等於).{0,16}贊同"),
    ("侵", r"[如若].{0,28}侵(?:权|犯).{0,60}(?:联系|告知|通知|删除|处理)"),
    ("侵", r"[如若].{0,28}侵(?:權|犯).{0,60}(?:聯[繫絡系]|告知|通知|刪除|處理)"),
    ("信息存储", r"(?:仅|提)供信息存储"),
    ("参考", r"仅供参考.{0,40}(?:风险|不构成|据此|入市)"),
    ("參考", r"僅供參考.{0,40}(?:風險|不構成|據此|入市)"),
    ("不构成", r"不构成.{0,12}(?:投资|买卖|操作).{0,6}(?:建议|依据)"),
    ("不構成", r"不構成.{0,12}(?:投資|買賣|操作).{0,6}(?:建議|依據)"),
    ("声明", r"^\W{0,3}(?:特别|郑重|免责|版权|重要|法律)?声明\W{0,3}$|^\W{0,3}免责声明"),
    ("聲明", r"^\W{0,3}(?:特別|鄭重|免責|版權|重要|法律)?聲明\W{0,3}$|^\W{0,3}免責聲明"),
)  # fmt: skip


_HINTS: Final = tuple(dict.fromkeys(hint for hint, _ in _PHRASES))


def drop_notices(is_body: Bools, page: PageLines) -> None:
    """Leave out notices that end the body, where sentences stand above them."""
    kept = np.flatnonzero(is_body)
    last = kept[-MAX_LINES:].tolist()
    near = last[-MAX_GAP - 1 :]
    ending = "\n".join(page.lines.texts(near)).lower()
    if not any(hint in ending for hint in _HINTS) or not any(_is_notice(page, line) for line in near):
        return
    notices = [place for place, line in enumerate(last) if _is_notice(page, line)]
    while notices and not _go_on_to_the_end(notices, len(last)):
        notices.pop(0)
    if not notices:
        return
    first = last[notices[0]]
    if (is_body & page.features.is_prose)[:first].any():
        is_body[first:] = False


def _go_on_to_the_end(notices: list[int], n_lines: int) -> bool:
    """Tell whether little stands between the notices, and after the last: no more lines than there are notices."""
    gaps = [after - before - 1 for before, after in pairwise((*notices, n_lines))]
    return max(gaps) <= MAX_GAP and sum(gaps) <= len(notices)


def _is_notice(page: PageLines, line: int) -> bool:
    if page.features.weight[line] > MAX_NOTICE:
        return False
    text = page.lines.text(line)
    lowered = text.lower()
    return any(hint in lowered and _compiled(phrase).search(text) for hint, phrase in _PHRASES)


@cache
def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(phrase, re.IGNORECASE)
