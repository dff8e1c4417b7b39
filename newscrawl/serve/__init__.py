"""``scrapy serve``: the harvest in the browser, and as JSON. Needs ``requirements-serve.txt``."""
