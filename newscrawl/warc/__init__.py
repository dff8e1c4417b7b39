"""Articles of whole collections of WARC files, without a crawl."""

from typing import Final

#: Formats of the articles' files.
FORMATS: Final = ("jsonl.gz", "parquet")
