import numpy as np
import pytest
from sklearn.base import clone

from lab.learn.baselines import KNN, SelfTrainingSVM, TransductiveSVM
from lab.learn.two_steps import SVM

UNKNOWN = -1
Estimator = KNN | SVM | SelfTrainingSVM | TransductiveSVM


def three_clouds(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, n)
    centres = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
    return random.normal(size=(n, 2)) + centres[truth], truth


@pytest.mark.parametrize("make", [KNN, SVM, SelfTrainingSVM, TransductiveSVM])
class TestContract:
    def test_learns_three_clouds(self, make: type[Estimator]) -> None:
        estimator = make().fit(*three_clouds(60, 1))
        samples, truth = three_clouds(200, 2)
        assert (estimator.predict(samples) == truth).mean() > 0.95

    def test_units_do_not_matter(self, make: type[Estimator]) -> None:
        samples, labels = three_clouds(60, 1)
        unit = np.array([1e-6, 1e6])
        assert make().fit(samples * unit, labels).predict(samples * unit).tolist() == (
            make().fit(samples, labels).predict(samples).tolist()
        )

    def test_one_class_goes_everywhere(self, make: type[Estimator]) -> None:
        assert make().fit([[0.0], [1.0], [2.0]], [2, 2, UNKNOWN]).predict([[9.0]]).tolist() == [2]

    def test_constant_feature(self, make: type[Estimator]) -> None:
        found = make().fit([[0.0, 7.0], [0.1, 7.0], [1.0, 7.0], [1.1, 7.0], [1.2, 7.0]], [0, 0, 1, 1, 1])
        assert found.predict([[1.3, 7.0]]).tolist() == [1]

    def test_two_samples(self, make: type[Estimator]) -> None:
        assert make().fit([[0.0], [1.0]], [0, 1]).predict([[0.0]]).tolist() == [0]

    def test_no_label_and_nan_are_refused(self, make: type[Estimator]) -> None:
        with pytest.raises(ValueError, match="none of 2 samples is labelled"):
            make().fit([[0.0], [1.0]], [UNKNOWN, UNKNOWN])
        with pytest.raises(ValueError, match="is nan"):
            make().fit([[0.0], [np.nan]], [0, 1])
        with pytest.raises(ValueError, match="samples with 2 features: fitted with 1"):
            make().fit([[0.0], [1.0]], [0, 1]).predict([[0.0, 1.0]])

    def test_can_be_cloned(self, make: type[Estimator]) -> None:
        assert clone(make()).get_params() == make().get_params()


def test_unlabelled_samples_move_the_border_of_the_transductive_machine() -> None:
    # one label at 0 and one at 3; the unlabelled gap lies between 2.2 and 2.8, not in the middle
    free = np.concatenate((np.linspace(0.1, 2.2, 20), np.linspace(2.8, 4.9, 20)))
    samples = np.concatenate(([0.0, 3.0], free))[:, None]
    labels = np.array([0, 1, *[UNKNOWN] * 40])
    truth = (samples[:, 0] > 2.5).astype(int)
    alone = (SVM(gamma=1.0).fit(samples, labels).predict(samples) == truth).mean()
    together = TransductiveSVM(gamma=1.0).fit(samples, labels)
    assert (together.transduction_ == truth).mean() >= 0.95 > alone


@pytest.mark.parametrize(
    ("estimator", "message"),
    [(SVM(C=0), "C=0"), (SVM(gamma=-1.0), "gamma=-1"), (TransductiveSVM(C=-1), "C=-1"), (KNN(n_neighbours=0), "=0")],
)
def test_wrong_parameters_are_refused(estimator: Estimator, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        estimator.fit([[0.0], [1.0]], [0, 1])


def test_self_training_follows_a_chain_that_starts_at_its_labels() -> None:
    random = np.random.default_rng(3)
    angle = np.linspace(0, np.pi, 80)
    moons = np.concatenate(
        (np.column_stack((np.cos(angle), np.sin(angle))), np.column_stack((1 - np.cos(angle), 0.4 - np.sin(angle))))
    ) + random.normal(scale=0.03, size=(160, 2))
    truth = np.repeat([0, 1], 80)
    labels = np.full(160, UNKNOWN)
    labels[[0, 40, 79, 80, 120, 159]] = truth[[0, 40, 79, 80, 120, 159]]
    machine = SelfTrainingSVM(gamma=5.0).fit(moons, labels)
    assert (machine.transduction_ == truth).mean() == 1.0
    assert machine.transduction_[40] == 0
    assert machine.n_iter_ == 10


def test_self_training_without_unlabelled_samples_is_the_machine_alone() -> None:
    samples, labels = three_clouds(60, 1)
    machine = SelfTrainingSVM().fit(samples, labels)
    assert machine.n_iter_ == 0
    assert machine.predict(samples).tolist() == SVM().fit(samples, labels).predict(samples).tolist()


def test_share_of_a_round_is_checked() -> None:
    with pytest.raises(ValueError, match=r"round_share=0: expected"):
        SelfTrainingSVM(round_share=0).fit([[0.0], [1.0]], [0, UNKNOWN])
