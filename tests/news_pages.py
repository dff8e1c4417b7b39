"""Hand-made news pages: an article in a page with menus, teasers, comments and notices around it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """Words for what stands around an article."""

    sections: tuple[str, ...]
    headline: str
    byline: str
    related: tuple[str, ...]
    notice: str
    comments: tuple[str, ...]
    paragraphs: tuple[str, ...] = field(default=())


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


ENGLISH = Tongue(
    sections=("Home", "Politics", "Business", "Sport", "Culture", "Weather", "Travel", "Contact"),
    headline="Storm closes the harbour for a third day",
    byline="By Jane Miller, 12 March 2024, 10:32",
    related=(
        "Ferry company cuts its summer timetable",
        "What to see on the islands this spring",
        "Fishermen ask for help after the storm",
        "New lighthouse museum opens in May",
        "Harbour master retires after forty years",
    ),
    notice="© 2024 The Harbour News. All rights reserved.",
    comments=(
        "I waited at the quay for six hours and nobody told us anything.",
        "Stay safe out there, the wind is worse than last year.",
        "Why is there no bridge yet? They promised one long ago.",
    ),
    paragraphs=_lines(
        "The harbour remained closed on Tuesday as a storm with winds of more than 100 kilometres an "
        "hour battered the coast, leaving hundreds of travellers stranded in the old town.\n"
        "“We will not open before the wind drops,” said the harbour master, who had spent the night in "
        "his office. Two ferries broke their moorings, but no one was hurt.\n"
        "Shops on the quay were flooded, and the fire brigade pumped water out of forty cellars. "
        "Schools on the islands stayed shut, while the hospital sent its patients home early.\n"
        "Forecasters expect the storm to weaken on Wednesday evening. The first ferry is due to leave "
        "at seven on Thursday morning, the company said in a statement."
    ),
)
CHINESE = Tongue(
    sections=("首页", "国内", "国际", "财经", "体育", "娱乐", "科技", "汽车", "房产"),
    headline="暴风雨导致港口连续第三天关闭",
    byline="2024年03月12日 10:32 来源：港口日报 作者：王小明",
    related=(
        "轮渡公司削减夏季班次",
        "今年春天海岛旅游指南出炉",
        "渔民在风暴过后请求援助",
        "新灯塔博物馆将于五月开放",
        "港务局长任职四十年后退休",
    ),
    notice="Copyright © 2024 港口日报 版权所有 京ICP备00000000号",
    comments=("在码头等了六个小时，没有人告诉我们任何消息。", "大家注意安全，今年的风比去年大多了。"),
    paragraphs=_lines(
        "受时速超过一百公里的大风影响，港口星期二继续关闭，数百名旅客滞留在老城区，当地政府已经安排了临"
        "时住宿。\n"
        "港务局长表示：“在风力减弱之前，我们不会重新开放。”他在办公室里度过了整个晚上。两艘渡轮的缆绳断"
        "裂，但没有人员受伤。\n"
        "码头上的商店被淹，消防队从四十个地下室抽水。岛上的学校仍然停课，医院也提前让病人回家休养，市民"
        "生活受到较大影响。\n"
        "气象部门预计，风暴将于星期三晚上减弱。轮渡公司在一份声明中说，第一班渡轮将于星期四早上七点出发"
        "。"
    ),
)
GERMAN = Tongue(
    sections=("Startseite", "Politik", "Wirtschaft", "Sport", "Kultur", "Wetter", "Reise", "Impressum"),
    headline="Sturm legt den Hafen den dritten Tag lahm",
    byline="Von Anna Schmidt, 12.03.2024, 10:32 Uhr",
    related=(
        "Reederei kürzt den Sommerfahrplan",
        "Was die Inseln im Frühling bieten",
        "Fischer bitten nach dem Sturm um Hilfe",
        "Neues Leuchtturm-Museum öffnet im Mai",
    ),
    notice="© 2024 Hafenzeitung. Alle Rechte vorbehalten.",
    comments=("Sechs Stunden habe ich am Kai gewartet, und niemand hat uns etwas gesagt.", "Passt auf euch auf!"),
    paragraphs=_lines(
        "Der Hafen ist auch am Dienstag geschlossen geblieben, weil ein Sturm mit mehr als 100 "
        "Kilometern in der Stunde über die Küste zog. Hunderte Reisende sitzen in der Altstadt fest.\n"
        "„Wir öffnen erst, wenn der Wind nachlässt“, sagte der Hafenmeister, der die Nacht im Büro "
        "verbracht hatte. Zwei Fähren rissen sich los, verletzt wurde niemand.\n"
        "Läden am Kai standen unter Wasser, die Feuerwehr pumpte vierzig Keller leer. Die Schulen auf "
        "den Inseln blieben zu, und das Krankenhaus schickte Patienten früher nach Hause.\n"
        "Meteorologen erwarten, dass der Sturm am Mittwochabend abflaut. Die erste Fähre soll am "
        "Donnerstag um sieben Uhr ablegen, teilte die Reederei mit."
    ),
)
RUSSIAN = Tongue(
    sections=("Главная", "Политика", "Экономика", "Спорт", "Культура", "Погода", "Контакты"),
    headline="Шторм третий день не даёт открыть порт",
    byline="Анна Иванова, 12 марта 2024, 10:32",
    related=(
        "Паромная компания сокращает летнее расписание",
        "Что посмотреть на островах весной",
        "Рыбаки просят помощи после шторма",
        "Новый музей маяка откроется в мае",
    ),
    notice="© 2024 Портовые новости. Все права защищены.",
    comments=("Я ждал на причале шесть часов, и никто нам ничего не сказал.", "Берегите себя, ветер очень сильный."),
    paragraphs=_lines(
        "Порт оставался закрытым и во вторник: шторм со скоростью ветра более ста километров в час "
        "обрушился на побережье, и сотни путешественников застряли в старом городе.\n"
        "«Мы не откроемся, пока ветер не стихнет», — сказал начальник порта, который провёл ночь в "
        "своём кабинете. Два парома сорвались с якоря, но никто не пострадал.\n"
        "Магазины на набережной затопило, пожарные откачали воду из сорока подвалов. Школы на островах "
        "закрыты, а больница раньше времени отпустила пациентов домой.\n"
        "Синоптики ожидают, что шторм ослабеет в среду вечером. Первый паром должен отправиться в "
        "четверг в семь утра, говорится в сообщении компании."
    ),
)
ARABIC = Tongue(
    sections=("الرئيسية", "سياسة", "اقتصاد", "رياضة", "ثقافة", "طقس", "اتصل بنا"),
    headline="العاصفة تغلق الميناء لليوم الثالث",
    byline="ليلى حسن، 12 مارس 2024",
    related=("شركة العبارات تقلص جدول الصيف", "ماذا ترى في الجزر هذا الربيع", "الصيادون يطلبون المساعدة بعد العاصفة"),
    notice="© 2024 أخبار الميناء. جميع الحقوق محفوظة.",
    comments=("انتظرت ست ساعات على الرصيف ولم يخبرنا أحد بشيء.", "ابقوا بأمان، الريح أقوى من العام الماضي."),
    paragraphs=_lines(
        "بقي الميناء مغلقا يوم الثلاثاء بسبب عاصفة تجاوزت سرعة رياحها مئة كيلومتر في الساعة، ما ترك "
        "مئات المسافرين عالقين في المدينة القديمة.\n"
        "وقال مدير الميناء: «لن نفتح قبل أن تهدأ الرياح»، وكان قد أمضى الليل في مكتبه. وانقطعت حبال "
        "عبارتين، لكن لم يصب أحد.\n"
        "وغمرت المياه المحال على الرصيف، وضخ رجال الإطفاء المياه من أربعين قبوا. وبقيت المدارس في الجزر "
        "مغلقة، وأعاد المستشفى مرضاه إلى بيوتهم مبكرا.\n"
        "ويتوقع خبراء الأرصاد أن تضعف العاصفة مساء الأربعاء. ومن المقرر أن تغادر أول عبارة صباح الخميس، "
        "بحسب بيان للشركة."
    ),
)
TONGUES = {"en": ENGLISH, "zh": CHINESE, "de": GERMAN, "ru": RUSSIAN, "ar": ARABIC}


def paragraphs(tongue: Tongue) -> str:
    return "".join(f"<p>{text}</p>" for text in tongue.paragraphs)


def page(tongue: Tongue, body: str, *, after: str = "") -> str:
    """Return a page with ``body`` as its article.

    :param after: markup below the article, inside the main column.
    """
    menu = "".join(f"<li><a href='/s{n}'>{name}</a></li>" for n, name in enumerate(tongue.sections))
    stories = "".join(f"<li><a href='/news/{n}.html'>{title}</a></li>" for n, title in enumerate(tongue.related))
    hot = "".join(
        f"<div class='t'><a href='/news/9{n}.html'>{title}</a></div>" for n, title in enumerate(tongue.related)
    )
    return (
        f"<html><head><title>{tongue.headline} - {tongue.sections[0]}</title></head><body>"
        f"<div id='top'><ul>{menu}</ul></div>"
        f"<div class='main'><div class='left'><h1>{tongue.headline}</h1><div class='info'>{tongue.byline}</div>"
        f"<div class='detail'>{body}</div>{after}<div class='more'><ul>{stories}</ul></div></div>"
        f"<div class='right'>{hot}</div></div>"
        f"<div id='footer'><ul>{menu}</ul><p>{tongue.notice}</p></div></body></html>"
    )
