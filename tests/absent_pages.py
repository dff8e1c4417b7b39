# ruff: noqa: E501 (a page a line)
"""Pages without a story, and stories as short as those, in many languages, in the frames of several content systems.

Names and texts are made up. ``ABSENT`` are pages that stand where a story was: gone, behind a log-in, a question for
consent, a notice. ``STORIES`` are short: flashes, pictures, players, obituaries, stories about such pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.outcomes import Rejection

if TYPE_CHECKING:
    from collections.abc import Callable

GONE, LOGIN, CONSENT, NOTICE = Rejection.SOFT_404, Rejection.LOGIN, Rejection.CONSENT, Rejection.NOTICE
HOST: Final = "https://www.paper-example.org"


@dataclass(frozen=True, slots=True)
class Paper:
    name: str
    menu: str
    stories: str
    """Headlines of other stories; the first is that of the story that is asked for."""
    foot: str


PAPERS: Final = {
    "en": Paper(
        "The Eastmoor Post",
        "News Sport Culture Opinion",
        "Harbour board buys a second tug|Old cinema opens as a library|Three rescued from a drifting yacht|Bus fares frozen",
        "© Eastmoor Post. All rights reserved",
    ),
    "de": Paper(
        "Moorbacher Tagblatt",
        "Politik Sport Kultur Region",
        "Stadtwerke kaufen zwei neue Fähren|Altes Kino wird zur Bücherei|Drei Segler aus Seenot gerettet|Buspreise bleiben",
        "© Moorbacher Tagblatt. Alle Rechte vorbehalten",
    ),
    "fr": Paper(
        "L'Écho de Vaubourg",
        "Politique Sport Culture Société",
        "Le port achète un second remorqueur|L'ancien cinéma devient médiathèque|Trois marins secourus|Prix du bus gelés",
        "© L'Écho de Vaubourg. Tous droits réservés",
    ),
    "es": Paper(
        "El Correo de Villaseca",
        "Política Deportes Cultura Opinión",
        "El puerto compra un segundo remolcador|El viejo cine será biblioteca|Rescatan a tres navegantes|Suben los alquileres",
        "© El Correo de Villaseca. Todos los derechos reservados",
    ),
    "pt": Paper(
        "Diário da Foz",
        "Política Desporto Cultura Opinião",
        "Porto compra segundo rebocador por dois milhões|Antigo cinema vira biblioteca|Três pescadores resgatados|Tarifas",
        "© Diário da Foz. Todos os direitos reservados",
    ),
    "it": Paper(
        "La Voce di Montelago",
        "Politica Sport Cultura Cronaca",
        "Il porto compra un secondo rimorchiatore|Il vecchio cinema diventa biblioteca|Tre velisti salvati|Bus, prezzi fermi",
        "© La Voce di Montelago. Tutti i diritti riservati",
    ),
    "pl": Paper(
        "Kurier Zalewski",
        "Polityka Sport Kultura Region",
        "Port kupuje drugi holownik za dwa miliony|Dawne kino będzie biblioteką|Uratowano trzech żeglarzy|Ceny biletów stoją",
        "© Kurier Zalewski. Wszelkie prawa zastrzeżone",
    ),
    "sv": Paper(
        "Viksunds Tidning",
        "Nyheter Sport Kultur Ledare",
        "Hamnen köper en andra bogserbåt|Gamla biografen blir bibliotek|Tre seglare räddade|Busspriserna ligger kvar",
        "© Viksunds Tidning. Alla rättigheter förbehållna",
    ),
    "ru": Paper(
        "Заозёрский листок",
        "Политика Спорт Культура Общество",
        "Порт купил второй буксир за два миллиона|Старый кинотеатр станет библиотекой|Спасены трое яхтсменов|Проезд",
        "© Заозёрский листок. Все права защищены",
    ),
    "el": Paper(
        "Φωνή της Λίμνης",
        "Πολιτική Αθλητισμός Πολιτισμός Κοινωνία",
        "Το λιμάνι αγόρασε δεύτερο ρυμουλκό|Ο παλιός κινηματογράφος γίνεται βιβλιοθήκη|Σώθηκαν τρεις ναυτικοί|Εισιτήρια",
        "© Φωνή της Λίμνης. Με επιφύλαξη παντός δικαιώματος",
    ),
    "tr": Paper(
        "Göl Postası",
        "Siyaset Spor Kültür Gündem",
        "Liman ikinci römorkörünü satın aldı|Eski sinema kütüphane oluyor|Üç denizci kurtarıldı|Otobüs ücretleri aynı",
        "© Göl Postası. Tüm hakları saklıdır",
    ),
    "ar": Paper(
        "صدى البحيرة",
        "سياسة رياضة ثقافة مجتمع",
        "الميناء يشتري قاطرة ثانية بمليوني دينار|السينما القديمة تصبح مكتبة عامة|إنقاذ ثلاثة بحارة قرب المنارة|أسعار الحافلات",
        "© صدى البحيرة. جميع الحقوق محفوظة",
    ),
    "he": Paper(
        "הד האגם",
        "פוליטיקה ספורט תרבות חברה",
        "הנמל קנה גוררת שנייה בשני מיליון|בית הקולנוע הישן יהיה לספרייה|שלושה שייטים חולצו ליד המגדלור|מחירי הנסיעה",
        "© הד האגם. כל הזכויות שמורות",
    ),
    "hi": Paper(
        "झील समाचार",
        "राजनीति खेल संस्कृति समाज",
        "बंदरगाह ने दूसरी कर्षण नौका खरीदी|पुराना सिनेमाघर अब पुस्तकालय बनेगा|तीन नाविक बचाए गए|बस किराया नहीं बढ़ेगा",
        "© झील समाचार. सर्वाधिकार सुरक्षित",
    ),
    "th": Paper(
        "ข่าวทะเลสาบ",
        "การเมือง กีฬา วัฒนธรรม สังคม",
        "ท่าเรือซื้อเรือลากจูงลำที่สองราคาสองล้าน|โรงหนังเก่ากลายเป็นห้องสมุดประชาชน|ช่วยชาวเรือสามคนใกล้ประภาคาร|ค่ารถเมล์",
        "© ข่าวทะเลสาบ สงวนลิขสิทธิ์",
    ),
    "zh": Paper(
        "湖岸新闻网",
        "时政 体育 文化 社会",
        "湖岸港务局购入第二艘拖轮|老电影院改建为公共图书馆|三名船员在灯塔附近获救|公交票价今年不上涨",
        "© 湖岸新闻网 版权所有",
    ),
    "ja": Paper(
        "湖畔日報",
        "政治 スポーツ 文化 社会",
        "湖畔港が二隻目の曳船を購入へ|旧映画館が市立図書館に生まれ変わる|灯台沖で三人を救助|バス運賃は据え置き",
        "© 湖畔日報 無断転載を禁じます",
    ),
    "ko": Paper(
        "호숫가일보",
        "정치 스포츠 문화 사회",
        "항만청 두 번째 예인선 구입하기로|옛 극장이 시립 도서관으로 바뀐다|등대 앞바다에서 세 명 구조|버스 요금 동결",
        "© 호숫가일보 무단 전재 금지",
    ),
    "vi": Paper(
        "Báo Ven Hồ",
        "Thời-sự Thể-thao Văn-hóa Xã-hội",
        "Cảng mua chiếc tàu kéo thứ hai|Rạp phim cũ thành thư viện thành phố|Cứu ba thủy thủ gần hải đăng|Giá vé xe buýt",
        "© Báo Ven Hồ. Giữ bản quyền",
    ),
    "id": Paper(
        "Suara Danau",
        "Politik Olahraga Budaya Daerah",
        "Pelabuhan membeli kapal tunda kedua|Bioskop lama jadi perpustakaan kota|Tiga pelaut diselamatkan|Tarif bus tetap",
        "© Suara Danau. Hak cipta dilindungi",
    ),
}


def story_of(language: str) -> str:
    """Return the headline of the story that is asked for."""
    return PAPERS[language].stories.split("|")[0]


def _read(paper: Paper) -> list[tuple[str, str]]:
    return [(f"/2024/0{n}/1{n}/read-{n}0{n}.html", name) for n, name in enumerate(paper.stories.split("|")[1:], 1)]


def _items(pairs: list[tuple[str, str]]) -> str:
    return "".join(f'<li><a href="{path}">{name}</a></li>' for path, name in pairs)


def _menu(paper: Paper) -> str:
    return _items([(f"/{n}/", name) for n, name in enumerate(paper.menu.split())])


def plain(language: str, title: str, main: str) -> str:
    paper = PAPERS[language]
    return (
        f'<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head><body><div class="wrap">'
        f'<header class="top"><a class="logo" href="/"><img src="/l.png" alt="{paper.name}"></a><ul class="menu">'
        f'{_menu(paper)}</ul></header><div class="cols"><div class="main">{main}</div><div class="right"><div class="box">'
        f'<h3>{paper.menu.split()[0]}</h3><ul>{_items(_read(paper))}</ul></div></div></div><footer class="bottom">'
        f"<p>{paper.foot}</p></footer></div></body></html>"
    )


def wordpress(language: str, title: str, main: str) -> str:
    paper = PAPERS[language]
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title><meta name="generator" '
        f'content="WordPress 6.4"></head><body class="wp-theme-made"><header id="masthead"><p class="site-title"><a href="/" '
        f'rel="home">{paper.name}</a></p><nav class="main-navigation"><ul>{_menu(paper)}</ul></nav><form role="search" '
        f'class="search-form" action="/"><input type="search" name="s"></form></header><main id="main" class="site-main">'
        f'<section>{main}</section></main><aside id="secondary" class="widget-area"><section class="widget"><h2>'
        f"{paper.menu.split()[-1]}</h2><ul>{_items(_read(paper))}</ul></section></aside><footer id='colophon'>{paper.foot}"
        f"</footer></body></html>"
    )


def drupal(language: str, title: str, main: str) -> str:
    paper = PAPERS[language]
    return (
        f'<html lang="{language}" dir="ltr"><head><meta charset="utf-8"><title>{title}</title><meta name="Generator" '
        f'content="Drupal 10"></head><body class="path-node"><div id="page-wrapper"><div class="region region-header"><a '
        f'href="/">{paper.name}</a></div><nav class="menu--main"><ul class="menu">{_menu(paper)}</ul></nav><main role="main">'
        f'<div class="region region-content"><div class="block-system-main-block">{main}</div></div></main><div class="region '
        f'region-sidebar-second"><div class="views-rows">'
        + "".join(f'<div class="views-row"><h4><a href="{path}">{name}</a></h4></div>' for path, name in _read(paper))
        + f'</div></div><div class="region region-footer">{paper.foot}</div></div></body></html>'
    )


def tables(language: str, title: str, main: str) -> str:
    paper = PAPERS[language]
    return (
        f"<html><head><meta http-equiv=Content-Type content='text/html; charset=utf-8'><title>{title}</title></head><body>"
        f"<table width=960><tr><td colspan=2><a href=/><img src=/l.gif alt='{paper.name}'></a></td></tr><tr>"
        + "".join(f"<td><a href=/{n}/>{name}</a></td>" for n, name in enumerate(paper.menu.split()))
        + f"</tr></table><table width=960><tr><td width=660>{main}</td><td width=300><ul>{_items(_read(paper))}</ul></td></tr>"
        f"</table><center>{paper.foot}</center></body></html>"
    )


def soup(language: str, title: str, main: str) -> str:
    paper = PAPERS[language]
    links = "".join(f'<a class="css-9f2" href="/{n}">{name}</a>' for n, name in enumerate(paper.menu.split()))
    cards = "".join(
        f'<a class="css-77a" href="{path}"><span class="css-3b">{name}</span></a>' for path, name in _read(paper)
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title><meta property="og:type" '
        f'content="website"><meta property="og:site_name" content="{paper.name}"></head><body><div id="root"><div '
        f'class="css-1kk"><div class="css-a1">{paper.name}</div>{links}</div><div class="css-2lm"><div class="css-mm">{main}'
        f'</div><div class="css-4d">{cards}</div></div><div class="css-zz">{paper.foot}</div></div></body></html>'
    )


def bare(language: str, title: str, main: str) -> str:
    paper = PAPERS[language]
    return (
        f'<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head><body><div class="container">'
        f'<a href="/">{paper.name}</a>{main}<footer>{paper.foot}</footer></div></body></html>'
    )


FRAMES: Final[tuple[Callable[[str, str, str], str], ...]] = (plain, wordpress, drupal, tables, soup, bare)

PASSWORD: Final = (
    '<form method="post"><input type="email" name="u"><input type="password" name="p"><button>OK</button></form>'
)
SEARCH: Final = '<form action="/"><input type="search" name="s"><button>→</button></form>'
CHOICE: Final = '<form><button class="a">{}</button><button class="b">{}</button></form>'

ABSENT: Final[tuple[tuple[Rejection, str, str, str, str], ...]] = (
    # kind, language, what the title says (s: the story, o: the page's own heading, p: the paper), heading, what is below
    (GONE, "en", "s", "We have lost that page", "<p>It may have moved, or the link may be wrong.</p><p>Go to the <a href='/'>front page</a>.</p>"),
    (GONE, "en", "o", "404: Page not found", "<p>Sorry, we cannot find what you are looking for.</p>" + SEARCH),
    (GONE, "de", "s", "Hier ist leider nichts mehr", "<p>Der Beitrag wurde gelöscht oder verschoben. Bitte gehen Sie zur <a href='/'>Startseite</a>.</p>"),
    (GONE, "de", "o", "Seite nicht gefunden", "<p>Die gewünschte Seite gibt es nicht oder nicht mehr.</p><p><a href='/'>Zur Startseite</a></p>"),
    (GONE, "fr", "s", "Oups, cette page a disparu", "<p>L'adresse que vous avez suivie n'existe plus.</p><p>Retournez à <a href='/'>l'accueil</a> ou cherchez.</p>" + SEARCH),
    (GONE, "es", "o", "Error 404", "<p>La página que buscas no existe o ha cambiado de dirección.</p><p><a href='/'>Volver a la portada</a></p>"),
    (GONE, "it", "s", "Contenuto non più disponibile", "<p>L'articolo che cercavi è stato rimosso. Torna alla <a href='/'>prima pagina</a>.</p>"),
    (GONE, "pl", "s", "Tej strony już nie ma", "<p>Adres mógł się zmienić albo artykuł został usunięty.</p>" + SEARCH),
    (GONE, "ru", "s", "Такой страницы нет", "<p>Возможно, она удалена или вы ошиблись в адресе. Вернитесь <a href='/'>на главную</a>.</p>"),
    (GONE, "el", "s", "Η σελίδα δεν υπάρχει πια", "<p>Ίσως άλλαξε διεύθυνση ή διαγράφηκε.</p><p><a href='/'>Αρχική</a></p>"),
    (GONE, "ar", "s", "عذرا، لا توجد هذه الصفحة", "<p>ربما حذفت أو تغير عنوانها.</p><p><a href='/'>العودة إلى الرئيسية</a></p>"),
    (GONE, "he", "o", "404", "<p>הדף שחיפשת אינו קיים עוד. אפשר לחזור אל <a href='/'>הדף הראשי</a>.</p>"),
    (GONE, "hi", "s", "यह पन्ना अब नहीं है", "<p>हो सकता है कि यह हटा दिया गया हो। कृपया <a href='/'>मुख्य पृष्ठ</a> पर जाएँ।</p>"),
    (GONE, "zh", "s", "您要找的内容走丢了", "<p>该页面可能已被删除，或者地址有误。</p><p>五秒后自动返回<a href='/'>首页</a></p>"),
    (GONE, "zh", "p", "页面不存在", "<p>抱歉，您访问的文章已被删除或不存在。</p><p><a href='/'>返回首页</a></p>"),
    (GONE, "ja", "s", "お探しのページは見つかりません", "<p>記事は削除されたか、公開期間が終了しました。</p><p><a href='/'>トップページへ戻る</a></p>"),
    (GONE, "ko", "s", "페이지를 찾을 수 없습니다", "<p>삭제되었거나 주소가 변경된 기사입니다.</p><p><a href='/'>첫 화면으로</a></p>"),
    (GONE, "th", "s", "ไม่พบหน้าที่ท่านต้องการ", "<p>หน้านี้อาจถูกลบหรือย้ายไปแล้ว</p><p><a href='/'>กลับหน้าแรก</a></p>"),
    (GONE, "vi", "s", "Không tìm thấy trang này", "<p>Trang bạn tìm có thể đã bị xóa hoặc đổi địa chỉ. Về <a href='/'>trang chủ</a>.</p>"),
    (GONE, "tr", "o", "Sayfa bulunamadı", "<p>Aradığınız sayfa kaldırılmış olabilir.</p>" + SEARCH),
    (GONE, "id", "s", "Waduh, halaman ini hilang", "<p>Tautan yang Anda buka sudah tidak ada atau dipindahkan.</p><p><a href='/'>Kembali ke beranda</a></p>"),
    (GONE, "sv", "s", "Sidan finns inte längre", "<p>Artikeln kan ha tagits bort. Gå till <a href='/'>startsidan</a> i stället.</p>"),
    (GONE, "pt", "o", "Página não encontrada", "<p>O endereço não existe ou foi alterado.</p><p><a href='/'>Voltar ao início</a></p>"),
    (LOGIN, "en", "s", "Members only from here", "<p>Please sign in to read on.</p>" + PASSWORD + "<p>No account yet? It takes a minute.</p>"),
    (LOGIN, "en", "o", "Log in", PASSWORD + "<p><a href='/lost'>Forgot your password?</a></p>"),
    (LOGIN, "de", "s", "Bitte melden Sie sich an", "<p>Dieser Text ist für angemeldete Leser.</p>" + PASSWORD + "<p><a href='/neu'>Konto anlegen</a></p>"),
    (LOGIN, "de", "o", "Anmelden", PASSWORD + "<p><a href='/pw'>Passwort vergessen?</a></p>"),
    (LOGIN, "fr", "s", "Identifiez-vous pour continuer", "<p>Entrez votre adresse et votre mot de passe.</p>" + PASSWORD),
    (LOGIN, "es", "s", "Accede a tu cuenta", "<p>Para seguir leyendo necesitas entrar con tu usuario.</p>" + PASSWORD),
    (LOGIN, "it", "s", "Accedi per leggere", "<p>Inserisci le tue credenziali, oppure registrati gratuitamente.</p>" + PASSWORD),
    (LOGIN, "ru", "s", "Вход для читателей", "<p>Введите адрес почты и пароль, чтобы продолжить чтение.</p>" + PASSWORD),
    (LOGIN, "pl", "s", "Zaloguj się, aby czytać dalej", "<p>Nie masz konta? Zarejestruj się.</p>" + PASSWORD),
    (LOGIN, "ar", "s", "سجل الدخول للمتابعة", "<p>هذا المقال للقراء المسجلين فقط.</p>" + PASSWORD),
    (LOGIN, "zh", "s", "请先登录后阅读全文", "<p>还没有账号？立即注册，只需一分钟。</p>" + PASSWORD),
    (LOGIN, "zh", "o", "用户登录", PASSWORD + "<p><a href='/find'>忘记密码</a></p>"),
    (LOGIN, "ja", "s", "ログインしてください", "<p>この記事は会員の方だけがお読みいただけます。</p>" + PASSWORD),
    (LOGIN, "ko", "s", "로그인이 필요합니다", "<p>회원만 볼 수 있는 기사입니다.</p>" + PASSWORD),
    (LOGIN, "hi", "s", "पढ़ने के लिए साइन इन करें", "<p>कृपया अपना ईमेल और पासवर्ड दें।</p>" + PASSWORD),
    (LOGIN, "tr", "s", "Devam etmek için giriş yapın", "<p>Bu yazı üyelerimize özeldir.</p>" + PASSWORD),
    (CONSENT, "en", "s", "Your choice about your data", "<p>We and our partners store small files on your device to show you advertising that fits and to count readers.</p>" + CHOICE.format("Accept", "Refuse")),
    (CONSENT, "en", "o", "Before you go on", "<p>We use cookies and the like. You may agree to all of them, or choose.</p>" + CHOICE.format("Agree", "Choose")),
    (CONSENT, "de", "s", "Weiterlesen mit Werbung oder im Abo", "<p>Wir und unsere Partner speichern Angaben auf Ihrem Gerät und werten aus, was Sie lesen.</p>" + CHOICE.format("Zustimmen", "Abo wählen")),
    (CONSENT, "fr", "s", "Avec votre accord", "<p>Nos partenaires et nous déposons des traceurs pour mesurer l'audience et choisir la publicité.</p>" + CHOICE.format("Accepter", "Refuser")),
    (CONSENT, "es", "s", "Tu privacidad, primero", "<p>Guardamos datos en tu dispositivo para medir las visitas y elegir los anuncios.</p>" + CHOICE.format("Acepto", "No acepto")),
    (CONSENT, "it", "s", "Scegli come proseguire", "<p>Noi e i nostri partner conserviamo informazioni sul dispositivo per misurare le visite.</p>" + CHOICE.format("Accetto", "Rifiuto")),
    (CONSENT, "pl", "s", "Twoje dane, Twój wybór", "<p>My i nasi partnerzy zapisujemy pliki na Twoim urządzeniu, aby dobierać reklamy.</p>" + CHOICE.format("Zgadzam się", "Nie")),
    (CONSENT, "sv", "s", "Du bestämmer över dina uppgifter", "<p>Vi sparar uppgifter på din enhet för att mäta besök och välja annonser.</p>" + CHOICE.format("Godkänn", "Neka")),
    (CONSENT, "ru", "s", "Нам нужно ваше согласие", "<p>Мы храним на вашем устройстве небольшие файлы, чтобы считать посещения и подбирать рекламу.</p>" + CHOICE.format("Да", "Нет")),
    (CONSENT, "el", "s", "Εσείς αποφασίζετε", "<p>Αποθηκεύουμε μικρά αρχεία στη συσκευή σας για να μετράμε τις επισκέψεις.</p>" + CHOICE.format("Ναι", "Όχι")),
    (CONSENT, "ja", "s", "続きを読む前に", "<p>当社と提携先は、閲覧の状況を知るために端末に情報を保存します。</p>" + CHOICE.format("同意する", "拒否する")),
    (CONSENT, "zh", "s", "阅读之前请先选择", "<p>我们会在您的设备上保存少量文件，用于统计访问并选择广告。</p>" + CHOICE.format("同意", "拒绝")),
    (CONSENT, "tr", "s", "Karar sizin", "<p>Ziyaretleri saymak ve reklam seçmek için cihazınızda küçük dosyalar saklıyoruz.</p>" + CHOICE.format("Evet", "Hayır")),
    (CONSENT, "pt", "s", "A decisão é sua", "<p>Guardamos dados no seu aparelho para medir as visitas e escolher os anúncios.</p>" + CHOICE.format("Sim", "Não")),
    (NOTICE, "en", "s", "Not available where you are", "<p>We are sorry: readers in your country cannot open this page at present.</p>"),
    (NOTICE, "de", "s", "In Ihrem Land nicht verfügbar", "<p>Aus rechtlichen Gründen können wir diese Seite in Ihrem Land nicht zeigen.</p>"),
    (NOTICE, "fr", "s", "Indisponible dans votre pays", "<p>Pour des raisons juridiques, cette page ne peut être affichée là où vous êtes.</p>"),
    (NOTICE, "es", "s", "Contenido no disponible en tu región", "<p>Por motivos legales no podemos mostrar esta página desde tu país.</p>"),
    (NOTICE, "ru", "s", "Недоступно в вашем регионе", "<p>По юридическим причинам мы не можем показать эту страницу в вашей стране.</p>"),
    (NOTICE, "zh", "s", "您所在的地区无法访问", "<p>由于相关规定，本页面暂不向您所在的国家或地区开放。</p>"),
    (NOTICE, "ja", "s", "お住まいの地域ではご利用いただけません", "<p>法律上の理由により、このページを表示することができません。</p>"),
    (NOTICE, "ar", "s", "غير متاح في بلدك", "<p>لأسباب قانونية لا يمكننا عرض هذه الصفحة حيث أنت.</p>"),
    (NOTICE, "ko", "s", "해당 지역에서는 볼 수 없습니다", "<p>법적인 이유로 이 페이지를 보여 드릴 수 없습니다.</p>"),
    (NOTICE, "vi", "s", "Không dùng được ở nước bạn", "<p>Vì lý do pháp lý, chúng tôi không thể hiển thị trang này tại nơi bạn ở.</p>"),
    (NOTICE, "en", "s", "Back in a moment", "<p>We are doing some work on our servers and will be with you again within the hour.</p>"),
    (NOTICE, "de", "s", "Wir sind gleich zurück", "<p>Unsere Technik arbeitet gerade an den Servern. Versuchen Sie es in einer Stunde noch einmal.</p>"),
    (NOTICE, "fr", "s", "Un peu de patience", "<p>Le site est en travaux. Revenez dans une heure, tout sera rentré dans l'ordre.</p>"),
    (NOTICE, "it", "s", "Lavori in corso", "<p>Stiamo aggiornando il sito. Torneremo tra poco, grazie per la pazienza.</p>"),
    (NOTICE, "ru", "s", "Ведутся технические работы", "<p>Сайт временно недоступен. Зайдите к нам через час.</p>"),
    (NOTICE, "zh", "s", "系统维护中", "<p>网站正在升级，预计一小时后恢复访问，敬请谅解。</p>"),
    (NOTICE, "ja", "s", "ただいまメンテナンス中です", "<p>ご迷惑をおかけします。一時間ほどで再開する予定です。</p>"),
    (NOTICE, "pt", "s", "Voltamos já", "<p>Estamos a fazer obras no servidor. Tente de novo dentro de uma hora.</p>"),
    (NOTICE, "hi", "s", "रखरखाव चल रहा है", "<p>साइट पर काम चल रहा है। कृपया एक घंटे बाद आएँ।</p>"),
    (NOTICE, "he", "s", "מיד נשוב", "<p>האתר בתחזוקה. נסו שוב בעוד שעה.</p>"),
    (NOTICE, "en", "s", "This one is for subscribers", "<p>Subscribers read everything, from two pounds a week.</p><p><a href='/subscribe'>See the offers</a></p>"),
    (NOTICE, "de", "s", "Nur für Abonnenten", "<p>Mit einem Abo lesen Sie alles, ab zwei Euro in der Woche.</p><p><a href='/abo'>Zu den Angeboten</a></p>"),
    (NOTICE, "fr", "s", "Réservé aux abonnés", "<p>Abonnez-vous pour lire la suite, dès deux euros par semaine.</p><p><a href='/offres'>Voir les offres</a></p>"),
    (NOTICE, "es", "s", "Solo para suscriptores", "<p>Suscríbete y lee todo por dos euros a la semana.</p><p><a href='/planes'>Ver los planes</a></p>"),
    (NOTICE, "it", "s", "Riservato agli abbonati", "<p>Con l'abbonamento leggi tutto, da due euro alla settimana.</p><p><a href='/abbonati'>Le offerte</a></p>"),
    (NOTICE, "pl", "s", "Tylko dla prenumeratorów", "<p>Prenumeratorzy czytają wszystko od ośmiu złotych tygodniowo.</p><p><a href='/oferta'>Zobacz ofertę</a></p>"),
    (NOTICE, "sv", "s", "Endast för prenumeranter", "<p>Som prenumerant läser du allt, från tjugo kronor i veckan.</p><p><a href='/kop'>Se erbjudanden</a></p>"),
    (NOTICE, "ja", "s", "有料会員限定の記事です", "<p>会員になると、すべての記事をお読みいただけます。</p><p><a href='/plan'>料金を見る</a></p>"),
    (NOTICE, "zh", "s", "本文仅限订阅用户阅读", "<p>订阅后可阅读全部内容，每周只需两元。</p><p><a href='/vip'>查看套餐</a></p>"),
    (NOTICE, "ko", "s", "구독자 전용 기사입니다", "<p>구독하시면 모든 기사를 읽으실 수 있습니다.</p><p><a href='/plan'>구독 안내</a></p>"),
    (NOTICE, "id", "s", "Khusus pelanggan", "<p>Berlangganan untuk membaca semua berita, mulai dua puluh ribu rupiah seminggu.</p><p><a href='/langganan'>Lihat paket</a></p>"),
    (NOTICE, "tr", "s", "Yalnızca aboneler için", "<p>Aboneler haftada on liraya her şeyi okur.</p><p><a href='/abone'>Teklifler</a></p>"),
)  # fmt: skip
"""Each stands where the first story of its paper was."""

STORIES: Final[tuple[tuple[str, str, str], ...]] = (
    # language, headline, what is below; {day} is a printed date
    ("en", "Ferry runs aground off Eastmoor", "<p>{day}</p><p>The evening ferry ran aground off Eastmoor on Monday; nobody was hurt.</p>"),
    ("en", "Council leader resigns", "<p>Council leader Ada Fenn resigned on Tuesday evening, her office said.</p>"),
    ("en", "Low tide at the old pier", "<figure><img src='/p/1.jpg' alt=''><figcaption>The old pier at low tide on Sunday morning. Photo: R. Holt</figcaption></figure>"),
    ("en", "Watch: seals return to the bay", "<video src='/v/1.mp4' controls></video><p>About forty seals have come back to the bay, rangers say.</p>"),
    ("en", "Edith Marlow, 1931–2024", "<p>Edith Marlow, who taught three generations of Eastmoor children to swim, has died aged 92.</p>"),
    ("en", "Hackers steal passwords of town library users", "<p>{day}</p><p>About 900 people must choose a new password and log in again, the library said.</p>"),
    ("en", "Why every website shows 404 when a page is not found", "<p>The number was given to missing pages in 1992, says Tom Brace, who collects error pages.</p>"),
    ("en", "New law would let browsers refuse cookies for you", "<p>Readers would be asked once, not on each page, under a bill before parliament.</p>"),
    ("en", "City website down for maintenance until Friday", "<p>Forms for parking permits cannot be sent until Friday noon, the city said.</p>"),
    ("de", "Fähre läuft vor Moorbach auf Grund", "<p>{day}</p><p>Die Abendfähre ist am Montag auf Grund gelaufen; verletzt wurde niemand.</p>"),
    ("de", "Bürgermeisterin tritt zurück", "<p>Bürgermeisterin Ada Fenn ist am Dienstag zurückgetreten, teilte das Rathaus mit.</p>"),
    ("de", "Bild des Tages: Nebel über dem Moor", "<figure><img src='/p/2.jpg' alt=''><figcaption>Am Sonntagmorgen lag der Nebel über dem Moor. Foto: R. Holt</figcaption></figure>"),
    ("de", "Video: Robben kehren in die Bucht zurück", "<iframe src='https://player.example/2'></iframe><p>Rund vierzig Robben sind wieder in der Bucht.</p>"),
    ("de", "Passwörter der Stadtbücherei gestohlen", "<p>Rund 900 Nutzer müssen sich neu anmelden, teilte die Bücherei mit.</p>"),
    ("de", "Internetseite der Stadt wegen Wartung nicht erreichbar", "<p>{day}</p><p>Anträge können erst am Freitag wieder gestellt werden.</p>"),
    ("fr", "Un ferry s'échoue devant Vaubourg", "<p>{day}</p><p>Le ferry du soir s'est échoué lundi devant Vaubourg, sans faire de blessé.</p>"),
    ("fr", "La maire annonce sa démission", "<p>La maire, Ada Fenn, a annoncé mardi soir qu'elle quittait ses fonctions.</p>"),
    ("fr", "En images : marée basse sur le vieux port", "<figure><img src='/p/3.jpg'><figcaption>Le vieux port dimanche matin. Photo R. Holt</figcaption></figure>"),
    ("fr", "Cookies : une loi pour ne répondre qu'une fois", "<p>Les lecteurs ne seraient plus interrogés sur chaque page, selon un projet de loi.</p>"),
    ("es", "Encalla un ferri frente a Villaseca", "<p>{day}</p><p>El ferri de la tarde encalló el lunes sin que hubiera heridos.</p>"),
    ("es", "Dimite la alcaldesa", "<p>La alcaldesa, Ada Fenn, presentó su dimisión el martes por la noche.</p>"),
    ("es", "Vídeo: las focas vuelven a la bahía", "<video src='/v/3.mp4'></video><p>Unas cuarenta focas han vuelto a la bahía.</p>"),
    ("es", "Roban contraseñas de la biblioteca municipal", "<p>Unos 900 usuarios deberán cambiar la clave para acceder a su cuenta.</p>"),
    ("it", "Traghetto incagliato davanti a Montelago", "<p>{day}</p><p>Il traghetto della sera si è incagliato lunedì; nessun ferito.</p>"),
    ("it", "Si dimette la sindaca", "<p>La sindaca Ada Fenn ha lasciato l'incarico martedì sera.</p>"),
    ("it", "Addio a Edda Marlo, maestra di nuoto", "<p>Aveva 92 anni e ha insegnato a nuotare a tre generazioni di Montelago.</p>"),
    ("pt", "Ferry encalha ao largo da Foz", "<p>{day}</p><p>O ferry da tarde encalhou na segunda-feira, sem feridos.</p>"),
    ("pt", "Presidente da câmara demite-se", "<p>Ada Fenn deixou o cargo na terça-feira à noite.</p>"),
    ("pl", "Prom osiadł na mieliźnie", "<p>{day}</p><p>Wieczorny prom osiadł w poniedziałek na mieliźnie; nikt nie ucierpiał.</p>"),
    ("pl", "Burmistrz podała się do dymisji", "<p>Ada Fenn ustąpiła ze stanowiska we wtorek wieczorem.</p>"),
    ("sv", "Färja gick på grund vid Viksund", "<p>{day}</p><p>Kvällsfärjan gick på grund i måndags; ingen skadades.</p>"),
    ("sv", "Kommunalrådet avgår", "<p>Ada Fenn lämnar sitt uppdrag, meddelade hon på tisdagen.</p>"),
    ("ru", "Паром сел на мель у Заозёрска", "<p>{day}</p><p>Вечерний паром в понедельник сел на мель, никто не пострадал.</p>"),
    ("ru", "Глава города подала в отставку", "<p>Ада Фенн объявила об этом во вторник вечером.</p>"),
    ("ru", "Фото дня: туман над озером", "<figure><img src='/p/4.jpg'><figcaption>Озеро в воскресенье утром. Фото Р. Холта</figcaption></figure>"),
    ("ru", "Сайт мэрии закрыли на технические работы", "<p>Подать заявление можно будет не раньше пятницы, сообщили в мэрии.</p>"),
    ("el", "Πλοίο προσάραξε έξω από το λιμάνι", "<p>{day}</p><p>Το βραδινό πλοίο προσάραξε τη Δευτέρα, χωρίς τραυματίες.</p>"),
    ("el", "Παραιτήθηκε η δήμαρχος", "<p>Η Άντα Φεν ανακοίνωσε την παραίτησή της το βράδυ της Τρίτης.</p>"),
    ("tr", "Feribot karaya oturdu", "<p>{day}</p><p>Akşam feribotu pazartesi günü karaya oturdu; yaralanan olmadı.</p>"),
    ("tr", "Belediye başkanı istifa etti", "<p>Ada Fenn salı akşamı görevinden ayrıldığını açıkladı.</p>"),
    ("ar", "جنوح عبارة قرب المنارة", "<p>{day}</p><p>جنحت عبارة المساء يوم الاثنين ولم يصب أحد بأذى.</p>"),
    ("ar", "استقالة رئيسة البلدية", "<p>أعلنت آدا فين استقالتها مساء الثلاثاء.</p>"),
    ("he", "מעבורת עלתה על שרטון", "<p>{day}</p><p>מעבורת הערב עלתה על שרטון ביום שני ואיש לא נפגע.</p>"),
    ("he", "ראשת העיר התפטרה", "<p>עדה פן הודיעה על כך ביום שלישי בערב.</p>"),
    ("hi", "नाव रेत में फँसी", "<p>{day}</p><p>शाम की नाव सोमवार को रेत में फँस गई, कोई घायल नहीं हुआ।</p>"),
    ("hi", "नगर प्रमुख ने इस्तीफ़ा दिया", "<p>अदा फेन ने मंगलवार शाम को पद छोड़ने की घोषणा की।</p>"),
    ("th", "เรือข้ามฟากเกยตื้นหน้าท่า", "<p>{day}</p><p>เรือเที่ยวค่ำเกยตื้นเมื่อวันจันทร์ ไม่มีผู้บาดเจ็บ</p>"),
    ("zh", "快讯：湖岸港渡轮搁浅，无人受伤", "<p>{day}</p><p>湖岸新闻网讯，一艘渡轮周一晚在港口外搁浅，无人受伤。</p>"),
    ("zh", "湖岸市市长宣布辞职", "<p>湖岸市市长周二晚宣布辞职。</p>"),
    ("zh", "图片新闻：雾中的湖岸老码头", "<figure><img src='/p/5.jpg'><figcaption>周日清晨，老码头笼罩在雾中。陈明摄</figcaption></figure>"),
    ("zh", "视频：海豹重返湖岸湾", "<iframe src='https://player.example/5'></iframe><p>约四十只海豹重返湖岸湾。</p>"),
    ("zh", "市图书馆九百名读者登录密码被盗", "<p>图书馆提醒读者尽快修改密码后重新登录。</p>"),
    ("zh", "市政府网站系统维护，周五恢复访问", "<p>{day}</p><p>市政府办公室表示，网上申请周五中午起恢复受理。</p>"),
    ("ja", "湖畔港沖でフェリー座礁、けが人なし", "<p>{day}</p><p>月曜の夜、フェリーが港の沖で座礁した。けが人はいなかった。</p>"),
    ("ja", "市長が辞職を表明", "<p>市長は火曜の夜、辞職すると明らかにした。</p>"),
    ("ja", "【写真】朝霧に包まれた旧桟橋", "<figure><img src='/p/6.jpg'><figcaption>日曜の朝、霧に包まれた旧桟橋（撮影・堀田）</figcaption></figure>"),
    ("ja", "市立図書館のパスワード流出、九百人に影響", "<p>図書館は利用者にパスワードの変更を呼びかけている。</p>"),
    ("ko", "연락선 좌초, 부상자 없어", "<p>{day}</p><p>월요일 저녁 연락선이 항구 앞에서 좌초했으나 다친 사람은 없었다.</p>"),
    ("ko", "시장 사임 발표", "<p>시장은 화요일 저녁 자리에서 물러나겠다고 밝혔다.</p>"),
    ("vi", "Phà mắc cạn ngoài cảng", "<p>{day}</p><p>Chuyến phà tối thứ hai mắc cạn ngoài cảng, không ai bị thương.</p>"),
    ("vi", "Thị trưởng từ chức", "<p>Bà Ada Fenn tuyên bố từ chức tối thứ ba.</p>"),
    ("id", "Feri kandas di luar pelabuhan", "<p>{day}</p><p>Feri malam kandas pada hari Senin, tidak ada yang terluka.</p>"),
    ("id", "Wali kota mengundurkan diri", "<p>Ada Fenn mengumumkan pengunduran dirinya pada Selasa malam.</p>"),
)  # fmt: skip
DAY: Final = "2024-05-27 09:15"

LOGIN_BELOW: Final = f'<div class="comments"><h3>{{}}</h3>{PASSWORD}</div>'
"""A form below a story, for those who want to comment."""


def absent_page(number: int, frame: int = 0) -> tuple[str, str]:
    """Return address and markup of a page without a story."""
    kind, language, form, heading, below = ABSENT[number]
    paper = PAPERS[language].name
    title = {"s": f"{story_of(language)} - {paper}", "o": f"{heading} - {paper}", "p": paper}[form]
    markup = FRAMES[(number + frame) % len(FRAMES)](language, title, f"<h1>{heading}</h1>{below}")
    return f"{HOST}/2024/05/30/{kind}-{number}.html", markup


def story_page(number: int, frame: int = 0) -> tuple[str, str]:
    """Return address and markup of a short story."""
    language, headline, below = STORIES[number]
    paper = PAPERS[language].name
    main = f"<h1>{headline}</h1>{below.format(day=DAY)}"
    if number % 5 == 4:
        main += LOGIN_BELOW.format(PAPERS[language].menu.split()[-1])
    markup = FRAMES[(number + frame) % len(FRAMES)](language, f"{headline} - {paper}", main)
    return f"{HOST}/2024/05/30/story-{number}.html", markup
