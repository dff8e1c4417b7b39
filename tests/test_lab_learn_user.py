import numpy as np
import pytest

from lab.learn.label_propagation import KNNLP
from lab.learn.propagation import LNP
from lab.learn.user import ExtendedSet, extend_training_set


def two_clouds(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, n)
    return random.normal(size=(n, 3)) + 6 * truth[:, None], truth


def extended(n_known: int = 44, n_rest: int = 100) -> tuple[ExtendedSet, np.ndarray]:
    known, labels = two_clouds(n_known, 1)
    rest, truth = two_clouds(n_rest, 2)
    return extend_training_set(known, labels, rest), truth


def test_batches_are_those_of_the_paper() -> None:
    # 44 labelled blocks, 25 a round, 53 rounds: 1,369 blocks (§5.3.2)
    found, _ = extended(n_rest=1325)
    assert found.batch_ends == tuple(44 + 25 * done for done in range(1, 54))
    assert len(found.labels) == 1369


def test_last_batch_is_shorter() -> None:
    found, _ = extended(n_rest=60)
    assert found.batch_ends == (69, 94, 104)


def test_labels_of_separate_clouds_are_right() -> None:
    found, truth = extended()
    assert (found.labels[44:] == truth).mean() >= 0.99
    assert found.confidence.min() > 0.5
    assert (found.confidence[:44] == 1).all()


def test_a_round_sees_the_given_labels_only() -> None:
    # the same batch gets the same labels whatever came before it
    known, labels = two_clouds(44, 1)
    rest, _ = two_clouds(50, 2)
    whole = extend_training_set(known, labels, rest)
    second = extend_training_set(known, labels, rest[25:])
    assert whole.labels[69:].tolist() == second.labels[44:].tolist()
    assert whole.confidence[69:] == pytest.approx(second.confidence[44:])


def test_another_estimator_can_do_the_rounds() -> None:
    known, labels = two_clouds(20, 1)
    rest, truth = two_clouds(30, 2)
    found = extend_training_set(known, labels, rest, make=lambda: LNP(n_neighbours=5))
    assert (found.labels[20:] == truth).mean() >= 0.99


def test_nothing_to_add() -> None:
    found = extend_training_set([[0.0], [1.0]], [0, 1], [])
    assert found.labels.tolist() == [0, 1]
    assert found.batch_ends == ()


@pytest.mark.parametrize(
    ("labels", "rest", "message"),
    [
        ([0, -1], [[1.0]], "labelled sample 1 has no label"),
        ([-1, -1], [[1.0]], "none of 2 samples is labelled"),
        ([0, 1], [[1.0, 2.0]], "samples with 2 features: fitted with 1"),
        ([0, 1], [[np.nan]], "sample 0, feature 0 is nan"),
    ],
)
def test_mistakes_are_refused(labels: list[int], rest: list[list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        extend_training_set([[0.0], [1.0]], labels, rest)


def test_batch_share_must_be_positive() -> None:
    with pytest.raises(ValueError, match="batch_share=0"):
        extend_training_set([[0.0], [1.0]], [0, 1], [[2.0]], make=KNNLP, batch_share=0)
