"""Learning from a few labels: propagation over neighbours (KNNLP, LP, LNP), training sets made larger, machines."""
