"""Which copies does the near-duplicate test find, and which different news does it merge?

    python -m lab.experiments.near_duplicates [--corpus DIR] [--json out.json]

Labelled texts of at least 80 characters, each against a lightly edited copy of itself (recall), each against
every other one (false merges), and bulletins generated from forms that news agencies and companies use, against
each other (false merges where only the facts differ). No text of the corpus goes into the result.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.corpus import default_folder
from newscrawl.extract.simhash import band_keys, hamming, simhash
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.text import squeeze
from newscrawl.store.resemble import MAX_DISTANCE, is_near_duplicate

if TYPE_CHECKING:
    from collections.abc import Mapping

Edit = Callable[[str, random.Random], str]
Form = Callable[[random.Random], tuple[str, str]]

SEED: Final = 1
#: Upper ends of the length classes, in characters.
LENGTHS: Final = (200, 400, 800, 1600, 10**9)
N_BULLETINS: Final = 60

_SENTENCE = re.compile(r"(?<=[。！？.!?\n])")
_PLACES = ("北京", "上海", "广州", "成都", "武汉", "云南大理", "四川阿坝", "新疆阿图什", "台湾花莲")
_COMPANIES = ("华夏科技", "东方电气", "长江实业", "中航重工", "南山铝业", "金谷种业", "江淮重工")
_DISCLAIMER = (
    "免责声明：本网站刊载的内容均来自公开信息，版权归原作者所有，仅代表作者个人观点，不代表本站立场，"
    "本站不对其真实性负责。如涉及作品内容、版权和其他问题，请在三十日内与本站联系，我们将在第一时间删除内容。"
    "投资有风险，入市需谨慎。"
)


def _change_words(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(2):
        at = rng.randrange(len(letters) - 2)
        letters[at : at + 2] = "某些" if HAN_LETTER.search(text) else "xy"
    return "".join(letters)


def _add_byline(text: str, _rng: random.Random) -> str:
    return ("新华社北京电（记者 王小明）" if HAN_LETTER.search(text) else "LONDON (Reuters) - ") + text


def _add_tail(text: str, _rng: random.Random) -> str:
    return text + (
        "\n（责任编辑：李小红）更多内容请关注" if HAN_LETTER.search(text) else "\nFollow us for more stories."
    )


def _drop_last_sentence(text: str, _rng: random.Random) -> str:
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    return "".join(sentences[:-1]) if len(sentences) > 3 else text


EDITS: Final[Mapping[str, Edit]] = MappingProxyType(
    {
        "words changed": _change_words,
        "byline added": _add_byline,
        "tail added": _add_tail,
        "last sentence dropped": _drop_last_sentence,
    }
)


def _earthquake(rng: random.Random) -> tuple[str, str]:
    place, strength = rng.choice(_PLACES), f"{rng.randint(3, 6)}.{rng.randint(0, 9)}"
    text = (
        f"中国地震台网正式测定：{_day(rng)}{rng.randint(0, 23)}时{rng.randint(0, 59)}分在{place}"
        f"（北纬{rng.uniform(20, 50):.2f}度，东经{rng.uniform(70, 130):.2f}度）发生{strength}级地震，"
        f"震源深度{rng.randint(5, 30)}千米。"
        "相关部门提醒民众注意防范余震，切勿轻信和传播谣言，以官方发布的信息为准。"
    )
    return f"{place}发生{strength}级地震", text


def _share_sale(rng: random.Random) -> tuple[str, str]:
    company = rng.choice(_COMPANIES)
    text = (
        f"{company}（{rng.randint(600000, 603999)}）{_day(rng)}晚间公告称，公司控股股东计划自公告之日起"
        f"{rng.randint(3, 15)}个交易日后的{rng.randint(3, 6)}个月内，通过集中竞价或大宗交易方式减持公司股份"
        f"不超过{rng.randint(100, 9999)}万股，占公司总股本的{rng.uniform(1, 5):.2f}%。"
        "减持原因为股东自身资金需求，减持价格根据市场价格确定。"
    )
    return f"{company}：控股股东拟减持", text


def _closing_prices(rng: random.Random) -> tuple[str, str]:
    def index(name: str, low: int, high: int) -> str:
        return f"{name}报{rng.uniform(low, high):.2f}点，涨{rng.uniform(0, 3):.2f}%"

    text = (
        f"今日收盘，{index('沪指', 2800, 3600)}；{index('深成指', 9000, 13000)}；{index('创业板指', 1800, 2600)}。"
        f"两市全天成交额{rng.randint(6000, 12000)}亿元，北向资金净流入{rng.uniform(10, 99):.2f}亿元。"
        "盘面上，券商、银行等板块涨幅居前。"
    )
    return "收评：三大指数集体收涨", text


def _under_one_disclaimer(rng: random.Random) -> tuple[str, str]:
    place, office = rng.choice(_PLACES), rng.choice(("教育局", "公安局", "博物馆", "图书馆", "体育局", "环保局"))
    what = rng.choice(("启动冬季志愿服务，数百名市民参加", "宣布调整开放时间，方便群众", "举办讲座，邀请专家解读新规"))
    return f"{place}{office}{what[:6]}", f"{place}{office}{what}。{_DISCLAIMER}"


def _appeal(rng: random.Random) -> tuple[str, str]:
    town, victim = rng.choice(("Leeds", "Bristol", "York", "Derby", "Hull")), rng.choice(("man", "woman", "cyclist"))
    deed, street = rng.choice(("injured", "robbed", "attacked")), rng.choice(("High Street", "Park Lane", "Mill Road"))
    when = f"{rng.randint(1, 12)}.{rng.randint(10, 59)}pm on {rng.choice(('Monday', 'Friday', 'Sunday'))}"
    text = (
        f"Police in {town} are appealing for witnesses after a {victim} was {deed} on {street} at about {when}. "
        f"The victim, aged {rng.randint(18, 80)}, was taken to hospital with injuries described as serious. "
        "Anyone with information is asked to call police on 101 or Crimestoppers anonymously."
    )
    return f"{victim.capitalize()} {deed} on {street}, {town}", text


def _day(rng: random.Random) -> str:
    return f"{rng.randint(1, 12)}月{rng.randint(1, 28)}日"


FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        "earthquake": _earthquake,
        "share sale": _share_sale,
        "closing prices": _closing_prices,
        "one disclaimer": _under_one_disclaimer,
        "police appeal": _appeal,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Copies of one edit and length class."""

    edit: str
    up_to: int
    """Characters of the original."""
    n: int
    within_3: float
    """Share of copies within 3 bits of SimHash."""
    proposed: float
    """Share within ``MAX_DISTANCE`` bits and with a key in common: what the index finds."""
    found: float
    """Share found and confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Different texts taken for one."""

    what: str
    n_pairs: int
    n_close: int
    """Pairs within ``MAX_DISTANCE`` bits: what SimHash alone would merge."""
    n_merged: int


def is_found(a: str, b: str, headline_a: str | None = None, headline_b: str | None = None) -> bool:
    """Tell whether the storage would link the two: proposed by the index and confirmed by the texts."""
    return is_proposed(simhash(a), simhash(b)) and is_near_duplicate(a, b, headline_a, headline_b)


def is_proposed(x: int | None, y: int | None) -> bool:
    if x is None or y is None:
        return False
    return hamming(x, y) <= MAX_DISTANCE and not set(band_keys(x)).isdisjoint(band_keys(y))


def recalls(texts: Sequence[str], seed: int = SEED) -> list[Recall]:
    """Measure each edit on each text; a text an edit leaves as it is does not count."""
    rows = []
    for name, edit in EDITS.items():
        rng = random.Random(seed)  # noqa: S311 (not for secrets)
        outcomes: dict[int, list[tuple[bool, bool, bool]]] = {up_to: [] for up_to in LENGTHS}
        for text in texts:
            copy = edit(text, rng)
            x, y = simhash(text), simhash(copy)
            if copy == text or x is None or y is None:
                continue
            up_to = next(end for end in LENGTHS if len(squeeze(text)) < end)
            proposed = is_proposed(x, y)
            outcomes[up_to].append((hamming(x, y) <= 3, proposed, proposed and is_near_duplicate(text, copy)))
        for up_to, seen in outcomes.items():
            if seen:
                within_3, proposed_share, found = (float(share) for share in np.mean(np.array(seen), axis=0))
                rows.append(
                    Recall(edit=name, up_to=up_to, n=len(seen), within_3=within_3, proposed=proposed_share, found=found)
                )
    return rows


def merged_texts(texts: Sequence[str]) -> Merged:
    """Compare all pairs of texts."""
    pairs = [(text, value) for text in texts if (value := simhash(text)) is not None]
    values = np.array([value for _, value in pairs], dtype=np.uint64)
    distances = np.bitwise_count(values[:, None] ^ values[None, :])
    close = [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(distances <= MAX_DISTANCE, 1)), strict=True)]
    n_merged = sum(is_found(pairs[i][0], pairs[j][0]) for i, j in close)
    n_pairs = len(values) * (len(values) - 1) // 2
    return Merged(what="labelled texts", n_pairs=n_pairs, n_close=len(close), n_merged=n_merged)


def merged_bulletins(name: str, seed: int = SEED) -> Merged:
    """Compare all pairs of different bulletins of one form."""
    rng = random.Random(seed)  # noqa: S311
    bulletins = list(dict.fromkeys(FORMS[name](rng) for _ in range(N_BULLETINS)))
    pairs = list(combinations(bulletins, 2))
    n_close = sum(is_proposed(simhash(a), simhash(b)) for (_, a), (_, b) in pairs)
    n_merged = sum(is_found(a, b, head_a, head_b) for (head_a, a), (head_b, b) in pairs)
    return Merged(what=name, n_pairs=len(pairs), n_close=n_close, n_merged=n_merged)


def gold_texts(corpus: Path) -> list[str]:
    """Return every labelled full text of the corpus."""
    lines = [
        line
        for index in sorted(corpus.glob("*/index.jsonl"))
        for line in index.read_text(encoding="utf-8").splitlines()
    ]
    return [text for line in lines if (text := (json.loads(line).get("gold") or {}).get("text"))]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=None)
    parser.add_argument("--json", type=Path, default=None)
    options = parser.parse_args(arguments)
    texts = gold_texts(options.corpus or default_folder())
    found = recalls(texts)
    wrong = [merged_texts(texts), *(merged_bulletins(name) for name in FORMS)]
    result: dict[str, Any] = {
        "seed": SEED,
        "n_texts": len(texts),
        "recall": [asdict(row) for row in found],
        "merged": [asdict(row) for row in wrong],
    }
    for row in found:
        length = f"< {row.up_to}" if row.up_to < 10**9 else f">= {LENGTHS[-2]}"
        shares = f"3 bits {row.within_3:.2f}  proposed {row.proposed:.2f}  found {row.found:.2f}"
        sys.stdout.write(f"{row.edit:<22} {length:>8} chars  n {row.n:>4}  {shares}\n")
    for up_to in LENGTHS:
        rows = [row for row in found if row.up_to == up_to]
        if rows:
            share = sum(row.found * row.n for row in rows) / sum(row.n for row in rows)
            sys.stdout.write(f"all edits up to {up_to}: found {share:.2f}\n")
    for bad in wrong:
        sys.stdout.write(f"{bad.what:<22} {bad.n_pairs:>8} pairs  close {bad.n_close:>5}  merged {bad.n_merged}\n")
    if options.json:
        options.json.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
