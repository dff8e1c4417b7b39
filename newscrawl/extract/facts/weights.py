"""Weights of the cues of facts, in log-odds. ``python -m lab.training.cues`` writes this file."""

from __future__ import annotations

from typing import Final

from newscrawl.extract.facts.cues import Weights

AUTHORS: Final = Weights(
    enough=2.5,
    least=-0.5,
    cues={
        "label": {"": 3.0},
        "reporter": {"": 1.61},
        "signature": {"": 2.08},
        "own line": {"": 2.08},
        "before the date": {"": 1.1},
        "json-ld": {"": 2.75, "no person": -1.7},
        "meta": {"": 1.92, "no person": -1.08},
        "labelled line": {"": 2.67, "no person": -1.39},
        "marked": {
            "": 1.98,
            "author": -0.08,
            "author-name": 0.96,
            "below the text": -1.38,
            "byline": -0.18,
            "elsewhere": -1.99,
            "no person": -0.65,
            "rel": 0.07,
            "title": -0.61,
            "user": 0.39,
        },
        "author page": {"": 2.43, "no person": -0.82},
        "beside the date": {"": 1.48, "no person": 0.75},
    },
)
