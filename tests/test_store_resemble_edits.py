"""What an edit changed, in any script; the table was written before the code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.store.resemble import edit_kinds

LEAD = "The mayor opened the new bridge over the river on Monday morning."
SECOND = "Traffic in the old town will fall by half, officials said at the ceremony."
ZH = "市政府周一宣布，新的地铁线路将于下月开通。"
ZH_SECOND = "负责人表示，票价暂时不会调整，运营时间也保持不变。"


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        # numbers
        (
            "Three people, 12 of them children, were hurt in the fire.",
            "Three people, 14 of them children, were hurt in the fire.",
            "numbers",
        ),
        (
            "Bei dem Brand wurden 3,5 Millionen Euro Schaden gemeldet.",
            "Bei dem Brand wurden 4,5 Millionen Euro Schaden gemeldet.",
            "numbers",
        ),
        (
            "事故造成12人受伤，其中3人伤势严重，已送医院救治。",
            "事故造成15人受伤，其中3人伤势严重，已送医院救治。",
            "numbers",
        ),
        ("أصيب ١٢ شخصا في الحادث الذي وقع صباح اليوم.", "أصيب ١٥ شخصا في الحادث الذي وقع صباح اليوم.", "numbers"),
        (
            "火災で12人が負傷し、病院に運ばれたと消防が発表した。",
            "火災で15人が負傷し、病院に運ばれたと消防が発表した。",
            "numbers",
        ),
        # a word that came or went: most often it turns the sentence
        (
            "The minister said he would resign before the vote.",
            "The minister said he would not resign before the vote.",
            "word",
        ),
        ("Der Minister wird vor der Wahl zurücktreten.", "Der Minister wird nicht vor der Wahl zurücktreten.", "word"),
        (
            "Le ministre va démissionner avant le vote de mardi.",
            "Le ministre ne va pas démissionner avant le vote de mardi.",
            "word",
        ),
        ("部长表示将在投票前辞职，并已通知总理办公室。", "部长表示不会在投票前辞职，并已通知总理办公室。", "word"),
        (
            "Министр заявил, что уйдёт в отставку до голосования.",
            "Министр заявил, что не уйдёт в отставку до голосования.",
            "word",
        ),
        ("장관은 투표 전에 사임할 것이라고 밝혔다.", "장관은 투표 전에 절대 사임할 것이라고 밝혔다.", "word"),
        # names
        (
            "The report was written by Ada Miller for the council.",
            "The report was written by Ada Muller for the council.",
            "names",
        ),
        (
            "Доклад подготовил Иван Петров для городского совета.",
            "Доклад подготовил Иван Павлов для городского совета.",
            "names",
        ),
        (
            "他的新书《长河》将于下月在北京出版，首印一万册。",
            "他的新书《大河》将于下月在北京出版，首印一万册。",
            "names",
        ),
        # paragraphs
        (f"{LEAD}\n{SECOND}", LEAD, "deleted"),
        (LEAD, f"{LEAD}\n{SECOND}", "added"),
        (f"{ZH}\n{ZH_SECOND}", ZH, "deleted"),
        (ZH, f"{ZH}\n{ZH_SECOND}", "added"),
        (f"{LEAD}\n{SECOND}", f"{LEAD}\nNobody was hurt when the crane fell into the water at noon.", "deleted added"),
        # another wording
        (
            "The council will meet on Friday to talk about the plan for the market.",
            "On Friday the council is going to meet and talk about its market plan.",
            "reworded",
        ),
        # small ones are none
        (LEAD, LEAD, ""),
        (f"{LEAD}\n{SECOND}", f"{LEAD}\n\n {SECOND} ", ""),
        ("The “bridge” is open - at last.", 'The "bridge" is open – at last.', ""),
        (f"{LEAD}\nUpdated 10:42", f"{LEAD}\nUpdated 11:07", ""),
        (f"{ZH}\n阅读 1204", f"{ZH}\n阅读 3391", ""),
        (f"{LEAD}\n1,204 views", f"{LEAD}\n3,391 views", ""),
        (f"{LEAD}\n３５ comments", f"{LEAD}\n41 comments", ""),
        ("Stand: 10:42 Uhr", "Stand: 12:10 Uhr", ""),
        ("", "", ""),
    ],
)
def test_an_edit_is_told_by_what_it_changed(before: str, after: str, kinds: str) -> None:
    assert edit_kinds(before, after) == tuple(kinds.split())


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("Bridge opens", "Bridge closes", ("headline",)),
        ("Bridge opens", " Bridge  opens ", ()),
        ("Live: 12 hurt", "Live: 15 hurt", ("headline",)),
        (None, "Bridge opens", ("headline",)),
        (None, None, ()),
    ],
)
def test_another_headline_counts(before: str | None, after: str | None, kinds: tuple[str, ...]) -> None:
    assert edit_kinds(LEAD, LEAD, headlines=(before, after)) == kinds


TEXT = st.text(st.sampled_from("ab Z1.2\n不好«»–"), max_size=60)


@given(TEXT, TEXT)
def test_equal_texts_have_no_edit_and_an_edit_taken_back_changes_as_much(before: str, after: str) -> None:
    assert edit_kinds(before, before) == ()
    turned = {"deleted": "added", "added": "deleted"}
    there, back = edit_kinds(before, after), edit_kinds(after, before)
    assert bool(there) == bool(back)
    assert {turned.get(kind, kind) for kind in there if kind in turned} == {kind for kind in back if kind in turned}
