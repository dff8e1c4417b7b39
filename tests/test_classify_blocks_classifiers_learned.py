import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from newscrawl.classify.blocks.block_features import FEATURES, block_features
from newscrawl.classify.blocks.classifiers import (
    DEFAULT_MODEL,
    KIND,
    KernelMachine,
    LearnedClassifier,
    load_machine,
    save_machine,
)
from newscrawl.classify.blocks.classify import RuleClassifier, crawl_blocks
from newscrawl.classify.model_file import FORMAT, ModelFile, load_model, save_model
from newscrawl.exceptions import UserError
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from tests.page_strategies import PAGES

MAX_MODEL_BYTES = 2 * 2**20
PROSE = "The council voted on Tuesday to rebuild the old harbour bridge, after years of debate. "
HEADLINES = [f"A headline of another story, number {n}, worth reading" for n in range(8)]

LINKS = "".join(f'<li><a href="/{n}.html">{title}</a></li>' for n, title in enumerate(HEADLINES))
PAGE = f"""<title>Council votes to rebuild the bridge</title><body>
<ul class="nav"><li><a href="/">Home</a><li><a href="/w">World</a><li><a href="/s">Sport</a></ul>
<div class="content"><h1>Council votes to rebuild the bridge</h1>{f"<p>{PROSE * 3}</p>" * 8}</div>
<ul class="related"><li>Related stories</li>{LINKS}</ul>
<p class="footer">Copyright 2024 The Paper. <a href="/about">About us</a> <a href="/privacy">Privacy</a></p></body>"""


@pytest.fixture(scope="module")
def machine() -> KernelMachine:
    return load_machine(DEFAULT_MODEL)


def test_the_shipped_model_tells_the_parts_of_a_plain_page(machine: KernelMachine) -> None:
    document = Document.from_html(PAGE)
    blocks = LearnedClassifier(machine).classify(crawl_blocks(document), document)
    found = {block.text.split()[0]: block.label for block in blocks}
    assert found["Home"] is BlockLabel.OTHER
    assert found["Related"] is BlockLabel.RELATED
    assert found["Copyright"] is BlockLabel.OTHER
    main = [block for block in blocks if block.label is BlockLabel.MAIN]
    assert sum(PROSE.strip() in block.text for block in main) == 1
    assert all(0 < block.confidence <= 1 for block in blocks)


def test_only_label_and_confidence_change(machine: KernelMachine) -> None:
    document = Document.from_html(PAGE)
    before = crawl_blocks(document)
    after = LearnedClassifier(machine).classify(before, document)
    assert tuple(block._replace(label=None, confidence=0.0) for block in after) == before


def test_rules_help_where_the_model_finds_no_main_text(machine: KernelMachine) -> None:
    never = replace(machine, weights=np.zeros_like(machine.weights), intercepts=np.array([-9.0, -9.0]))
    document = Document.from_html(PAGE)
    blocks = LearnedClassifier(never).classify(crawl_blocks(document), document)
    ruled = RuleClassifier().classify(crawl_blocks(document), document)
    assert [block.label is BlockLabel.MAIN for block in blocks] == [block.label is BlockLabel.MAIN for block in ruled]
    assert any(block.label is BlockLabel.MAIN for block in blocks)


def test_a_page_without_blocks(machine: KernelMachine) -> None:
    document = Document.from_html("")
    assert LearnedClassifier(machine).classify((), document) == ()
    assert block_features((), document).shape == (0, len(FEATURES))


@given(page=PAGES)
@settings(max_examples=60, deadline=None)
def test_any_page_gets_labels(page: str) -> None:
    document = Document.from_html(page)
    blocks = crawl_blocks(document)
    features = block_features(blocks, document)
    assert features.shape == (len(blocks), len(FEATURES))
    assert np.isfinite(features).all()
    found = LearnedClassifier(load_machine(DEFAULT_MODEL)).classify(blocks, document)
    assert all(block.label is not None and 0 <= block.confidence <= 1 for block in found)


def test_letters_that_grow_in_lower_case() -> None:
    document = Document.from_html(f"<body>{'<ul><li>İİİİİİİİ</li></ul><p>İİİ copyright</p>' * 5}</body>")
    assert np.isfinite(block_features(crawl_blocks(document), document)).all()


def test_the_shipped_model_is_small_and_says_where_it_comes_from() -> None:
    assert DEFAULT_MODEL.stat().st_size <= MAX_MODEL_BYTES
    about = load_model(DEFAULT_MODEL, kind=KIND, features=FEATURES).provenance
    assert not {"l3s", "cleaneval", "cleanportal", "swde", "dragnet"} & set(about["counts"]["sets"])
    assert {"corpus_digest", "seed", "versions", "scores", "command"} <= set(about)
    unseen = about["scores"]["gne, sites left out"]
    assert unseen["main"]["f1"] >= 0.90
    assert unseen["related"]["f1"] >= 0.80


def test_a_model_comes_back_from_its_file(machine: KernelMachine, tmp_path: Path) -> None:
    save_machine(tmp_path / "one.npz", machine, {"seed": 1})
    save_machine(tmp_path / "two.npz", load_machine(tmp_path / "one.npz"), {"seed": 1})
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def model_with(arrays: dict[str, np.ndarray], **about: object) -> ModelFile:
    features = about.pop("features", FEATURES)
    assert isinstance(features, tuple)
    return ModelFile(kind=str(about.pop("kind", KIND)), features=features, arrays=arrays, provenance=dict(about))


def refusals(machine: KernelMachine) -> list[tuple[ModelFile, str]]:
    arrays = machine.arrays()
    return [
        (model_with(arrays, format=99), "format 99.*reads format 1.*scrapy train"),
        (model_with(arrays, kind="links"), "kind 'links'"),
        (model_with(arrays, features=FEATURES[1:]), "other features"),
        (model_with({name: array for name, array in arrays.items() if name != "weights"}), "no array 'weights'"),
        (model_with(arrays | {"mean": arrays["mean"][1:]}), "array 'mean' of shape"),
        (
            model_with(arrays | {"weights": arrays["weights"] * np.float32("nan")}),
            "'weights' holds values that are not",
        ),
        (model_with(arrays | {"deviation": arrays["deviation"] * 0}), "not above 0"),
    ]


def test_models_that_do_not_fit_are_refused_in_one_line(machine: KernelMachine, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    for model, message in refusals(machine):
        save_model(path, model)
        with pytest.raises(UserError, match=message) as refused:
            load_machine(path)
        assert "\n" not in str(refused.value)


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    with pytest.raises(UserError, match="no model file"):
        load_machine(path)
    for content in (b"", b"PK\x03\x04 broken", b"not a zip"):
        path.write_bytes(content)
        with pytest.raises(UserError, match="is no model file"):
            load_machine(path)
    save_model(path, ModelFile(kind="blocks", features=(), arrays={}, provenance={}))
    damaged = bytearray(path.read_bytes())
    damaged[30 + len("provenance.json")] ^= 0xFF  # the first byte of what is packed
    path.write_bytes(damaged)
    with pytest.raises(UserError, match="is no model file"):
        load_machine(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("provenance.json", "[1, 2]")
    with pytest.raises(UserError, match="not a JSON object"):
        load_machine(path)


def test_objects_in_a_model_file_are_never_unpickled(tmp_path: Path) -> None:
    data = io.BytesIO()
    np.lib.format.write_array(data, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    about = {"format": 1, "kind": KIND, "features": FEATURES}
    with zipfile.ZipFile(tmp_path / "model.npz", "w") as archive:
        archive.writestr("provenance.json", json.dumps(about))
        archive.writestr("mean.npy", data.getvalue())
    with pytest.raises(UserError, match="is no model file: Object arrays cannot be loaded"):
        load_machine(tmp_path / "model.npz")


MEGABYTE = bytes(2**20)
HEADER = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (%s,), }"
BOMBS: dict[str, dict[str, bytes]] = {
    "a long provenance": {"provenance.json": b'{"a": "' + b"x" * 3 * 2**20 + b'"}'},
    "many arrays": {"provenance.json": b"{}"} | {f"{n}.npy": MEGABYTE * 10 for n in range(14)},
    "one large array": {"a.npy": MEGABYTE * 65},
    "other large files": {"provenance.json": b"{}", "a.bin": MEGABYTE * 130},
    "a shape beyond memory": {"a.npy": (HEADER % b"99999999999999").ljust(127) + b"\n"},
    "a shape beyond numbers": {"a.npy": (HEADER % b"9999999999999999999999").ljust(127) + b"\n"},
    "a negative shape": {"a.npy": (HEADER % b"-5").ljust(127) + b"\n"},
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_unpacks_to_more_than_a_model_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    about = json.dumps({"format": FORMAT, "kind": "blocks", "features": []}).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in ({"provenance.json": about} | BOMBS[kind]).items():
            archive.writestr(name, data)
    with pytest.raises(UserError, match="is no model file"):
        load_model(path, kind="blocks", features=())
