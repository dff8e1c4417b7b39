"""No wording of a line takes it out of the text, and what a rule takes out is named with its reason."""

from __future__ import annotations

import numpy as np
import pytest

from newscrawl.classify.lines.decision import decide
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.repeats import drop_parts
from newscrawl.extractors import extract
from newscrawl.page.document import Document
from tests.told_stories import STORIES, page_of
from tests.told_stories import told as paragraphs

ENGLISH = (
    "The council met on {} to talk about the bridge, which has been closed since the spring. "
    "It will be repaired before the winter, the mayor said, and the work will take eleven weeks."
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday")
CHINESE = (
    "市政府{}召开会议，讨论春天以来一直封闭的大桥。市长表示，维修工程将在入冬之前完成，预计历时十一周，"
    "其间公交线路改道，行人可以经由下游的浮桥过河。"
)
CHINESE_DAYS = ("周一", "周二", "周三", "周四")

SENTENCES = (
    "上述说法仅代表个人观点，市政府将在下周作出正式答复。",
    "Under the new law, reproduction of the flag without a licence is prohibited, and shops have until May to apply.",
    "„Alle Rechte vorbehalten“ stand auf der letzten Seite der Handschrift, welche die Erben nun doch drucken lassen.",
    "La bióloga recordó que está prohibida la reproducción en cautividad de estas aves, y que las multas son altas.",
    "При перепечатке писем историк просил указывать ссылку на архив, и издательство приняло это условие.",
    "市は、写真の無断転載を禁止する条例案を来月の議会に提出し、来春からの施行を目指すと説明した。",
    "교육청은 시험지의 무단 배포를 금지한다는 방침을 어제 각 학교에 전달했으며, 위반하면 징계한다고 밝혔다.",
    "Les héritiers ont écrit « tous droits réservés » au dos de chaque image, ce que le musée n'avait pas remarqué.",
    (
        "记者下载该平台客户端后，页面一直显示异常，除历史消息还可查阅外，微信公众号的菜单功能也无法使用，投资人的提现请求无人处理，"
        "公司电话已经停机。"
    ),
    "旅客扫描车票上的二维码，就可以看到车次和座位，检票口的工作人员用手机核对，老人和孩子也可以走人工通道，不必下载任何软件。",
    "法院认为，平台未经授权转载作品，应当承担法律责任，删除相关文章，并向作者赔偿经济损失和维权费用共计三万元。",
    (
        "The company said the newsletter would lose its donors and a third of its subscribers, and that it would "
        "cancel the membership scheme in the spring."
    ),
    (
        "Regulators fined the firm for placing advertising cookies on the devices of children without the consent "
        "of their parents, and gave it until June to stop."
    ),
    (
        "Der Verlag teilte mit, der Newsletter werde eingestellt; die Abonnenten bekämen ihr Geld zurück, und die "
        "Einwilligung in Werbung sei jederzeit widerrufbar gewesen."
    ),
    (
        "Le site avait promis aux donateurs que les cookies publicitaires ne seraient déposés qu'avec leur "
        "consentement, ce que la commission a démenti jeudi."
    ),
    (
        "Издательство обязано получить согласие подписчиков на рассылку рекламы, говорится в решении суда, который "
        "вступит в силу через месяц."
    ),
    "新聞社は、会員の登録情報が流出したと発表し、メールマガジンの配信を止め、広告の提携先にも調査を依頼した。",
    (
        "La editorial anunció que dejará de enviar el boletín a sus suscriptores y que devolverá las donaciones "
        "recibidas desde enero."
    ),
    "출판사는 뉴스레터 구독자의 동의 없이 광고를 보냈다는 지적에 대해 후원금을 돌려주겠다고 밝혔다.",
    (
        "Wydawca zapowiedział, że prenumerata newslettera będzie bezpłatna, a zgody na reklamy można było wycofać "
        "w każdej chwili."
    ),
    "De uitgever schrapt de nieuwsbrief en geeft de abonnees hun geld terug, zei de directeur donderdag.",
    "Företaget slutar skicka nyhetsbrev till kunder som inte har lämnat sitt samtycke, uppger myndigheten på tisdagen.",
    "Avisen mister hver tiende abonnent, og annoncerne giver færre penge end for et år siden, viser regnskabet.",
    "Lehti myi tilauksia kymmenesosan vähemmän, ja mainoksista saadut tulot laskivat, kertoo toimitusjohtaja.",
    "A kiadó szerint a hírlevelekre feliratkozók száma megduplázódott, a hirdetési bevétel viszont tavaly csökkent.",
    "Editorul a anunțat că abonații își primesc banii înapoi, iar publicitatea de pe rețele se reduce la jumătate.",
    "Издателят съобщи, че абонаментите намаляват, а рекламата в приложението носи половината от приходите.",
    "Şirket, abonelerin onayı olmadan reklam gönderdiği için ceza aldı ve bültenini nisanda kapatacağını açıkladı.",
    "Tòa soạn cho biết số người đăng ký bản tin giảm một nửa, còn doanh thu quảng cáo tăng nhẹ so với năm trước.",
    "Penerbit itu dihukum karena menyebarkan iklan tanpa persetujuan pelanggan, dan situsnya ditutup sejak hari Senin.",
    "เจ้าของแอปถูกปรับเพราะส่งโฆษณาโดยไม่ได้รับความยินยอมจากสมาชิก ศาลให้เวลาถึงเดือนมิถุนายน",
    "अदालत ने कहा कि कंपनी ने ग्राहकों की सहमति के बिना विज्ञापन भेजे और उसे जून तक का समय दिया।",
    "Ο εκδότης ανακοίνωσε ότι οι συνδρομητές θα πάρουν πίσω τα χρήματά τους και ότι οι διαφημίσεις μειώνονται.",
    "Vydavatel oznámil, že předplatné zdraží o desetinu a že příjmy z reklamy klesly nejvíc za posledních deset let.",
    "Видавець пообіцяв повернути гроші передплатникам, а згоду на рекламу можна було відкликати будь-коли.",
    "دادگاه گفت شرکت بدون رضایت کاربران برای آنان تبلیغات فرستاده است و باید تا خرداد آن را متوقف کند.",
    "عدالت نے کہا کہ کمپنی نے صارفین کی اجازت کے بغیر اشتہارات بھیجے، اس لیے اسے جون تک کا وقت دیا گیا ہے۔",
    "আদালত বলেছে, গ্রাহকের সম্মতি ছাড়া বিজ্ঞাপন পাঠানোয় প্রতিষ্ঠানটিকে জুন পর্যন্ত সময় দেওয়া হয়েছে।",
    "வாடிக்கையாளர்களின் சம்மதம் இன்றி விளம்பரங்கள் அனுப்பியதற்காக நிறுவனத்துக்கு நீதிமன்றம் அபராதம் விதித்தது.",
    "Kohus otsustas, et ettevõte saatis reklaami inimeste nõusolekuta, ja andis talle aega juunini.",
    "Teismas nurodė, kad bendrovė siuntė reklamą be žmonių sutikimo, ir davė jai laiko iki birželio.",
    "Mahakama ilisema kampuni ilituma matangazo bila ruhusa ya wateja, na ikaipa muda hadi mwezi Juni.",
)
"""Sentences of news about rights, newsletters, apps and consent."""


def page(paragraphs: list[str]) -> str:
    """Return an article of these paragraphs, with the page's other parts around them."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"""<html><head><title>The bridge will be repaired</title></head><body>
        <ul class="nav"><li><a href="/">Home</a></li><li><a href="/city/">City</a></li></ul>
        <h1>The bridge will be repaired</h1><p class="date">5 May 2024, 10:20</p>
        <div class="article"><div class="text">{text}</div></div>
        <div class="footer"><a href="/about/">About us</a></div></body></html>"""


@pytest.mark.parametrize("place", [0, 2, 4], ids=["first", "in the middle", "at the end"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_about_rights_and_views_stay(sentence: str, place: int) -> None:
    is_wide = sentence[0] > "\u1100"
    text, days = (CHINESE, CHINESE_DAYS) if is_wide else (ENGLISH, DAYS)
    paragraphs = [text.format(day) for day in days]
    paragraphs.insert(place, sentence)
    assert extract(page(paragraphs)).text.split("\n") == paragraphs


NOTICES = {
    "en": "By continuing to browse you accept that we and our partners store small files on your device.",
    "de": "Für die Inhalte externer Seiten übernehmen wir keine Haftung.",
    "fr": "Cet article a été rédigé par un contributeur extérieur ; son contenu n'engage que son auteur.",
    "es": "Si continúas navegando, aceptas que guardemos información en tu dispositivo.",
    "ru": "Материал размещён пользователем, администрация сайта не отвечает за его содержание.",
    "zh": "未经本报许可，任何单位及个人不得以任何形式复制、摘编、建立镜像，违者将依法追究责任。",
    "ja": "当サイトに掲載された文章や画像を許可なく複製、転用することを固くお断りします。",
    "vi": "Nghiêm cấm sao chép nội dung trang này dưới mọi hình thức khi chưa được chúng tôi đồng ý.",
    "id": "Artikel ini ditulis oleh pengguna dan sepenuhnya menjadi tanggung jawab penulis.",
    "pt": "O conteúdo desta coluna é de inteira responsabilidade de quem a assina e não traduz a opinião do jornal.",
}
"""Notices that no list holds and no model was trained on."""


@pytest.mark.parametrize("form", ["<p>{}</p>", "<div class='x'><p>{}</p></div>"])
@pytest.mark.parametrize("code", NOTICES)
def test_notices_never_seen_are_no_text(code: str, form: str) -> None:
    for story in (paragraphs(code), f"<p>{STORIES[code].paragraphs[0]}</p>"):
        text = extract(page_of(code, story + form.format(NOTICES[code]))).text
        assert NOTICES[code] not in text
        assert STORIES[code].paragraphs[0] in text


CLOSINGS = (
    "The mayor's office declined to comment on Friday.",
    "Correction: an earlier version of this article misstated the date of the vote.",
    "Anyone with information is asked to call the police in Harlow.",
    "Tickets go on sale next week and cost between 20 and 45 pounds.",
    "Her husband, two sons and a granddaughter survive her.",
    "The company's shares fell 3 percent in afternoon trading.",
    "The next meeting takes place on 14 June.",
    "Die Polizei bittet Zeugen, sich zu melden.",
    "In einer früheren Fassung dieses Artikels stand ein falsches Datum.",
    "Дата следующего заседания пока неизвестна.",
    "更正：本文较早的版本对时间的说法有误，现已改正。编辑部向读者致歉。",
    "截至发稿时，相关工作仍在进行，下一次通报的时间尚未确定。",
    "警方提醒知情者拨打电话提供线索。",
    "门票将于下周开售，价格从一百元到三百元不等。",
    "他没有回应记者的提问。",
    "下一次会议定于六月十四日举行。",
    "公司股价下午下跌百分之三。",
    "她留下丈夫和两个儿子。",
)
"""Last sentences of news that share few words with the rest of it."""


@pytest.mark.parametrize("sentence", CLOSINGS)
def test_closing_sentences_stay(sentence: str) -> None:
    text, days = (CHINESE, CHINESE_DAYS) if sentence[-1] == "。" else (ENGLISH, DAYS)
    paragraphs = [*(text.format(day) for day in days), sentence]
    assert extract(page(paragraphs)).text.split("\n") == paragraphs


GUIDES = {
    "es": (
        "Hoy os cuento cómo he montado la estación meteorológica del balcón, que mide la lluvia desde hace años.",
        "Lo primero que necesitas es una placa con conexión inalámbrica y un sensor de humedad de los baratos.",
        "Descarga el programa, instálalo y ábrelo con tu usuario para ver las opciones de configuración.",
        "Si no lo ves a la primera, cambia el cable y vuelve a intentarlo, porque los cortos suelen dar problemas.",
        "Ahora puedes conectar el sensor a los tres pines de la izquierda, tal y como muestra el esquema.",
        "Para comprobar que funciona, sopla encima y mira si el número de la pantalla cambia.",
        "Ya sé que parece mucho trabajo, pero si no vas a usar el registro diario, no hace falta que lo instales.",
        "Después podrás añadir otros sensores, por ejemplo uno de viento, y todo quedará guardado en la misma tabla.",
        "Soporte para un buen número de lenguajes, con avisos y pruebas automáticas.",
        "A mí me gusta revisar los datos los domingos, y así veo de un vistazo cómo ha ido la semana.",
        "Podéis pintar la caja del color que queráis, siempre que dejéis libres los agujeros de ventilación.",
        "Con un poco de paciencia tendréis vuestra estación lista en una tarde.",
        "Otro día veremos cómo se mide la presión, que tiene algún truco más.",
        "El consumo es mínimo: un panel pequeño basta para todo el año.",
    ),
    "id": (
        "Kali ini saya menulis cara membuat kebun sayur di halaman belakang rumah yang luasnya hanya enam meter.",
        "Siapkan dahulu tanah yang gembur, pupuk kandang dan beberapa pot bekas yang masih utuh.",
        "Anda dapat membeli bibit unggul dengan harga murah dan kualitas terbaik di pasar induk.",
        "Jika kamu tidak yakin dengan kadar air tanahnya, kamu dapat memakai jerami sebagai penutup.",
        "Akar tanaman muda bersifat lentur dan tidak akan patah meski dipindahkan dua kali.",
        "Siram tanaman pada pagi hari, lalu biarkan airnya meresap sebelum matahari menjadi terlalu panas.",
        "Pupuk alami dan buatan bisa Anda pilih sesuai dengan jenis sayur yang ditanam.",
        "Untuk Anda yang tinggal di rumah susun, pot gantung adalah pilihan yang cukup baik.",
        "Daun yang menguning sebaiknya dipotong agar tidak menular ke bagian lain dari tanaman itu.",
        "Setelah tiga minggu, kamu akan melihat bunga pertama muncul di antara daun.",
        "Jangan lupa memeriksa bagian bawah daun, sebab di sanalah telur serangga biasanya menempel.",
        "Panen pertama biasanya datang pada minggu kesepuluh, dan hasilnya cukup untuk satu keluarga.",
        "Biji dari buah yang paling besar disimpan untuk musim berikutnya.",
        "Kebun kecil itu kini memberi kami sayur hampir setiap hari.",
    ),
    "it": (
        "In questo testo racconto come ho rilegato da solo i quaderni di mio nonno, che erano quasi tutti sciolti.",
        "Per prima cosa vi servono un ago robusto, del filo di lino e una pressa, anche improvvisata con due assi.",
        "Se non avete la pressa, potete usare i dizionari più pesanti che trovate in casa.",
        "Contate le pagine e dividetele in fascicoli di sedici, così il dorso resterà dritto.",
        "Ora dovreste vedere cinque segni a matita lungo la piega, tutti alla stessa distanza.",
        "Passate il filo dal primo foro e tirate piano, altrimenti la carta vecchia si strappa.",
        "Di seguito potete cucire gli altri fascicoli, uno sopra l'altro, senza cambiare filo.",
        "La colla va stesa in uno strato sottile, e per contribuire alla tenuta si aggiunge una garza.",
        "Ma come si capisce che il dorso è asciutto? Basta toccarlo con il dito dopo un'ora.",
        "Chi ha fretta può usare il cartone già tagliato, che si trova in ogni cartoleria.",
        "Io preferisco la tela, perché con gli anni diventa più bella e non scricchiola.",
        "Lasciate riposare il libro sotto un peso per una notte intera.",
        "Il quaderno del 1951, con i conti del mulino, è venuto meglio degli altri.",
        "Il prossimo sarà quello delle ricette, che ha perso la copertina.",
    ),
}


@pytest.mark.parametrize("code", GUIDES)
def test_a_guide_may_speak_to_its_reader(code: str) -> None:
    assert extract(page(list(GUIDES[code]))).text.split("\n") == list(GUIDES[code])


ENDINGS = {
    "en": (
        "The mayor declined to comment on Friday.",
        "The next meeting takes place on 14 June.",
        "Nobody was hurt.",
        "Her husband, two sons and a granddaughter survive her.",
        "Tickets cost between 20 and 45 pounds.",
    ),
    "de": (
        "Verletzt wurde niemand.",
        "Der Prozess wird am Dienstag fortgesetzt.",
        "Die Polizei bittet Zeugen, sich zu melden.",
        "Der Eintritt ist frei.",
        "Eine Sprecherin wollte sich dazu nicht äußern.",
    ),
    "fr": (
        "Personne n'a été blessé.",
        "Le procès reprendra mardi.",
        "L'entrée est gratuite.",
        "Elle laisse un mari et deux fils.",
        "Le ministre n'a pas souhaité répondre.",
    ),
    "es": (
        "No hubo heridos.",
        "El juicio continuará el martes.",
        "La entrada es gratuita.",
        "Deja esposa y tres hijos.",
        "El ministerio no quiso hacer declaraciones.",
    ),
    "pt": (
        "Ninguém ficou ferido.",
        "O julgamento continua na terça-feira.",
        "A entrada é livre.",
        "Deixa mulher e dois filhos.",
        "O ministro não quis comentar.",
    ),
    "pl": (
        "Nikt nie został ranny.",
        "Kolejna rozprawa odbędzie się we wtorek.",
        "Wstęp jest wolny.",
        "Zostawił żonę i dwóch synów.",
        "Rzecznik nie chciał komentować sprawy.",
    ),
    "ru": (
        "Никто не пострадал.",
        "Следующее заседание состоится во вторник.",
        "Вход свободный.",
        "У него остались жена и двое сыновей.",
        "В министерстве от комментариев отказались.",
    ),
    "zh": (
        "无人受伤。",
        "案件将于下周二继续审理。",
        "门票从一百元到三百元不等。",
        "她留下丈夫和两个儿子。",
        "他没有回应记者的提问。",
    ),
    "ja": ("けが人はいなかった。", "次の公判は火曜日に開かれる。", "入場は無料。", "妻と二人の息子が残された。"),
    "ko": ("다친 사람은 없었다.", "다음 재판은 화요일에 열린다.", "입장은 무료이다.", "시는 답변을 거부했다."),
    "ar": ("ولم يصب أحد بأذى.", "وتستأنف المحاكمة يوم الثلاثاء.", "الدخول مجاني للجميع.", "ورفض الوزير التعليق."),
    "vi": (
        "Không ai bị thương.",
        "Phiên tòa sẽ tiếp tục vào thứ ba.",
        "Vé vào cửa miễn phí.",
        "Ông để lại vợ và hai con trai.",
    ),
    "id": (
        "Tidak ada korban luka.",
        "Sidang dilanjutkan pada hari Selasa.",
        "Acara ini tidak dipungut biaya.",
        "Ia meninggalkan seorang istri dan dua anak.",
    ),
}
"""How news ends, short and on nothing else: 60 sentences."""
LOST = {"zh": ["无人受伤。"]}


@pytest.mark.parametrize("code", ENDINGS)
def test_short_sentences_stay_in_the_middle_and_at_the_end(code: str) -> None:
    """One of 120 is lost."""
    told = [(at, sentence) for at in (3, 5) for sentence in ENDINGS[code]]
    texts = [extract(page_of(code, paragraphs(code, (at, f"<p>{sentence}</p>")))).text for at, sentence in told]
    lost = [sentence for (_, sentence), text in zip(told, texts, strict=True) if sentence not in text.split("\n")]
    assert lost == LOST.get(code, [])


@pytest.mark.parametrize(
    "told",
    [
        "Read: the mayor did not, and he says so.",
        'Related works stand in <a href="/hall.html">the hall</a> until the end of May, says the museum on its pages.',
        "The advertisement was seen by forty people.",
    ],
)
def test_sentences_that_begin_like_a_pointer_stay(told: str) -> None:
    told_between = [part for day in DAYS for part in (ENGLISH.format(day), f"{told} {day}.")]
    assert extract(page(told_between)).text.count(told[:20]) == len(DAYS)


def test_what_a_rule_leaves_out_has_its_reason() -> None:
    title, date = "The bridge will be repaired", "2024-05-05 10:20 Anna Lindner"
    text = "".join(f"<p>{ENGLISH.format(day)}</p>" for day in DAYS)
    lines = page_lines(Document.from_html(f"<title>{title}</title><h1>{title}</h1><p>{date}</p>{text}"))
    assert lines is not None
    decision = decide(np.full(len(lines.lines), 0.9, dtype=np.float32), lines)
    assert np.flatnonzero(~decision.is_body).tolist() == [0, 1]
    assert decision.reasons == {0: "the page's headline", 1: "a dateline above the text"}


def test_an_extraction_names_the_lines_left_out() -> None:
    comments = "".join(
        f"<li class=comment><b>Bob</b><p>{ENGLISH.format(day)}</p><a href=x>Reply</a></li>" for day in DAYS
    )
    extraction = extract(
        f"<title>The bridge</title><h1>The bridge</h1><div class=entry><p>{ENGLISH.format('Friday')}</p></div>"
        f"<ol id=comments>{comments}</ol><form><textarea></textarea></form>"
    )
    assert extraction.text == ENGLISH.format("Friday")
    assert all(line.reason and line.line not in extraction.text.split("\n") for line in extraction.left_out)


def test_a_page_of_which_no_line_is_kept_has_no_parts() -> None:
    lines = page_lines(Document.from_html("<h1>Ferry sails</h1><p>The night ferry of the town sails again today.</p>"))
    assert lines is not None
    kept = np.zeros(len(lines.lines), dtype=np.bool_)
    drop_parts(kept, lines)
    assert not kept.any()
