"""Weights of the cues of facts, in log-odds. ``python -m lab.training.cues`` writes this file."""

from __future__ import annotations

from typing import Final

from newscrawl.extract.facts.cues import Weights

DATES: Final = Weights(
    enough=2.0,
    least=-4.0,
    cues={
        "feed": {"": 6.0},
        "stated": {"": 2.09, "json-ld": 0.34, "meta": 0.62, "printed earlier": -1.03, "vague": -1.11, "today": -3.0},
        "first date shown": {"": 2.57},
        "address": {"": 3.02},
        "stated change": {"": 0.54},
        "line": {
            "": -0.06,
            "above the headline": 0.67,
            "another matter": -1.17,
            "another part": 0.34,
            "below the headline": 1.27,
            "below the text": -1.25,
            "change": -0.9,
            "element above the headline": 0.83,
            "element another part": 0.03,
            "element below the headline": 1.66,
            "element below the text": -0.53,
            "element elsewhere": -1.66,
            "element in the text": 2.03,
            "element marked": -0.1,
            "element time of day": 0.67,
            "elsewhere": -2.48,
            "in the text": 0.38,
            "label": 0.41,
            "late in the line": -0.48,
            "link": -0.66,
            "marked": 0.35,
            "posted": 0.28,
            "sentence": -1.1,
            "short line": 0.51,
            "time element": -0.02,
            "time of day": 0.65,
            "ago": -1.0,
            "no year": -1.0,
        },
    },
)
AUTHORS: Final = Weights(
    enough=4.0,
    least=-0.5,
    cues={
        "label": {"": 3.0},
        "reporter": {"": 1.61},
        "signature": {"": 2.08},
        "own line": {"": 2.08},
        "before the date": {"": 1.1},
        "json-ld": {"": 2.79, "no person": -1.79},
        "meta": {"": 1.92, "no person": -1.08},
        "labelled line": {"": 2.55, "no person": -1.29},
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
        "author page": {"": 2.42, "no person": -0.82},
        "beside the date": {"": 1.48, "no person": 0.75},
    },
)
