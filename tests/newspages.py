"""News pages as portals make them, no two of them alike."""

from __future__ import annotations

#: Sentences that differ from page to page, so that none is a near-duplicate of another.
SUBJECTS = (
    "城市轨道交通",
    "沿海养殖业",
    "中学图书馆",
    "高原气象站",
    "老旧小区改造",
    "乡村邮路",
    "古籍修复",
    "天文台巡天",
    "河道清淤",
)


def article(n: int) -> str:
    """A news page like those of a portal: headline, byline, eight paragraphs of its own words, a navigation."""
    subject = SUBJECTS[n]
    paragraphs = "".join(
        f"<p>{subject}第{step}阶段的工作于{step + 2}月展开，记者在现场看到，{subject}的{step * 7 + n}项任务已经完成，"
        f"负责人介绍，接下来将围绕{subject}的质量与进度继续推进，预计全年投入{step * 13 + n * 3}万元。</p>"
        for step in range(1, 9)
    )
    return (
        f"<html><head><title>{subject}取得新进展_测试网</title></head><body>"
        "<div class='nav'><a href='/'>首页</a> <a href='/gone.html'>关于</a></div>"
        f"<div class='article'><h1>{subject}取得新进展</h1>"
        f"<div class='info'>2024年03月0{n + 1}日 10:20 来源：测试日报</div>"
        f"<div class='content'>{paragraphs}</div></div>"
        "<div class='footer'>版权所有</div></body></html>"
    )
