"""Load exported articles into OpenSearch or Elasticsearch; an article that changed replaces its earlier text.

    pip install opensearch-py
    scrapy export --since-last --name opensearch --output new.jsonl
    python examples/to_opensearch.py new.jsonl http://localhost:9200 articles
"""

import json
import sys
from hashlib import sha256
from collections.abc import Iterator
from pathlib import Path

from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk


def actions(lines: Iterator[str], index: str) -> Iterator[dict]:
    for line in lines:
        article = json.loads(line)
        address = article["url"].encode()
        # OpenSearch refuses longer names of documents
        name = article["url"] if len(address) <= 512 else sha256(address).hexdigest()
        yield {"_index": index, "_id": name, "_source": article}


if __name__ == "__main__":
    path, host, index = sys.argv[1:]
    with Path(path).open(encoding="utf-8") as lines:
        n_loaded, _ = bulk(OpenSearch(host), actions(lines, index), chunk_size=200)
    print(f"{n_loaded} articles in {index}")
