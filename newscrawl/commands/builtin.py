"""No command: what ``settings.py`` has Scrapy load where the command line names one of Scrapy's own."""
