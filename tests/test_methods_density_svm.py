from newscrawl.classify.blocks.classify import RuleClassifier
from newscrawl.methods.base import get_extractor
from newscrawl.methods.density import DensitySVMExtractor
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel

PROSE = "The council voted on Tuesday to rebuild the old harbour bridge, after years of debate. "
LINKS = "".join(f'<li><a href="/{n}.html">A headline of another story, number {n}, worth reading</a>' for n in range(8))
PAGE = f"""<title>Bridge</title><body><ul class=nav><li><a href=/>Home</a><li><a href=/w>World</a></ul>
<div class=content><h1>Council votes to rebuild the bridge</h1>
{f"<p>{PROSE * 3}</p>" * 8}</div><div><ul>{LINKS}</ul></div><div>About us, contact</div></body>"""


def test_the_shipped_model_gives_the_text() -> None:
    found = get_extractor("density_svm").extract(Document.from_html(PAGE))
    assert found.method == "density_svm"
    assert found.text.count(PROSE.strip()) == 24
    assert "another story" not in found.text
    assert "Home" not in found.text
    assert {block.label for block in found.blocks} == set(BlockLabel)


class Nothing(RuleClassifier):
    def classify(self, blocks, document):  # type: ignore[no-untyped-def]
        return tuple(block._replace(label=BlockLabel.OTHER) for block in blocks)


def test_another_classifier_can_be_given() -> None:
    found = DensitySVMExtractor(classifier=Nothing()).extract(Document.from_html(PAGE))
    assert found.text == ""
    assert found.confidence == 0


def test_an_empty_page() -> None:
    assert get_extractor("density_svm").extract(Document.from_html("")).text == ""
