"""Articles of whole collections of WARC files, without a crawl."""

from typing import Final

#: Of the articles' files.
FORMATS: Final = ("jsonl.gz", "parquet")
