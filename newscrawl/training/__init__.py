"""A block classifier from a user's own labels: ``scrapy train --pages DIR --labels FILE``. Needs scikit-learn."""
