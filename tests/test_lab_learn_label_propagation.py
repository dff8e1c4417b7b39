import warnings

import numpy as np
import pytest
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from lab.learn.label_propagation import KNNLP
from lab.learn.propagation import LNP, LP, bridging_length

ESTIMATORS = [KNNLP(), LP(), LNP()]
MOON = 100
UNKNOWN = -1


def chain() -> np.ndarray:
    return np.arange(4.0)[:, None]


def moons_with_bridge(seed: int, n_bridge: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two interleaved half circles and a few points that lead from one to the other; three labels on each moon."""
    random = np.random.default_rng(seed)
    turn = np.linspace(0, np.pi, MOON)
    upper = np.column_stack((np.cos(turn), np.sin(turn)))
    lower = np.column_stack((1 - np.cos(turn), 0.5 - np.sin(turn)))
    moons = np.vstack((upper, lower)) + random.normal(0, 0.05, (2 * MOON, 2))
    share = np.linspace(0, 1, n_bridge + 2)[1:-1, None]
    bridge = (1 - share) * [1.0, 0.0] + share * [1.0, -0.5]
    truth = np.repeat([0, 1], MOON)
    random = np.random.default_rng(seed)
    known = np.concatenate((random.choice(MOON, 3, replace=False), MOON + random.choice(MOON, 3, replace=False)))
    labels = np.full(2 * MOON + n_bridge, UNKNOWN)
    labels[known] = truth[known]
    return np.vstack((moons, bridge)), labels, truth


def accuracy(estimator: KNNLP | LP | LNP, seed: int) -> float:
    samples, labels, truth = moons_with_bridge(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = estimator.fit(samples, labels).transduction_
    return float((found[: 2 * MOON] == truth).mean())


def test_chain_worked_by_hand() -> None:
    # 0 ? ? 1 at 0, 1, 2, 3: both neighbours of the inner ones are at distance 1, so each is the mean of its
    # neighbours: a = (1 + b)/2, b = (a + 0)/2, hence a = 2/3, b = 1/3.
    found = KNNLP(n_neighbours=2, tol=1e-12).fit(chain(), [0, UNKNOWN, UNKNOWN, 1])
    assert found.label_distributions_ == pytest.approx(np.array([[1, 0], [2 / 3, 1 / 3], [1 / 3, 2 / 3], [0, 1]]))
    assert found.transduction_.tolist() == [0, 0, 1, 1]
    # the chain's mean is 1.5 and its variance 1.25: standardised, δ² is 1
    assert found.delta_squared_ == pytest.approx(1.0)


def test_weights_worked_by_hand() -> None:
    # 0, 1, 3 with labels 0 ? 1: mean 4/3, variance 14/9, so squared distances are 9/14 and 36/14 in units of δ².
    near, far = np.exp(-9 / 14), np.exp(-36 / 14)
    found = KNNLP(n_neighbours=2).fit([[0.0], [1.0], [3.0]], [0, UNKNOWN, 1])
    assert found.label_distributions_[1, 0] == pytest.approx(near / (near + far))


def test_clamping_lets_known_labels_move() -> None:
    # a wrong label among right ones: with c near 1 its neighbours talk it over
    samples, labels = np.arange(6.0)[:, None], [0, 0, 1, 0, 0, UNKNOWN]
    assert KNNLP(n_neighbours=2).fit(samples, labels).transduction_[2] == 1
    assert KNNLP(n_neighbours=2, clamping=0.9).fit(samples, labels).transduction_[2] == 0


def test_lp_is_the_harmonic_function() -> None:
    # with the known rows fixed, LP's limit solves (I − T_uu) Y_u = T_ul Y_l
    random = np.random.default_rng(3)
    samples = random.normal(size=(12, 2))
    labels = np.array([0, 1, 1, *[UNKNOWN] * 9])
    found = LP(sigma=1.0, tol=1e-12, max_iter=10_000).fit(samples, labels)
    points = (samples - samples.mean(axis=0)) / samples.std(axis=0)
    weights = np.exp(-((points[:, None] - points[None]) ** 2).sum(axis=2))
    weights /= weights.sum(axis=0)
    weights /= weights.sum(axis=1, keepdims=True)
    known = np.array([[1, 0], [0, 1], [0, 1]])
    exact = np.linalg.solve(np.eye(9) - weights[3:, 3:], weights[3:, :3] @ known)
    assert found.label_distributions_[3:] == pytest.approx(exact, abs=1e-6)


def test_lnp_on_the_chain() -> None:
    # ends hang on the nearer neighbour alone, inner ones on both by half; F = (1 − α)(I − αW)⁻¹ Y
    weights = np.array([[0, 1, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 1, 0]])
    known = np.array([[1, 0], [0, 0], [0, 0], [0, 1]])
    exact = np.linalg.solve(np.eye(4) - 0.9 * weights, known)
    exact /= exact.sum(axis=1, keepdims=True)
    found = LNP(n_neighbours=2, alpha=0.9).fit(chain(), [0, UNKNOWN, UNKNOWN, 1])
    assert found.transduction_.tolist() == [0, 0, 1, 1]
    assert found.label_distributions_ == pytest.approx(exact, abs=1e-3)


def test_sigma_of_lp_from_the_spanning_tree() -> None:
    places = np.array([0.0, 1.0, 2.0, 6.0, 7.5])
    squared = (places[:, None] - places) ** 2
    assert bridging_length(squared, np.array([0, UNKNOWN, UNKNOWN, UNKNOWN, 1])) == pytest.approx(4.0)


@pytest.mark.parametrize("seed", range(8))
def test_moons_with_bridge_points_knnlp_right_lp_wrong(seed: int) -> None:
    # the same kernel, over 7 neighbours and over the full graph: δ² of two standardised features is 2
    assert accuracy(KNNLP(), seed) >= 0.99
    assert accuracy(LP(sigma=np.sqrt(2.0)), seed) <= 0.9


def test_moons_with_bridge_points_lp_with_its_own_width() -> None:
    own_width = [accuracy(LP(), seed) for seed in range(8)]
    assert min(own_width) < 0.95
    assert min(accuracy(KNNLP(), seed) for seed in range(8)) >= 0.99


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=["KNNLP", "LP", "LNP"])
class TestEdges:
    def test_constant_feature_changes_nothing(self, estimator: KNNLP | LP | LNP) -> None:
        samples = np.column_stack((chain(), np.full(4, 1e9 + 0.1)))
        assert estimator.fit(samples, [0, UNKNOWN, UNKNOWN, 1]).transduction_.tolist() == [0, 0, 1, 1]

    def test_samples_at_one_point(self, estimator: KNNLP | LP | LNP) -> None:
        found = estimator.fit(np.ones((9, 2)), [1, 1, 0, *[UNKNOWN] * 6])
        assert np.isfinite(found.label_distributions_).all()
        assert set(found.transduction_.tolist()) <= {0, 1}

    def test_one_class_goes_everywhere(self, estimator: KNNLP | LP | LNP) -> None:
        assert estimator.fit(chain(), [UNKNOWN, 2, UNKNOWN, 2]).transduction_.tolist() == [2, 2, 2, 2]

    def test_fewer_samples_than_neighbours(self, estimator: KNNLP | LP | LNP) -> None:
        assert estimator.fit([[0.0], [1.0], [1.1]], [0, UNKNOWN, 1]).transduction_.tolist() == [0, 1, 1]

    def test_one_sample(self, estimator: KNNLP | LP | LNP) -> None:
        assert estimator.fit([[0.5]], [4]).transduction_.tolist() == [4]

    def test_no_label_is_refused(self, estimator: KNNLP | LP | LNP) -> None:
        with pytest.raises(ValueError, match="none of 4 samples is labelled"):
            estimator.fit(chain(), [UNKNOWN] * 4)

    def test_nan_is_refused(self, estimator: KNNLP | LP | LNP) -> None:
        with pytest.raises(ValueError, match="sample 1, feature 0 is nan"):
            estimator.fit([[0.0], [np.nan]], [0, 1])

    @pytest.mark.parametrize(
        ("samples", "labels", "message"),
        [
            ([1.0, 2.0], [0, 1], "samples of shape"),
            ([[1.0], [2.0]], [0], "labels of shape"),
            ([[1.0], [2.0]], [0.5, 1.0], "labels of type float64"),
            ([[1.0], [2.0]], [0, -2], "label -2"),
        ],
    )
    def test_wrong_shapes_are_refused(
        self, estimator: KNNLP | LP | LNP, samples: ArrayLike, labels: ArrayLike, message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            estimator.fit(samples, labels)

    def test_too_few_rounds_are_a_warning(self, estimator: KNNLP | LP | LNP) -> None:
        with pytest.warns(ConvergenceWarning, match="after 1 rounds"):
            clone(estimator).set_params(max_iter=1).fit(chain(), [0, UNKNOWN, UNKNOWN, 1])


def test_far_sample_keeps_finite_weights() -> None:
    samples = np.concatenate((np.zeros((2000, 1)), [[1.0], [1e6]]))
    labels = np.full(2002, UNKNOWN)
    labels[0] = 1
    assert KNNLP().fit(samples, labels).transduction_[-1] == 1


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (KNNLP(n_neighbours=0), "n_neighbours=0"),
        (KNNLP(clamping=1.0), "clamping=1.0"),
        (KNNLP(max_iter=0), "max_iter=0"),
        (LP(sigma=-1.0), "sigma=-1.0"),
        (LNP(alpha=1.5), "alpha=1.5"),
    ],
)
def test_wrong_parameters_are_refused(estimator: KNNLP | LP | LNP, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        estimator.fit(chain(), [0, UNKNOWN, UNKNOWN, 1])


def test_lp_refuses_what_its_graph_cannot_hold() -> None:
    with pytest.raises(ValueError, match="at most 10000; use KNNLP"):
        LP().fit(np.zeros((10_001, 1)), np.zeros(10_001, dtype=np.int64))
