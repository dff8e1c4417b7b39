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
            "": 1.84,
            "as changed": 1.35,
            "json-ld": -0.04,
            "meta": 0.41,
            "printed earlier": -1.02,
            "vague": -0.94,
            "today": -1.0,
        },
        "address": {"": 3.02, "in a name": -1.35},
        "stated change": {"": 0.54},
        "line": {
            "": -0.31,
            "above the headline": 0.86,
            "another matter": -1.18,
            "another part": 0.34,
            "below the headline": 1.47,
            "below the text": -1.05,
            "change": -0.9,
            "element another part": -0.01,
            "element below the text": 1.01,
            "element marked": -0.08,
            "element near the headline": 3.26,
            "element time of day": 0.63,
            "elsewhere": -2.31,
            "in the text": 0.58,
            "label": 0.43,
            "late in the line": -0.46,
            "link": -0.66,
            "marked": 0.36,
            "posted": 0.3,
            "sentence": -1.07,
            "short line": 0.55,
            "time element": -1.35,
            "time of day": 0.66,
            "ago": -2.5,
            "comment": -4.0,
            "no year": -2.5,
        },
    },
)
AUTHORS: Final = Weights(
    enough=2.7,
    least=-0.5,
    cues={
        "label": {"": 3.0},
        "reporter": {"": 1.61},
        "signature": {"": 2.08},
        "own line": {"": 2.08},
        "before the date": {"": 1.1},
        "json-ld": {"": 2.79, "no person": -1.79, "one small word": -1.2},
        "meta": {"": 1.92, "no person": -1.9, "one small word": -1.2},
        "labelled line": {"": 2.55, "below the text": -1.5, "no person": -1.29},
        "marked": {
            "": 1.98,
            "author": -0.06,
            "author-name": 0.93,
            "below the text": -1.39,
            "byline": -0.17,
            "elsewhere": -2.0,
            "no person": -0.65,
            "rel": 0.08,
            "title": -0.6,
            "user": 0.39,
        },
        "beside the date": {"": 1.48, "no person": 0.75},
        "author page": {"": 2.42, "no person": -0.82},
        "below at the right": {"": 0.6, "no person": -1.2},
        "in a box": {"": 1.39, "no person": -1.2},
    },
)
