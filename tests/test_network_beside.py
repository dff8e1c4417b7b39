"""What follows the text and reads like it."""

from newscrawl.extractors import extract

TEXT = (
    "The council met on Tuesday to talk about the bridge, which has been closed since the spring. "
    "It will be repaired before the winter, the mayor said, and the work will take eleven weeks."
)
MORE = (
    "Nobody had counted the birds of the harbour before, said the two biologists who did it last year. "
    "They found forty kinds, among them a tern that was thought to have left the coast for good."
)


def _article(title: str, text: str, rank: str) -> str:
    head = f'<div class="head"><{rank} class="title">{title}</{rank}><div class="meta">'
    head += '<span class="date">5 May 2024, 10:20</span></div></div>'
    return (
        f'<div class="article">{head}<div class="text"><p>{text}</p></div><div class="tags">Tags: harbour</div></div>'
    )


def test_a_next_article_of_the_same_make_is_left_out() -> None:
    page = f"""<html><head><title>The bridge will be repaired</title></head><body>
        {_article("The bridge will be repaired", f"{TEXT}</p><p>{TEXT.replace('Tuesday', 'Monday')}", "h1")}
        {_article("Forty kinds of birds", f"{MORE}</p><p>{MORE.replace('forty', 'fifty')}", "h2")}</body></html>"""
    text = extract(page, url="http://example.org/1.html").text
    assert TEXT in text
    assert "birds" not in text


def test_sections_of_one_article_stay() -> None:
    page = f"""<html><head><title>The bridge will be repaired</title></head><body><article>
        <section class="part"><h1>The bridge will be repaired</h1><p>{TEXT}</p></section>
        <section class="part"><h2>The birds</h2><p>{MORE}</p></section></article></body></html>"""
    text = extract(page, url="http://example.org/1.html").text
    assert TEXT in text
    assert MORE in text


def test_what_stands_below_the_heading_of_the_comments_is_left_out() -> None:
    page = f"""<html><head><title>The bridge will be repaired</title></head><body><h1>The bridge will be repaired</h1>
        <p>5 May 2024</p><p>{TEXT}</p><b>Comments (2)</b><table><tr><td>Anna</td></tr><tr><td>{MORE}</td></tr>
        <tr><td>Bob</td></tr><tr><td>{MORE.replace("forty", "fifty")}</td></tr></table>
        <form>Your comment<textarea></textarea></form></body></html>"""
    text = extract(page, url="http://example.org/1.html").text
    assert TEXT in text
    assert "birds" not in text


def test_a_last_line_with_an_address_is_a_signature() -> None:
    page = f"""<html><head><title>The bridge will be repaired</title></head><body><h1>The bridge will be repaired</h1>
        <article><p>{TEXT}</p><p>{MORE}</p><p>Anna Lindner lindner@example.org</p></article></body></html>"""
    text = extract(page, url="http://example.org/1.html").text
    assert MORE in text
    assert "@" not in text


def test_announcements_beside_a_short_text_are_left_out() -> None:
    teasers = "".join(
        f'<div class="card"><h3><a href="/s{n}.html">A story of the harbour, part {n}</a></h3><p>{MORE[:90]}…</p></div>'
        for n in range(4)
    )
    page = f"""<html><head><title>The bridge will be repaired</title></head><body><main><article>
        <h1>The bridge will be repaired</h1><div class="body"><p>{TEXT}</p></div></article>
        <section><h2>More</h2>{teasers}</section></main></body></html>"""
    text = extract(page, url="http://example.org/1.html").text
    assert TEXT in text
    assert "biologists" not in text
