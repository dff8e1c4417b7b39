import pytest
from scrapy.settings import Settings

from newscrawl.blocks.classify import RuleClassifier
from newscrawl.blocks.learned import LearnedClassifier
from newscrawl.exceptions import UserError
from newscrawl.methods.density_svm import DensitySVMExtractor
from newscrawl.pipelines.extractor import crawl_extractor


def settings(extractor: str, classifier: str) -> Settings:
    return Settings({"NEWSCRAWL_EXTRACTOR": extractor, "NEWSCRAWL_CLASSIFIER": classifier})


@pytest.mark.parametrize(("name", "expected"), [("rules", RuleClassifier), ("svm", LearnedClassifier)])
def test_the_crawls_classifier_labels_the_blocks(name: str, expected: type) -> None:
    found = crawl_extractor(settings("density_svm", name))
    assert isinstance(found, DensitySVMExtractor)
    assert isinstance(found.classifier, expected)


def test_other_methods_need_no_classifier() -> None:
    assert crawl_extractor(settings("lineblock", "no-such-model")).name == "lineblock"


def test_mistakes_are_named() -> None:
    with pytest.raises(UserError, match="'tea'"):
        crawl_extractor(settings("tea", "svm"))
    with pytest.raises(UserError, match="'no-such-model'"):
        crawl_extractor(settings("density_svm", "no-such-model"))
