"""Learning from a few labels: propagation over neighbours, training sets made larger, support vector machines."""

from newscrawl.learn.label_propagation import KNNLP, LNP, LP
from newscrawl.learn.self_training import SelfTrainingSVM
from newscrawl.learn.svm import KNN, SVM
from newscrawl.learn.training_set import extend_training_set
from newscrawl.learn.transductive import TransductiveSVM

__all__ = ["KNN", "KNNLP", "LNP", "LP", "SVM", "SelfTrainingSVM", "TransductiveSVM", "extend_training_set"]
