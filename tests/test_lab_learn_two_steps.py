import numpy as np
import pytest

from lab.learn.two_steps import (
    NONE,
    NOT_MAIN,
    SVM,
    LabelledPage,
    calibrate,
    condense,
    decision_values,
    train,
)
from newscrawl.classify.blocks.classifiers import MAIN, OTHER, RELATED, KernelMachine, classified


def rings(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    inner = random.integers(0, 2, n)
    angle = random.uniform(0, 2 * np.pi, n)
    radius = np.where(inner, 1.0, 3.0) + random.normal(0, 0.2, n)
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle))), inner


def test_landmarks_decide_as_the_machine_does() -> None:
    samples, inner = rings(400, 1)
    svm = SVM(gamma=1.0).fit(samples, inner)
    machine = condense([svm], samples, gamma=1.0, n_landmarks=40, seed=1)
    fresh, truth = rings(200, 2)
    found = machine.decisions(fresh)[:, 0]
    assert ((found > 0) == (decision_values(svm, fresh) > 0)).mean() >= 0.99
    assert ((found > 0) == truth).mean() >= 0.99
    assert machine.landmarks.shape == (40, 2)


def test_probability_is_one_half_at_the_border() -> None:
    samples, inner = rings(200, 1)
    svm = SVM(gamma=1.0).fit(samples, inner)
    machine = condense([svm], samples, gamma=1.0, n_landmarks=20, seed=1)
    sharper = calibrate(machine, [decision_values(svm, samples)], [inner])
    assert sharper.slopes[0] > 1
    for one in (machine, sharper):
        assert ((one.probabilities(samples) > 0.5) == (one.decisions(samples) > 0)).all()


def test_a_machine_of_one_class_decides_for_it() -> None:
    samples = rings(50, 1)[0]
    for label, sign in ((0, -1), (1, 1)):
        svm = SVM(gamma=1.0).fit(samples, np.full(50, label))
        found = condense([svm], samples, gamma=1.0, n_landmarks=5, seed=1).decisions(samples)
        assert (np.sign(found) == sign).all()


def test_fewer_samples_than_landmarks() -> None:
    svm = SVM(gamma=1.0).fit([[0.0], [1.0], [1.0]], [0, 1, 1])
    machine = condense([svm], np.array([[0.0], [1.0], [1.0]]), gamma=1.0, n_landmarks=9, seed=1)
    assert machine.landmarks.shape == (2, 1)
    assert KernelMachine.from_arrays(machine.arrays()).decisions(np.array([[1.0]]))[0, 0] > 0


def three_class_pages(n: int) -> list[LabelledPage]:
    random = np.random.default_rng(5)
    centres = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    pages = []
    for number in range(n):
        labels = np.array([MAIN, RELATED, OTHER, OTHER])
        samples = centres[labels] + random.normal(0, 0.3, (4, 2))
        if number % 2:  # of every second page only the body is known
            labels = np.where(labels == MAIN, MAIN, NOT_MAIN)
        labels[-1] = NONE
        pages.append(LabelledPage(samples=samples, labels=labels, group=f"site{number % 5}"))
    return pages


def test_two_steps_learn_three_classes_from_pages_with_two() -> None:
    pages = three_class_pages(20)
    trained = train(pages, seed=1, n_landmarks=10, folds=3)
    assert trained.unseen is not None
    assert [given.tolist() for given in trained.unseen] == [[MAIN, RELATED, OTHER, OTHER]] * 20
    labels, confidence = classified(trained.machine, pages[0].samples)
    assert labels.tolist() == [MAIN, RELATED, OTHER, OTHER]
    assert (confidence > 0.5).all()


def test_the_same_seed_gives_the_same_machine() -> None:
    pages = three_class_pages(10)
    one, other = (train(pages, seed=3, n_landmarks=6).machine.arrays() for _ in range(2))
    assert all((one[name] == other[name]).all() for name in one)


def test_one_group_has_no_scores_and_bodies_alone_no_related_links() -> None:
    pages = [page for page in three_class_pages(80) if NOT_MAIN in page.labels.tolist()]
    pages = [LabelledPage(samples=page.samples, labels=page.labels, group="one") for page in pages]
    trained = train(pages, seed=1, n_landmarks=6)
    assert trained.unseen is None
    assert set(classified(trained.machine, pages[0].samples)[0].tolist()) == {MAIN, OTHER}


@pytest.mark.parametrize("labels", [[NONE, NONE], [MAIN, MAIN], [OTHER, RELATED]])
def test_training_needs_two_kinds_of_blocks(labels: list[int]) -> None:
    page = LabelledPage(samples=np.array([[0.0], [1.0]]), labels=np.array(labels), group="a")
    with pytest.raises(ValueError, match="training needs blocks of main text and blocks that are not"):
        train([page], seed=1)
