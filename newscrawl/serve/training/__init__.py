"""A site's model from a user's own labels: clicks in the browser, or ``scrapy train --pages DIR --labels FILE``."""
