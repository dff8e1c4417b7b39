# ruff: noqa: E501 (a page a line)
"""Pages that show something else in place of a story, and short stories that look like them, in 16 languages.

Names and texts are made up. ``OTHERS`` are results of a search, pages of a tag or an author, polls, goods, weather,
figures, forms, offers, lives. ``GONE`` call themselves posts, and stories are announced in their place. ``STORIES`` have tables, forms, links and figures beside a sentence or two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.absent_pages import HOST, PAPERS, bare, drupal, plain, soup, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


DAY: Final = '<div class="info">2024-05-06 09:30</div>'


def titles(language: str) -> list[str]:
    return PAPERS[language].stories.split("|")


def told(language: str, n: int = 1) -> str:
    return "".join(SENTENCES[language][:n])


def entries(n: int, form: str, names: Iterable[str]) -> str:
    return "".join(form.format(n=i, t=name) for i, name in zip(range(1, n + 1), names, strict=False))


def table(rows: Iterable[Iterable[object]]) -> str:
    return "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows) + "</table>"


def _parts(language: str) -> tuple[str, str, str]:
    """Return the paper's name, its menu, and its most read stories as items."""
    paper = PAPERS[language]
    menu = "".join(f'<li><a href="/{n}/">{name}</a></li>' for n, name in enumerate(paper.menu.split()))
    read = "".join(
        f'<li><a href="/2024/0{n}/read-{n}.html">{name}</a></li>' for n, name in enumerate(titles(language)[1:])
    )
    return paper.name, menu, read


def single_post(language: str, title: str, main: str) -> str:
    name, menu, read = _parts(language)
    return (
        f'<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head><body class="wp-singular single '
        f'single-post"><header><a href="/">{name}</a><nav><ul>{menu}</ul></nav></header><main><article class="post hentry">'
        f"{main}</article></main><aside><h2>+</h2><ul>{read}</ul></aside><footer>{PAPERS[language].foot}</footer></body></html>"
    )


def joomla(language: str, title: str, main: str) -> str:
    name, menu, read = _parts(language)
    return (
        f'<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title><meta name="generator" content="Joomla!">'
        f'</head><body class="view-article"><header><a href="/">{name}</a><ul>{menu}</ul></header><main><div itemscope '
        f'itemtype="https://schema.org/Article">{main}</div></main><div class="side"><h3>+</h3><ul>{read}</ul></div><footer>'
        f"{PAPERS[language].foot}</footer></body></html>"
    )


def gov(language: str, title: str, main: str) -> str:
    name, menu, _ = _parts(language)
    return (
        f'<html><head><meta charset="utf-8"><title>{title}</title></head><body><div class="header w1200"><a href="/">{name}</a>'
        f'</div><div class="nav"><ul>{menu}</ul></div><div class="position">&gt; <a href="/">{name}</a> &gt; <a href="/1/">1</a>'
        f'</div><div class="xl_con w1200">{main}</div><div class="footer"><p>{PAPERS[language].foot}</p></div></body></html>'
    )


def event(language: str, title: str, main: str) -> str:
    return plain(language, title, f'<div itemscope itemtype="https://schema.org/MusicEvent">{main}</div>')


FRAMES: Final[dict[str, Callable[[str, str, str], str]]] = {
    "plain": plain, "wp": single_post, "joomla": joomla, "gov": gov, "tables": tables, "soup": soup, "drupal": drupal, "bare": bare, "event": event,
}  # fmt: skip


SENTENCES: Final = {
    "zh": ("湖岸港务局昨天在码头举行了简短的交接仪式。", "新船将在下月投入使用，原有的船员全部留任。"),
    "ja": ("港湾局は昨日、埠頭で簡単な引き渡し式を行った。", "新しい船は来月から使われ、乗組員は全員残る。"),
    "ar": (
        "أقامت هيئة الميناء أمس حفلا قصيرا لتسلم القاطرة.",
        "ستعمل القاطرة الجديدة ابتداء من الشهر المقبل مع الطاقم نفسه.",
    ),
    "ru": (
        "Вчера управление порта провело на пирсе короткую церемонию.",
        "Новое судно выйдет на работу в следующем месяце, экипаж останется прежним.",
    ),
    "es": (
        "La autoridad del puerto celebró ayer una breve ceremonia en el muelle.",
        "El nuevo barco empezará a trabajar el mes que viene con la misma tripulación.",
    ),
    "hi": ("बंदरगाह प्राधिकरण ने कल घाट पर एक छोटा समारोह किया।", "नई नौका अगले महीने से उसी दल के साथ काम करेगी।"),
    "de": (
        "Die Hafenbehörde hat gestern am Kai eine kurze Feier abgehalten.",
        "Das neue Schiff fährt ab nächstem Monat mit der alten Mannschaft.",
    ),
    "fr": (
        "Les autorités du port ont tenu hier une brève cérémonie sur le quai.",
        "Le nouveau bateau entrera en service le mois prochain avec le même équipage.",
    ),
    "pt": (
        "A autoridade do porto realizou ontem uma breve cerimónia no cais.",
        "O novo barco começa a trabalhar no próximo mês com a mesma tripulação.",
    ),
    "ko": ("항만청은 어제 부두에서 짧은 인도식을 열었다.", "새 배는 다음 달부터 같은 승무원과 함께 운항한다."),
    "tr": (
        "Liman idaresi dün rıhtımda kısa bir tören düzenledi.",
        "Yeni tekne gelecek ay aynı mürettebatla çalışmaya başlayacak.",
    ),
    "vi": (
        "Ban quản lý cảng hôm qua đã tổ chức một buổi lễ ngắn trên bến.",
        "Con tàu mới sẽ hoạt động từ tháng sau với thủy thủ đoàn cũ.",
    ),
    "en": (
        "The harbour board held a short ceremony on the quay yesterday.",
        "The new boat goes to work next month with the same crew.",
    ),
    "it": (
        "L'autorità portuale ha tenuto ieri una breve cerimonia sul molo.",
        "La nuova barca entrerà in servizio il mese prossimo con lo stesso equipaggio.",
    ),
    "pl": (
        "Zarząd portu zorganizował wczoraj na nabrzeżu krótką uroczystość.",
        "Nowy statek zacznie pracę w przyszłym miesiącu z tą samą załogą.",
    ),
    "id": (
        "Otoritas pelabuhan kemarin mengadakan upacara singkat di dermaga.",
        "Kapal baru mulai bekerja bulan depan dengan awak yang sama.",
    ),
}

OTHERS: Final[tuple[tuple[str, str, str, str], ...]] = (
    # language, frame, heading, what is below
    ("de","event","Flohmarkt an der Mühle","<dl><dt>Datum</dt><dd><time itemprop='startDate' datetime='2024-07-10T15:00'>10.07.2024, 15 Uhr</time></dd></dl><p>"+told("de",2)+"</p>"),
    ("es","event","Concierto en la capilla",f"<p>10 de julio de 2024</p><p>{told('es', 2)}</p>"),
    ("en","soup","Driver for the night ferry",'<script type="application/ld+json">{"@type": "JobPosting", "title": "Driver", "name": "Driver for the night ferry", "datePosted": "2024-05-06"}</script><p>6 May 2024</p><p>'+told("en",2)+"</p>"),
    ("zh","gov","“港务”的搜索结果","<p>共找到 <em>4</em> 条结果</p>"+entries(4,'<div class="result"><a href="/s/{n}.html">{t}</a><p>'+SENTENCES["zh"][0]+"…</p><span>2024-03-0{n}</span></div>",titles("zh"))),
    ("de","plain","Suche nach Hafen",'<form><input name="q" value="Hafen"><button>Suchen</button></form><p>4 Treffer</p>'+entries(4,'<div class="hit"><h3><a href="/x/{n}">{t}</a></h3><p>'+SENTENCES["de"][0][:50]+" …</p></div>",titles("de"))),
    ("es","wp","Etiqueta: puerto",entries(4,'<section><h3><a href="/2023/0{n}/q/">{t}</a></h3><p>'+told("es",2)+' <a href="/2023/0{n}/q/">Leer más</a></p></section>',titles("es") * 2)),
    ("ja","joomla","「港」の記事一覧","<dl>"+entries(4,'<dt><a href="/k/{n}.html">{t}</a></dt><dd>'+told("ja")+"</dd>",titles("ja"))+"</dl>"),
    ("ar","soup","وسم: الميناء",entries(4,'<div class="c"><a href="/n/{n}"><h2>{t}</h2><p>'+told("ar")+"</p></a></div>",titles("ar"))),
    ("ko","bare","항만 관련 기사 모음",entries(4,'<p><b><a href="/k/{n}">{t}</a></b><br>'+told("ko")+"</p>",titles("ko"))),
    ("ru","plain","Купили бы вы билет на новый паром?",'<form action="/v">'+"".join(f'<label><input type="radio" name="a" value="{i}"> {t}</label>' for i,t in enumerate(["Да, сразу","Только со скидкой","Нет, никогда","Затрудняюсь ответить"]))+'<input type="submit" value="Голосовать"></form><p>Проголосовало: 512</p>'),
    ("ko","gov","설문: 새 부두가 필요한가요","<ul>"+"".join(f'<li>{t} <div class="bar"></div> {n}% ({n*7}표)</li>' for t,n in [("필요하다",61),("필요없다",27),("모르겠다",12)])+"</ul><button>투표하기</button>"),
    ("zh","wp","你会乘坐新渡轮吗",'<div class="vote"><p>单选，共 1208 人参与</p>'+"".join(f'<p><input type="radio" name="v">{t}<span>{n}%</span></p>' for t,n in [("会，马上去",45),("等降价",30),("不会",25)])+"<button>投票</button></div>"),
    ("ar","joomla","مجسم قاطرة خشبي",'<img src="/p.jpg"><p class="price">45.00 د.إ</p><p>متوفر: 12</p><button>أضف إلى السلة</button><p>المقاس: 20 × 8 سم، الوزن: 300 غرام</p>'),
    ("de","soup","Modellschiff Hafenschlepper",'<div class="p">24,90 €</div><div>inkl. MwSt., zzgl. Versand</div><form><select name="n"><option>1</option><option>2</option></select><button>In den Warenkorb</button></form>'+table([("Länge","21 cm"),("Gewicht","340 g"),("Material","Buche")])),
    ("ja","tables","木製タグボート模型",'<img src="/p.jpg"><table><tr><td>価格</td><td>3,980円（税込）</td></tr><tr><td>在庫</td><td>あり</td></tr><tr><td>送料</td><td>全国一律600円</td></tr></table><input type="button" value="カートに入れる">'),
    ("hi","gov","घाट का मौसम",table([("सोमवार","24-31°C","बारिश"),("मंगलवार","25-32°C","धूप"),("बुधवार","23-30°C","बादल")])+"<p>06:00 बजे अद्यतन</p>"),
    ("fr","plain","Météo à Vaubourg","<ul>"+"".join(f"<li><b>{d}</b> <span>{a}°</span> <span>{b}°</span> <i>{c}</i></li>" for d,a,b,c in [("lundi",12,19,"averses"),("mardi",11,20,"soleil"),("mercredi",9,17,"vent"),("jeudi",10,18,"nuages")])+"</ul>"),
    ("zh","wp","湖岸天气预报",'<div class="d"><p>今天 多云 18～25℃ 东风3级</p><p>明天 小雨 16～21℃ 北风4级</p><p>后天 晴 15～24℃ 微风</p></div><p>空气质量：42 优</p>'),
    ("pt","wp","Marta Salgueiro",'<img src="/m.jpg"><p>Marta escreve sobre o porto desde 2011. Vive na Foz.</p><ul>'+entries(4,'<li><a href="/2024/0{n}/z/">{t}</a></li>',titles("pt"))+"</ul>"),
    ("zh","gov","记者 沈一帆","<p>本报记者，长期关注港口与航运。</p><ul>"+entries(4,'<li><a href="/a/{n}.html">{t}</a><span>2024-04-0{n}</span></li>',titles("zh"))+"</ul>"),
    ("tr","joomla","Selim Kırlangıç",entries(4,'<div><h3><a href="/y/{n}">{t}</a></h3><p>'+told("tr")+"</p></div>",titles("tr"))),
    ("tr","plain","Göl Ligi puan durumu",table([("#","Takım","O","G","P")]+[(i,t,10,10-i,30-3*i) for i,t in enumerate(["Gölspor","Sahil","Liman","Tepe","Köprü"],1)])),
    ("es","gov","Resultados: Villaseca",table([("Partido","Votos","%")]+[(p,v,q) for p,v,q in [("Unión del Lago","12.301","41,2"),("Foro Vecinal","9.877","33,1"),("Alternativa","5.020","16,8"),("Otros","2.655","8,9")]])+"<p>Escrutado: 100 %</p>"),
    ("ru","tables","Курсы валют в Заозёрске",table([("USD","91,20","92,80"),("EUR","98,10","99,95"),("CNY","12,40","12,95")])),
    ("vi","bare","Ven Hồ 2 - 1 Bến Cát","<ul><li>12' Nguyễn Tài 1-0</li><li>37' Lê Cường 1-1</li><li>80' Trần Phú 2-1</li></ul>"+table([("Kiểm soát bóng","55%","45%"),("Sút","12","8"),("Phạt góc","6","3")])),
    ("zh","gov","港口动态 第2页","<ul>"+entries(4,'<li><a href="/d/{n}.html">{t}</a><span>2024-02-1{n}</span></li>',titles("zh")*2)+'</ul><div><a href="?p=1">1</a> <b>2</b> <a href="?p=3">3</a></div>'),
    ("en","wp","Send us your news",'<form><p>Your name <input name="n"></p><p>Your story <textarea name="t"></textarea></p><p>We may shorten letters. We cannot answer all of them.</p><button>Send</button></form>'),
    ("tr","soup","Bize yazın",'<form><label>Adınız</label><input type="text" name="a"><label>E-posta</label><input type="email" name="e"><label>Mesajınız</label><textarea></textarea><input type="submit" value="Gönder"></form><p>Mesajlar iki iş günü içinde yanıtlanır.</p>'),
    ("zh","plain","县长信箱",'<table><tr><td>姓名</td><td><input name="xm"></td></tr><tr><td>电话</td><td><input name="dh"></td></tr><tr><td>内容</td><td><textarea name="nr"></textarea></td></tr></table><p>请如实填写，我们将在七个工作日内答复。</p><input type="submit" value="提交">'),
    ("ja","plain","湖畔テレビ番組表","<ul>"+"".join(f"<li>{t} {n}</li>" for t,n in [("06:00","朝のニュース"),("08:15","連続ドラマ"),("12:00","昼のニュース"),("19:00","天気予報"),("21:00","映画劇場")])+"</ul>"),
    ("pt","drupal","Sorteio do Lago","<p>07 12 19 33 41 48</p><p>Estrelas: 3 9</p>"+table([("1.º","0","12.000.000 €"),("2.º","3","45.120 €"),("3.º","17","2.310 €")])),
    ("zh","gov","各部门联系电话",table([("办公室","0555-1234567"),("财务科","0555-1234568"),("信访科","0555-1234569"),("值班室","0555-1234500")])),
    ("zh","soup",titles("zh")[0],'<div class="k"><p>剩余内容需订阅后阅读</p><p>月度会员 ¥12，年度会员 ¥98</p><button>立即订阅</button></div>'),
    ("en","bare",titles("en")[0],'<div class="k"><p>Read on with a day pass for £1.50.</p><button>Buy a day pass</button><p>Already a member? <a href="/in">Sign in</a></p></div>'),
    ("pl","joomla","Rozkład: linia 4",table([("Port","06:10","07:10","08:10"),("Rynek","06:18","07:18","08:18"),("Dworzec","06:31","07:31","08:31")])),
    ("it","plain","Appuntamenti a Montelago",entries(4,'<div class="ev"><b>1{n}/06</b> <a href="/ev/{n}">{t}</a> <span>ore 2{n}.00, Teatro del Lago</span></div>',titles("it"))),
    ("id","tables","Lowongan kerja minggu ini",table([("Posisi","Kota","Gaji"),("Teknisi kapal","Danau","Rp 6.500.000"),("Kasir","Bukit","Rp 4.100.000"),("Sopir","Danau","Rp 5.000.000")])),
    ("zh", "gov", "县长 顾长河", "<img src='/g.jpg'><p>顾长河，男，汉族，1971年4月生，大学学历，1993年8月参加工作。现任湖岸县委副书记、县长。</p><p>工作分工：主持县政府全面工作，分管审计。</p>"),
    ("ru", "gov", "Глава района Лев Озёрный", "<p>Родился 4 апреля 1971 года. Образование высшее.</p><p>1993–2001 — инженер порта</p><p>Приём граждан: вторник, 14:00–16:00</p>"),
    ("en", "gov", "Councillor Ada Fenn", "<p>Ada Fenn was born in 1966 in Eastmoor and trained as a nurse.</p><p>She chairs the harbour committee.</p>"),
    ("de", "wp", "Archiv: Hafen", entries(4, '<article><h2><a href="/q/{n}/">{t}</a></h2><time>11.0{n}.2023</time><p>' + told("de") + "</p></article>", titles("de"))),
    ("fr", "soup", "Port : tous nos articles", entries(4, '<a class="card" href="/n/{n}"><img src="/{n}.jpg"><h3>{t}</h3><span>il y a {n} jours</span></a>', titles("fr"))),
    ("ru", "joomla", "Новости порта — страница 2", "<ul>" + entries(4, '<li>0{n}.05.2024 <a href="/p/{n}">{t}</a></li>', titles("ru")) + "</ul>"),
)  # fmt: skip

GONE: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("vi","wp","Bài viết này không còn nữa",'<p>Có thể bài đã bị gỡ hoặc địa chỉ bị sai.</p><p>Mời bạn trở lại <a href="/">trang đầu</a>.</p>'),
    ("fr","wp","Cet article a été retiré",'<p>La page demandée n\'est plus en ligne.</p><p><a href="/">Retour à l\'accueil</a></p>'),
    ("ko","joomla","요청하신 기사가 없습니다","<p>삭제되었거나 주소가 바뀌었을 수 있습니다.</p><p>첫 화면에서 다시 찾아 주세요.</p>"),
)  # fmt: skip

STORIES: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("ru","soup","Паром «Чайка» вернулся","<p>Автор: Редакция от 6 мая 2024, 22:07, прочитано: 235</p><p>Паром вернулся после ремонта.</p><form><p>Вы поедете?</p><input type='radio'> Да <button>Ответить</button></form>"),
    ("de","plain","Bilder vom alten Hafen",f"<p>Von der Redaktion, 6. Mai 2024, 12:10 Uhr, gelesen: 235</p><p>Der Maler Jan Klaas, geboren 1951 in Moorbach, zeigt im Hafen seine Bilder. {told('de', 2)}</p>"),
    ("es","wp","El puerto gana tráfico","<p>Redacción, 6 de mayo de 2024, 9:30, leído 235 veces</p>"+table([("Enero","120"),("Febrero","131"),("Marzo","140")])),
    ("zh","gov","人民币汇率小幅走高",DAY+"<p>今天人民币对美元中间价报7.1021，较前一交易日上调35点。</p>"+table([("美元","7.1021"),("欧元","7.6900"),("日元","4.6210")])+"<p>分析人士说，短期内波动有限。</p>"),
    ("en","plain","Eastmoor held at home","<p>6 May 2024</p><p>Eastmoor let a two-goal lead slip and drew 2-2 with Tarn on Sunday.</p>"+table([("Possession","48%","52%"),("Shots","11","9")])+"<p>They stay third.</p>"),
    ("ja","joomla","湖畔線が運転再開","<p>倒木で止まっていた湖畔線は六日午後三時に全線で運転を再開した。</p>"),
    ("es","wp","Marea alta cierra el paseo","<p>El ayuntamiento cerró este lunes el paseo marítimo por la marea alta.</p>"),
    ("ko","soup","등대섬 뱃길 다시 열려","<p>짙은 안개로 끊겼던 등대섬 뱃길이 6일 오후 다시 열렸다.</p>"),
    ("ru","plain","Паром подорожает с июня",f'<p>{told("ru",2)} Билет будет стоить сорок рублей.</p><p>В порту говорят, что цену не меняли восемь лет. Дешевле останется только детский билет.</p><form><p>Вы поедете?</p><label><input type="radio" name="a">Да</label><label><input type="radio" name="a">Нет</label><button>Голосовать</button></form>'),
    ("de","soup","Drei Regenjacken im Test",'<p>6. Mai 2024</p><p>Wir sind mit drei Jacken eine Woche lang im Regen gelaufen. Die teuerste hielt am längsten dicht, die billigste war nach einer Stunde nass.</p><p>Modell A: 89,90 €</p><a class="btn" href="https://shop.example/1">Zum Shop</a><p>Am besten gefiel uns die mittlere, denn sie wiegt wenig und trocknet schnell.</p>'),
    ("hi","gov","कल से फिर बारिश","<p>मौसम विभाग ने कहा है कि कल से तीन दिन तक हल्की बारिश होगी।</p>"+table([("सोमवार","24-31°C"),("मंगलवार","23-29°C")])+"<p>मछुआरों को सुबह समुद्र में न जाने की सलाह दी गई है।</p>"),
    ("es","wp","La semana en Villaseca","<p>Por Ana Ríos, 6 de mayo de 2024</p>"+entries(3,'<h3><a href="/2023/0{n}/q/">{t}</a></h3><p>'+told("es",2)+" El alcalde lo anunció en la plaza ante unas doscientas personas.</p>",titles("es"))),
    ("zh","gov","造船工程师顾长河逝世",DAY+"<p>湖岸造船厂原总工程师顾长河同志因病于5月4日在湖岸逝世，享年八十六岁。</p><p>顾长河，男，汉族，1938年4月生，1960年参加工作，主持设计了六艘拖轮。</p>"),
    ("ko","wp","사진으로 보는 등대 축제",'<figure><img src="/1.jpg"><figcaption>등대 앞에 모인 시민들</figcaption></figure><figure><img src="/2.jpg"><figcaption>불꽃이 오른 밤바다</figcaption></figure><figure><img src="/3.jpg"><figcaption>마지막 배가 들어왔다</figcaption></figure>'),
    ("ar","plain","شاهد: لحظة وصول القاطرة",'<iframe src="https://player.example/2"></iframe><p>وصلت القاطرة الجديدة إلى الرصيف صباح اليوم وسط تصفيق العمال.</p>'),
    ("fr","plain","Trois questions à la capitaine","<p><b>Pourquoi un second bateau ?</b></p><p>Parce que le premier a quarante ans et tombe en panne chaque hiver.</p><p><b>Combien de marins ?</b></p><p>Six, comme avant. Personne ne perdra sa place.</p>"),
    ("tr","gov","Sahil’de seçimi Aydın kazandı","<p>06.05.2024</p><p>Sahil belediye başkanlığı seçimini yüzde 52 oyla Aydın kazandı.</p>"+table([("Aydın","12.301","52,0"),("Demir","9.877","41,8"),("Kaya","1.455","6,2")])),
    ("zh","gov","湖岸县人民政府关于顾长河等同志职务任免的通知",DAY+"<p>经研究决定：</p><p>任命顾长河为县港务局局长；</p><p>免去沈一帆的县港务局局长职务。</p><p>湖岸县人民政府</p>"),
    ("pt","wp","Barco encalha junto à ponte","<p>Um barco de recreio encalhou esta manhã junto à ponte velha, sem feridos.</p><p>Leia também:</p><ul>"+entries(2,'<li><a href="/2024/0{n}/z/">{t}</a></li>',titles("pt")[1:])+"</ul>"),
    ("en","wp","Tug crew to keep their jobs",f'<p>{told("en",2)}</p><form class="nl"><p>Get our morning letter</p><input type="email" name="e"><button>Sign up</button></form><p>The union called it a fair deal after a long winter of talks, and its members will vote on Friday.</p>'),
    ("it","joomla","Premio di poesia, iscrizioni aperte",'<p>6 maggio 2024</p><p>Fino al 30 giugno si può partecipare al premio di poesia del lago, aperto a tutti gli studenti.</p><p>La giuria leggerà i testi in settembre.</p><form><input name="n"><textarea></textarea><button>Invia</button></form>'),
    ("zh","gov","关于2024年低保新增对象的公示",DAY+"<p>根据有关规定，现将新增低保对象名单予以公示，公示期七天。</p>"+table([("姓名","村","人数"),("王某","石坪村","2"),("李某","东岸村","3"),("赵某","西岸村","1")])+"<p>监督电话：0555-1234567</p>"),
    ("pt","wp","Três praias para fugir do calor","<h2>Praia do Norte</h2><p>Água fria, areia larga e quase ninguém durante a semana.</p><h2>Praia da Lapa</h2><p>Tem um café que abre cedo e um pinhal para a sombra.</p><h2>Praia Velha</h2><p>Chega-se de barco, e o último volta às sete.</p>"),
    ("de","plain","Karikatur des Tages",'<figure><img src="/k.jpg"><figcaption>Zeichnung: Ida Kolb</figcaption></figure>'),
    ("vi","soup","Tàu kéo mới cập bến",f'<p>{told("vi",2)}</p><button>Đọc tiếp</button>'),
    ("ja","plain","バター値上げ、来月から","<p>2024年5月6日</p><p>湖畔乳業は来月からバターを一個398円から448円に値上げする。</p>"),
    ("zh","wp","油价今晚下调","<p>国内成品油价格今晚24时下调，92号汽油每升降0.17元。</p>"+table([("92号","7.61"),("95号","8.12"),("0号","7.25")])),
    ("id","tables","Gempa guncang Danau","<p>Gempa magnitudo 5,1 mengguncang Danau pada Senin pagi, tidak ada korban.</p><ul><li>Kedalaman: 10 km</li><li>Lokasi: 12 km barat laut Danau</li></ul>"),
    ("pl","bare","Port w liczbach","<p>Port zamknął rok rekordem i przyjął o jedną piątą statków więcej niż przed rokiem.</p><ul><li>1204 statki</li><li>12 mln ton</li><li>310 pracowników</li></ul>"),
    ("hi","joomla","नाविकों को मिला वेतन",f'<p>{told("hi",2)}</p>'),
    ("tr","soup","Vali sosyal medyadan duyurdu","<p>Vali, köprünün pazartesi açılacağını duyurdu.</p><blockquote><p>Köprümüz pazartesi sabahı yediden itibaren trafiğe açıktır.</p></blockquote>"),
    ("ru","tables","Буксир прошёл испытания",'<p>06.05.2024</p><p>Новый буксир прошёл ходовые испытания и развил 12 узлов.</p><p>Цена судна — 2 млн рублей.</p><p>Читайте также: <a href="/r/1.html">Спасены трое яхтсменов</a></p>'),
    ("zh","plain","湖岸晚报今日要闻速览",DAY+"<p>责任编辑：沈一帆</p>"+entries(3,'<p><strong><a href="/a/{n}.html">{t}</a></strong></p><p>'+told("zh",2)+"</p>",titles("zh"))),
    ("fr", "wp", "Le pont rouvre lundi", '<p>Le pont de Vaubourg rouvre lundi à six heures, a annoncé la mairie.</p><div class="share"><button>Partager</button></div>'),
    ("ko", "plain", "새 예인선 시험 운항", "<p>새 예인선이 6일 등대섬까지 첫 시험 운항을 마쳤다고 항만청이 밝혔다.</p><p>관련 기사</p><ul>" + entries(3, '<li><a href="/k/{n}">{t}</a></li>', titles("ko")) + "</ul>"),
    ("en", "wp", "Edda Marlo, swimming teacher, dies at 92", "<p>6 May 2024</p><p>Edda Marlo was born in 1932 in Eastmoor and taught three generations to swim.</p>"),
)  # fmt: skip


def page_of(number: int, pages: tuple[tuple[str, str, str, str], ...]) -> tuple[str, str]:
    """Return address and markup of a page."""
    language, frame, heading, below = pages[number]
    title = heading if frame in {"bare", "tables"} else f"{heading} - {PAPERS[language].name}"
    return f"{HOST}/2024/05/12/{number}.html", FRAMES[frame](language, title, f"<h1>{heading}</h1>{below}")
