"""Articles written by hand, for what the phrase grammars cannot give: other scripts, other forms."""

from __future__ import annotations

from datetime import datetime, timedelta

from demosite.model import CRAWL_START, SHANGHAI, DemoArticle, Node

_DAY = datetime(2025, 11, 18, tzinfo=SHANGHAI)

_BIG5 = (
    "白石港舊碼頭的最後一班渡輪，昨日傍晚在汽笛聲中靠岸。三百多名街坊擠在岸邊，有人帶來舊船票，也有人只是想再看一眼。",
    "渡輪公司表示，新橋通車之後，乘客由每日兩千人減少到不足一百人，經營已經難以維持。船長卓文博在船上工作了三十一年，他說自己認得每一位常客。",
    "「他們上學、上班、結婚，都坐這條船。」卓船長把舵輪擦了又擦，「以後要看海，就得自己走過來了。」",
    "市政廳計劃把碼頭改建為水上圖書館，預計明年夏天開放。舊渡輪將停泊在旁邊，作為閱覽室使用，船票印成書籤，送給第一批讀者。",
)
_TICKER = (
    ("09:05", "青岚体育中心开始检票，入口处排队约两百米，工作人员提醒观众提前取出证件。"),
    ("09:30", "组委会宣布因江面有雾，龙舟预赛推迟二十分钟进行，分组名单没有变化。"),
    ("10:12", "雾气散去，第一组六条船出发。石榴河队一路领先，在折返点被云溪队追上。"),
    ("10:40", "第三组出现碰桨，裁判判定双方重赛。岸上的鼓声一直没有停下来。"),
    ("11:26", "半决赛结束，云溪、石榴河、望海、竹山四队晋级，其中竹山队是第一次参赛。"),
    ("15:08", "决赛最后五十米，竹山队以半个船身的优势反超，用时两分十九秒六夺得冠军。"),
    ("15:40", "颁奖仪式在雨中举行，竹山队队长把奖杯递给了负责烧饭的炊事员，全场鼓掌。"),
)
_QUESTIONS = (
    (
        "为什么把办公室搬到菜市场旁边？",
        "因为听得见真话。坐在楼上开会，听到的都是整理过的意见；买菜的时候，谁家的水压不够，一句话就知道了。",
    ),
    (
        "一年下来，最难办的事情是哪一件？",
        "是一盏路灯。它正好立在两个街道的分界线上，电费该谁出，来来回回开了七次会，最后按照影子落在哪边来分。",
    ),
    (
        "有没有想过放弃？",
        "想过两次。一次是方案被全票否决，一次是女儿问我什么时候能一起吃晚饭。第二天醒来，还是照常去了。",
    ),
    ("下一步打算做什么？", "把登记簿上剩下的四十一件事办完。办不成的，也要写清楚为什么办不成，贴在墙上让大家看。"),
)
_GALLERY = (
    "清晨五点，松岭的菌农打着手电进山，露水打湿了裤脚，竹篓里先垫上一层蕨叶。",
    "七点半，第一批鲜菌运到山下的集市，买主蹲在地上挑选，手指沾满泥土的气味。",
    "中午，祠堂前摆开二十张长桌，各家端来拿手的菌汤，孩子们围着灶台等第一碗。",
    "下午，六十七岁的评委逐一闻香，她能凭气味说出菌子长在阳坡还是阴坡。",
    "日落时分，人们把没有卖完的菌子晒上竹席，来年的种子就藏在这些孔隙里。",
)


def hand_made() -> list[DemoArticle]:
    """Return the hand-written articles."""
    return [_big5(), _ticker(), _interview(), _gallery()]


def _big5() -> DemoArticle:
    return DemoArticle(
        url="http://news.sina.com.cn/s/2013-06-09/10126688901.shtml",
        channel="society",
        headline="白石港舊渡輪告別，街坊盼留水上圖書館",
        nodes=[Node(text=text) for text in _BIG5],
        published=datetime(2013, 6, 9, 10, 12, tzinfo=SHANGHAI),
        template="mid",
        source="海陸商報",
        keywords=("社會",),
        options={"charset": "big5", "meta_charset": "big5", "traditional": True},
    )


def _ticker() -> DemoArticle:
    nodes = [Node(text="青岚龙舟公开赛今天举行，本网从现场滚动播报。")]
    nodes += [Node(text=f"{clock} {text}") for clock, text in _TICKER]
    return DemoArticle(
        url="https://sports.sina.com.cn/others/2025-11-18/doc-inlivetkr2025118.shtml",
        channel="sports",
        headline="直播实录：青岚龙舟公开赛竹山队雨中夺冠",
        nodes=nodes,
        published=_DAY + timedelta(hours=15, minutes=52),
        template="modern",
        source="晴川青年报",
        keywords=("体育",),
        options={"og": True},
    )


def _interview() -> DemoArticle:
    nodes = [Node(text="在临澜老城区，街道干事岑知遥把办公桌搬进了菜市场，一坐就是一年。记者与她聊了聊这一年。")]
    for question, answer in _QUESTIONS:
        nodes += [Node(text=f"问：{question}"), Node(text=f"答：{answer}")]
    return DemoArticle(
        url="https://news.sina.com.cn/c/2025-11-16/doc-inwendabb2025116.shtml",
        channel="china",
        headline="对话街道干事岑知遥：把办公桌搬进菜市场",
        nodes=nodes,
        published=_DAY - timedelta(days=2) + timedelta(hours=8, minutes=20),
        template="modern",
        authors=("卫承志",),
        source="临澜晚报",
        keywords=("国内",),
        options={"json_ld": "zone"},
    )


def _gallery() -> DemoArticle:
    return DemoArticle(
        url="https://news.sina.com.cn/s/2025-11-19/doc-intuplist2025119.shtml",
        channel="society",
        headline="组图：松岭山里的采菌日",
        nodes=[Node(kind="gallery", text=text) for text in _GALLERY],
        published=CRAWL_START - timedelta(days=1, hours=2),
        template="modern",
        authors=("骆海宁",),
        source="南塘周刊",
        keywords=("社会",),
        options={"og": True},
    )
