"""Learning from a few labels: propagation over neighbours, training sets made larger, support vector machines."""
