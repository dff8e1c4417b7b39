"""News portals of mainland China. Times without a zone are Asia/Shanghai.

Address patterns cover today's forms and those of older pages that the portals still link to.
"""

from __future__ import annotations

from types import MappingProxyType

from newscrawl.sites.model import NewsSite

SINA = NewsSite(
    name="sina",
    title="新浪",
    hosts=(".sina.com.cn", ".sina.cn"),
    seeds=("https://news.sina.com.cn/", "https://news.sina.com.cn/roll/"),
    channels=MappingProxyType(
        {
            "news": ("https://news.sina.com.cn/",),
            "china": ("https://news.sina.com.cn/china/",),
            "world": ("https://news.sina.com.cn/world/",),
            "society": ("https://news.sina.com.cn/society/",),
            "military": ("https://mil.news.sina.com.cn/",),
            "finance": ("https://finance.sina.com.cn/", "https://finance.sina.com.cn/stock/"),
            "tech": ("https://tech.sina.com.cn/",),
            "sports": ("https://sports.sina.com.cn/",),
            "ent": ("https://ent.sina.com.cn/",),
            "edu": ("https://edu.sina.com.cn/",),
            "fashion": ("https://fashion.sina.com.cn/",),
            "auto": ("https://auto.sina.com.cn/",),
        }
    ),
    feeds=(
        "http://rss.sina.com.cn/news/marquee/ddt.xml",
        "http://rss.sina.com.cn/news/china/focus15.xml",
        "http://rss.sina.com.cn/news/world/focus15.xml",
        "http://rss.sina.com.cn/tech/rollnews.xml",
        "http://rss.sina.com.cn/roll/finance/hot_roll.xml",
    ),
    article_patterns=(
        # /c/2019-09-07/doc-iicezzrq4076655.shtml; on sina.cn /2023-05-01/detail-imyskwxq0000000.d.html
        r"/(?P<y>20\d\d)-(?P<m>\d\d)-(?P<d>\d\d)/(?:doc|detail|zl)-i\w{6,}(?:\.d)?\.s?html",
        r"/(?:doc|detail)-i[a-z]{3,}\w{5,}(?:\.d)?\.s?html",
        # /gyzx/2009-02-04/09346152.html, /s/2003-12-01/12341234567s.shtml
        r"/(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)/\d{4,}[a-z]?(?:_\d+)?\.s?html",
        # /stock/t/20120112/091211184.shtml
        r"/(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)/\d{6,}(?:_\d+)?\.s?html",
        r"^blog\.sina\.(?:com\.cn|cn)/s/blog_\w{10,}\.html",
        r"^k\.sina\.(?:com\.cn|cn)/article_\d+_\w+\.html",
        r"^cj\.sina\.(?:com\.cn|cn)/articles?/view/\d+/\w+",
        r"^(?:\w+\.)*sina\.cn/article_\d+_\w+\.html",
    ),
    hub_patterns=(
        r"^roll\.",
        r"^tags\.[\w.]*sina\.com\.cn/",
        r"/(?:index|list)(?:_\d+)?\.s?html?(?:$|\?)",
        r"^blog\.sina\.com\.cn/(?:u|lm|s/articlelist_)",
    ),
    deny_patterns=(
        (
            r"^(?:comment\w*|login|passport|sms\w*|mms|vip\.\w+|video|slide|photo|app|down|ka|games?|bf|pfp|mail"
            r"|music|guba|bbs|club|help|corp|ads?|click|sinastorage|so|search|weather|m\.weibo|db)\."
        ),
        r"^(?:video|slide|photo|comment\w*|bbs|club|blog\.video)\.[\w.]*sina\.",
        r"^(?:stock|biz|vip\.stock|i|live)\.finance\.sina\.com\.cn/",
        r"\.(?:php|cgi|phtml)(?:$|[/?])",
    ),
    timezone="Asia/Shanghai",
    language="zh",
    site_names=("新浪", "新浪网", "新浪新闻", "新浪财经", "新浪科技", "新浪体育", "新浪娱乐", "手机新浪网"),
    article_query=False,
)

NETEASE = NewsSite(
    name="netease",
    title="网易",
    hosts=(".163.com",),
    seeds=("https://news.163.com/", "https://www.163.com/"),
    channels=MappingProxyType(
        {
            "news": ("https://news.163.com/",),
            "china": ("https://news.163.com/domestic/",),
            "world": ("https://news.163.com/world/",),
            "society": ("https://news.163.com/shehui/",),
            "military": ("https://war.163.com/",),
            "finance": ("https://money.163.com/", "https://money.163.com/stock/"),
            "tech": ("https://tech.163.com/",),
            "sports": ("https://sports.163.com/",),
            "ent": ("https://ent.163.com/",),
            "edu": ("https://edu.163.com/",),
            "fashion": ("https://lady.163.com/",),
            "auto": ("https://auto.163.com/",),
        }
    ),
    feeds=(
        "http://news.163.com/special/00011K6L/rss_newstop.xml",
        "http://news.163.com/special/00011K6L/rss_gn.xml",
        "http://news.163.com/special/00011K6L/rss_gj.xml",
        "http://tech.163.com/special/000944OI/headlines.xml",
        "http://money.163.com/special/00252EQ2/yaowenrss.xml",
    ),
    article_patterns=(
        # /20/0229/18/F6ISIFBD0001899O.html; page 2 is …_2.html, all pages in one …_all.html
        r"\.163\.com/(?:[a-z]\w*/)?(?P<y>\d\d)/(?P<m>[01]\d)(?P<d>[0-3]\d)/\d\d?/[0-9A-Z]{16}(?:_\w+)?\.html",
        # /50110/3/19O6S1IU00020QBS.html: year 2005, before 2006
        r"\.163\.com/\d{5,6}/\d{1,2}/[0-9A-Z]{16}(?:_\w+)?\.html",
        # /dy/article/G33O1QTA05372UZS.html, /v2/article/detail/EFDAIN1E054550F0.html, /news/article/….html
        r"\.163\.com/(?:[\w-]+/)*article/(?:detail/)?[0-9A-Z]{16}(?:_\w+)?\.html",
        r"\.163\.com/(?:[\w-]+/)?(?:news|detail)/[0-9A-Z]{16}(?:_\w+)?\.html",
        r"blog\.163\.com/(?:[\w@.%-]+/)?blog/static/\d{10,}/?",
    ),
    hub_patterns=(r"/special/", r"/keywords/", r"/(?:index|list)(?:_\d+)?\.html?(?:$|\?)"),
    deny_patterns=(
        r"(?:^|\.)(?:yuedu|open)\.163\.com/",
        (
            r"^(?:comment|tie|reg|mail|passport|login|love|mall|you|study|caipiao|email|vip|vipmail|id|epay|pay"
            r"|music|game|gs|quotes|help|corp|hr|open|v|live|t|photo|cps|gb|adgeo|bbs|baojian|baoxian|shop"
            r"|hao|fa|xyq\w*|nie|so|search|sitemap|product|db|data|app|m|i|c|y|ds|lq|kaola|campus|g|p|jiu|hongbao"
            r"|trip|piao|ecard|zxpic|pr)\.163\.com"
        ),
        r"^(?:comment|quotes|bbs|v|photo|media|datacenter|data|product|db|match|goal|live|play)\.[\w.]+\.163\.com",
        r"/(?:photoview|photonew|photo|photoset|video|live|room|bbs|\w+_bbs)/",
        r"\.(?:jsp|do|php)(?:$|[?;])",
    ),
    timezone="Asia/Shanghai",
    language="zh",
    site_names=("网易", "网易新闻", "网易财经", "网易科技", "网易体育", "网易娱乐", "网易订阅", "网易号"),
    article_query=False,
)

SOHU = NewsSite(
    name="sohu",
    title="搜狐",
    hosts=(".sohu.com",),
    seeds=("https://www.sohu.com/", "https://news.sohu.com/"),
    channels=MappingProxyType(
        {
            "news": ("https://news.sohu.com/",),
            "china": ("https://www.sohu.com/c/8/1460",),
            "world": ("https://www.sohu.com/c/8/1461",),
            "military": ("https://mil.sohu.com/",),
            "finance": ("https://business.sohu.com/", "https://stock.sohu.com/"),
            "tech": ("https://it.sohu.com/",),
            "sports": ("https://sports.sohu.com/",),
            "ent": ("https://yule.sohu.com/",),
            "culture": ("https://cul.sohu.com/",),
            "history": ("https://history.sohu.com/",),
            "edu": ("https://learning.sohu.com/",),
            "fashion": ("https://fashion.sohu.com/",),
            "health": ("https://health.sohu.com/",),
            "auto": ("https://auto.sohu.com/",),
        }
    ),
    feeds=(
        "http://rss.news.sohu.com/rss/focus.xml",
        "http://rss.news.sohu.com/rss/guonei.xml",
        "http://rss.news.sohu.com/rss/guoji.xml",
    ),
    article_patterns=(
        # /a/434365209_123753
        r"\.sohu\.com/a/\d+_\d+",
        # /20091104/n267968398.shtml
        r"\.sohu\.com/(?:[\w-]+/)*(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)/n\d+(?:_\d+)?\.shtml",
        # /06/46/article213514606.shtml, /25/85/news215078525.shtml, /7/0404/09/column219700921.shtml
        r"\.sohu\.com/(?:\d+/)*\d\d/(?:article|news)\d+\.shtml",
        r"blog\.sohu\.com/\d+\.html",
        r"\.sohu\.com/n/\d{6,}/?",
    ),
    hub_patterns=(
        r"/column\d+\.shtml",
        r"/s20\d\d/",
        r"\.sohu\.com/(?:c|s|ch|subject|tag|xtopic)/",
        r"\.sohu\.com/\d{3,6}(?:$|[/?])",
    ),
    deny_patterns=(
        (
            r"^(?:club|bbs|comment|passport|mail|tv|v|film|pic|db|data|login|sms|mms|store|goto|dynamic|add|ad"
            r"|pinglun|intro|hr|about|corp|help|game|lingtong|ring|photo|my\.tv|cbadata|match|quan|so|search"
            r"|astro|saa|q\.stock|login)\."
        ),
        r"^(?:club|bbs|comment|pic|db|data|match|mp|app)\.[\w.]*sohu\.com",
        r"\.sohu\.com/(?:picture|video|upload)/",
        r"/(?:group-\d+|searchcar)",
        r"\.(?:jsp|php)(?:$|[?;])",
    ),
    timezone="Asia/Shanghai",
    language="zh",
    site_names=("搜狐", "搜狐网", "搜狐新闻", "搜狐财经", "搜狐体育", "搜狐娱乐", "手机搜狐网"),
    article_query=False,
)

PEOPLE = NewsSite(
    name="people",
    title="人民网",
    hosts=(".people.com.cn", ".people.cn"),
    seeds=("http://www.people.com.cn/",),
    channels=MappingProxyType(
        {
            "politics": ("http://politics.people.com.cn/",),
            "world": ("http://world.people.com.cn/",),
            "finance": ("http://finance.people.com.cn/",),
            "society": ("http://society.people.com.cn/",),
            "opinion": ("http://opinion.people.com.cn/",),
            "military": ("http://military.people.com.cn/",),
            "edu": ("http://edu.people.com.cn/",),
            "tech": ("http://scitech.people.com.cn/", "http://it.people.com.cn/"),
            "culture": ("http://culture.people.com.cn/",),
            "sports": ("http://sports.people.com.cn/",),
            "ent": ("http://ent.people.com.cn/",),
            "health": ("http://health.people.com.cn/",),
            "party": ("http://cpc.people.com.cn/",),
        }
    ),
    feeds=(
        "http://www.people.com.cn/rss/politics.xml",
        "http://www.people.com.cn/rss/world.xml",
        "http://www.people.com.cn/rss/finance.xml",
        "http://www.people.com.cn/rss/society.xml",
        "http://www.people.com.cn/rss/opml.xml",
    ),
    article_patterns=(
        # /n1/2024/0305/c1001-40189012.html, /n/2015/0704/c70731-27254112.html
        r"/n\d?/(?P<y>20\d\d)/(?P<m>[01]\d)(?P<d>[0-3]\d)/c\d+-\d+(?:-\d+)?\.html",
        # /GB/16902462.html, /GB/shizheng/1026/3137450.html
        r"\.people\.(?:com\.)?cn/GB/(?:[\w-]+/)*\d{5,}(?:-\d+)?\.html",
        # the newspaper: /rmrb/html/2019-09/10/nw.D110000renmrb_20190910_1-01.htm
        r"/html/(?P<y>20\d\d)-(?P<m>\d\d)/(?P<d>\d\d)/(?:nw\.D\w+_\d{8}_[\w-]+|content_\d+(?:_\d+)?)\.html?",
        r"/pc/content/(?P<y>20\d\d)(?P<m>\d\d)/(?P<d>\d\d)/content_\d+\.html",
        r"\.people\.(?:com\.)?cn/BIG5/n\d?/\d{4}/\d{4}/c\d+-\d+\.html",
    ),
    hub_patterns=(
        r"/index(?:\d+)?\.html?(?:$|\?)",
        r"/GB/(?:[\w-]+/)*(?:index\d*\.html)?(?:$|\?)",
        r"/nbs\.D\d+\w*_\d+\.html?",
        r"/paperindex\.htm",
    ),
    deny_patterns=(
        (
            r"^(?:bbs\d?|liuyan|comments?|sso|passport|mail|search|tv|v|pic|photo|picchina|t|ads?|blog|qiangguo)"
            r"\.people\."
        ),
        r"\.(?:jsp|php|do)(?:$|[?;])",
    ),
    timezone="Asia/Shanghai",
    language="zh",
    site_names=("人民网", "人民日报", "People's Daily Online"),
    article_query=False,
)

XINHUA = NewsSite(
    name="xinhua",
    title="新华网",
    hosts=(".xinhuanet.com", ".news.cn"),
    seeds=("http://www.news.cn/", "http://www.xinhuanet.com/"),
    channels=MappingProxyType(
        {
            "politics": ("http://www.news.cn/politics/",),
            "local": ("http://www.news.cn/local/",),
            "world": ("http://www.news.cn/world/",),
            "finance": ("http://www.news.cn/fortune/", "http://www.news.cn/money/"),
            "tech": ("http://www.news.cn/tech/",),
            "military": ("http://www.news.cn/milpro/",),
            "society": ("http://www.news.cn/legal/",),
            "sports": ("http://www.news.cn/sports/",),
            "ent": ("http://www.news.cn/ent/",),
            "edu": ("http://education.news.cn/",),
            "culture": ("http://www.news.cn/culture/",),
            "health": ("http://www.news.cn/health/",),
            "opinion": ("http://www.news.cn/comments/",),
        }
    ),
    feeds=(
        "http://www.xinhuanet.com/politics/news_politics.xml",
        "http://www.xinhuanet.com/world/news_world.xml",
        "http://www.xinhuanet.com/fortune/news_fortune.xml",
        "http://www.xinhuanet.com/tech/news_tech.xml",
    ),
    article_patterns=(
        # /world/2015-07/04/c_1115815908.htm, /politics/2024-03/05/c_1130085000.htm
        r"/(?P<y>20\d\d)-(?P<m>\d\d)/(?P<d>\d\d)/(?:c|content)_\d+(?:_\d+)?\.html?",
        # /politics/20240305/0f9c3a5d7b1e4f2a8c6d0e1f2a3b4c5d/c.html
        r"/(?P<y>20\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)/[0-9a-f]{32}/c\.html?",
        # /english/2019-12/05/c_138607654.htm is covered; /2021-05/17/1127454454_16212….html
        r"/(?P<y>20\d\d)-(?P<m>\d\d)/(?P<d>\d\d)/\d{6,}(?:_\d+)?\.html?",
    ),
    hub_patterns=(r"/index\.html?(?:$|\?)", r"/(?:\w+/)?list(?:_\d+)?\.html?(?:$|\?)"),
    deny_patterns=(
        r"^(?:forum|comment|sso|login|search|tv|video|vod|photo|pic|bbs|blog|game|caipiao|mail)\.",
        r"/(?:video|photo|photos|vod|gallery)/",
        r"\.(?:jsp|php|do)(?:$|[?;])",
    ),
    timezone="Asia/Shanghai",
    language="zh",
    site_names=("新华网", "新华社", "Xinhua"),
    article_query=False,
)

SITES = (SINA, NETEASE, SOHU, PEOPLE, XINHUA)
