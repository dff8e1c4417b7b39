"""Weights of the cues of facts, in log-odds. ``python -m lab.training.cues`` writes this file."""

from __future__ import annotations

from typing import Final

from newscrawl.extract.facts.cues import Weights

DATES: Final = Weights(
    enough=2.0,
    least=-4.0,
    cues={
        "feed": {"": 6.0},
        "stated": {
            "": 2.03,
            "as changed": 1.5,
            "json-ld": -0.16,
            "meta": 0.31,
            "printed earlier": -1.26,
            "vague": -1.06,
            "today": -1.0,
        },
        "address": {"": 3.88, "in a name": -2.4},
        "stated change": {"": 0.7},
        "line": {
            "": -0.38,
            "above the headline": 0.68,
            "another matter": -1.19,
            "another part": 1.11,
            "below the headline": 1.33,
            "below the text": -1.05,
            "change": -1.0,
            "element another part": 0.06,
            "element below the text": 0.74,
            "element marked": 0.53,
            "element near the headline": 2.84,
            "element time of day": 0.41,
            "elsewhere": -2.42,
            "in the text": 0.58,
            "label": 0.38,
            "late in the line": -0.51,
            "link": -0.59,
            "marked": 0.4,
            "posted": 0.31,
            "sentence": -0.81,
            "short line": 0.65,
            "time element": -1.04,
            "time of day": 0.53,
            "ago": -2.5,
            "no year": -2.5,
            "comment": -4.0,
            "another label": -3.5,
        },
    },
)
AUTHORS: Final = Weights(
    enough=3.5,
    least=-0.5,
    cues={
        "label": {"": 3.04, "one small word": 0.04},
        "reporter": {"": 1.61},
        "signature": {"": 2.08},
        "own line": {"": 2.08},
        "before the date": {"": 1.1},
        "json-ld": {"": 2.56, "no person": -1.8, "one small word": -1.2},
        "meta": {"": 1.69, "one small word": -1.2, "no person": -1.9},
        "labelled line": {"": 2.35, "no person": -0.88, "one small word": -0.98, "below the text": -1.5},
        "marked": {
            "": 2.16,
            "author": -0.02,
            "author-name": 0.7,
            "below the text": -1.48,
            "byline": -0.51,
            "elsewhere": -2.96,
            "no person": -0.81,
            "one small word": 0.23,
            "rel": 0.14,
            "user": 0.11,
        },
        "beside the date": {"": 1.61, "no person": -0.35, "far": -1.0},
        "author page": {"": 2.42, "no person": -0.6},
        "below the text": {"": 1.39, "no person": -1.2},
        "in a box": {"": 1.44, "no person": -1.2, "note": -0.4},
        "owner": {"": 0.0},
    },
)
