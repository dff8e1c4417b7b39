"""Extraction as the first step of a datatrove pipeline: WARC files in, articles out as documents.

datatrove brings the executors: local processes, Slurm, Ray. Each task reads its share of the files. A file that cannot
be read fails its task; the next run of the pipeline does that task again and leaves the finished ones alone.

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter
    from newscrawl.warc.datatrove import ArticleReader

    steps = [ArticleReader("crawl", glob_pattern="*.warc.gz"), JsonlWriter("articles")]
    LocalPipelineExecutor(steps, tasks=8, workers=2, logging_dir="logs").run()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datatrove.data import Document
from datatrove.pipeline.readers.base import BaseDiskReader

from newscrawl.extractors import DEFAULT_METHOD, get_extractor
from newscrawl.read.model import Wants, format_names
from newscrawl.warc.archives import local_copy
from newscrawl.warc.files import MAX_BYTES, results_of
from newscrawl.warc.pages import AnswerReader
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    from collections.abc import Iterator


class ArticleReader(BaseDiskReader):
    """Yields a document for each article: its text, its address as ``id``, all other fields in ``metadata``.

    The statistics of the step count every page by its reason, as the other ways of extraction do.

    :param data_folder: folder of the WARC files; any address that fsspec opens.
    :param formats: the text also as ``markdown``, ``html``; names divided by commas.
    :param options: those of datatrove's disk readers, ``paths_file``, ``glob_pattern``, ``limit`` among them.
    :raises UserError: for an unknown method or format.
    """

    name = "newscrawl"

    def __init__(
        self,
        data_folder: str,
        *,
        method: str = DEFAULT_METHOD,
        formats: str = "",
        max_bytes: int = MAX_BYTES,
        **options: Any,
    ) -> None:
        super().__init__(data_folder, **options)
        get_extractor(method)
        self.wants = Wants(method=method, formats=format_names(formats))
        self.max_bytes = max_bytes

    def read_file(self, filepath: str) -> Iterator[Document]:
        """Yield the articles of a file.

        :raises UserError: for a file that cannot be read, which fails the task.
        """
        reader = AnswerReader(wants=self.wants, max_bytes=self.max_bytes)
        with local_copy(self.data_folder.resolve_paths(filepath)) as path, WarcFile(path) as file:
            for _, result in results_of(file, reader):
                self.stat_update(result.reason)
                if result.row is not None:
                    row = dict(result.row)
                    yield Document(text=row.pop("articleBody"), id=row.pop("url"), metadata=row)
