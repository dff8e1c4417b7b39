"""CSV feeds of articles that other programs can read: times in ISO 8601, nested values as JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from itemadapter import ItemAdapter
from scrapy.exporters import CsvItemExporter


class ArticleCsvExporter(CsvItemExporter):
    """Scrapy's own writes ``2024-03-05 10:20:00+08:00`` and Python's ``repr`` of authors."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        serialized = super().serialize_field(field, name, value)
        if isinstance(serialized, datetime):
            return serialized.isoformat()
        if isinstance(serialized, list | tuple | dict) or ItemAdapter.is_item(serialized):
            return json.dumps(_plain(serialized), ensure_ascii=False, default=str)
        return serialized


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if ItemAdapter.is_item(value):
        return {name: _plain(field) for name, field in ItemAdapter(value).items()}
    return value
