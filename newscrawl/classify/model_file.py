"""Models on disk: a zip of arrays and a JSON text of their origin. It holds no code.

``Floats`` and ``Ints`` are the types of what models learn from.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.console.files import make_folder
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

FORMAT: Final = 1
"""Raised when the layout of the file, or what its numbers mean, changes."""
MAX_BYTES: Final = 64 * 2**20
"""Most bytes of an unpacked array. Larger ones are no models of ours."""

MAX_TOTAL: Final = 2 * MAX_BYTES
"""Most bytes of a file, unpacked."""
MAX_PROVENANCE: Final = 2**20

_PROVENANCE: Final = "provenance.json"
_BROKEN: Final = (
    zlib.error, zipfile.BadZipFile, KeyError, ValueError, EOFError, NotImplementedError, RuntimeError, MemoryError,
    OverflowError,
)  # fmt: skip
"""Exceptions for broken files and invalid numbers."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """What a file holds."""

    kind: str
    """Purpose of the model, e.g. ``"blocks"``."""
    features: tuple[str, ...]
    """Names of the features, in order: a model of other features cannot be used."""
    arrays: dict[str, NDArray[Any]]
    provenance: dict[str, Any]
    """Corpus digest, seed, versions and scores, as JSON values."""


def no_model(path: Path, why: object) -> UserError:
    """Return the refusal of a file that is no model."""
    return UserError(f"{str(path)!r} is no model file: {' '.join(str(why).split())}")


def save_model(path: Path, model: ModelFile) -> None:
    """Write a model; the same model gives the same bytes. Missing folders are made.

    :raises UserError: if the file cannot be written.
    """
    about = {"format": FORMAT, "kind": model.kind, "features": model.features, **model.provenance}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        archive.writestr(_entry(_PROVENANCE), text.encode())
        for name, array in sorted(model.arrays.items()):
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(_entry(f"{name}.npy"), data.getvalue())
    make_folder(path.parent)
    try:
        path.write_bytes(packed.getvalue())
    except OSError as error:
        raise UserError(f"cannot write the model {str(path)!r}: {error.strerror or error}") from error


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def load_model(path: Path, *, kind: str, features: tuple[str, ...]) -> ModelFile:
    """Read a model of ``kind`` over ``features``.

    :raises UserError: if the file is missing, no model, of another version, kind or features.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_large(archive)
            about = json.loads(archive.read(_PROVENANCE))
            _check(about, path, kind, features)
            arrays = {name[:-4]: _array(archive, name) for name in archive.namelist() if name.endswith(".npy")}
    except FileNotFoundError as error:
        raise UserError(f"no model file {str(path)!r}: make one with scrapy train") from error
    except OSError as error:
        raise UserError(f"cannot read the model {str(path)!r}: {error.strerror or error}") from error
    except UserError:
        raise
    except _BROKEN as error:
        raise no_model(path, error) from error
    return ModelFile(kind=kind, features=features, arrays=arrays, provenance=about)


def model_kind(path: Path) -> str | None:
    """Return the purpose of a model; None if the file is no model, whose reader then says what is wrong."""
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_large(archive)
            about = json.loads(archive.read(_PROVENANCE))
    except (OSError, zlib.error, zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError):
        return None
    return about.get("kind") if isinstance(about, dict) else None


def _refuse_large(archive: zipfile.ZipFile) -> None:
    """:raises ValueError: it would unpack to more than a model of ours holds."""
    if archive.getinfo(_PROVENANCE).file_size > MAX_PROVENANCE:
        raise ValueError(f"{_PROVENANCE} is larger than {MAX_PROVENANCE} bytes")
    if sum(entry.file_size for entry in archive.infolist()) > MAX_TOTAL:
        raise ValueError(f"it unpacks to more than {MAX_TOTAL} bytes")


def _check(about: Any, path: Path, kind: str, features: tuple[str, ...]) -> None:
    if not isinstance(about, dict):
        raise no_model(path, "its provenance is not a JSON object")
    found = about.get("format"), about.get("kind")
    if found != (FORMAT, kind):
        raise UserError(
            f"model {str(path)!r} is of format {found[0]!r}, kind {found[1]!r}; this version reads format {FORMAT}, "
            f"kind {kind!r}: make it again with scrapy train"
        )
    if tuple(about.get("features") or ()) != features:
        raise UserError(
            f"model {str(path)!r} is over other features than this version's {len(features)}: "
            "make it again with scrapy train"
        )


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    if archive.getinfo(name).file_size > MAX_BYTES:
        raise ValueError(f"{name} is larger than {MAX_BYTES} bytes")
    array: NDArray[Any] = np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
    return array
