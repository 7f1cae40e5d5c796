"""Parquet files: checked by their metadata before anything is unpacked, read column by column."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cbai import checks
from cbai.datasets.table.distinct import TooManyNames
from cbai.datasets.table.guess import MAX_CELLS, MAX_COLUMNS, MAX_ENTRIES, MAX_ROWS, MAX_UNPACKED

MAGIC = b"PAR1"

BATCH = 40_000
"""Rows that are read together to count the names in a column."""


def is_parquet(data: bytes) -> bool:
    """Return whether the file begins as a Parquet file does."""
    return data.startswith(MAGIC)


class ParquetColumns:
    """The columns of a Parquet file that hold numbers or texts, each read when it is asked for.

    Attributes
    ----------
    names : tuple of str
        The columns, without those that hold lists or the like.
    n_rows : int
        Rows of the file.
    index : tuple of str
        The columns that were the index of a data frame, as the metadata of pandas say.

    Raises
    ------
    ValueError
        If the file cannot be read or is too large.
    """

    ragged = 0
    inside = 0

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._file, self._coded = _open(data)
        schema = self._file.schema_arrow
        self.n_rows: int = self._file.metadata.num_rows
        self.names = tuple(f.name for f in schema if not pa.types.is_nested(_storage(f.type)))
        self.index = tuple(name for name in _index_of(schema) if name in self.names)
        self._schema = schema

    def is_time(self, name: str) -> bool:
        """Return whether a column holds dates or times."""
        return bool(pa.types.is_temporal(_storage(self._schema.field(name).type)))

    def is_truth(self, name: str) -> bool:
        """Return whether a column holds true and false."""
        return bool(pa.types.is_boolean(self._schema.field(name).type))

    def column(self, name: str, rows: int | None = None, names: bool = False) -> pa.ChunkedArray:
        """Return a column as texts in a dictionary, or numbers.

        Parameters
        ----------
        name : str
            Which; of `names`.
        rows : int, optional
            How many rows to read at most.
        names : bool
            Whether it names people or arms: reading ends where there are too many.
        """
        if name not in self.names:
            raise ValueError(f"A cell must be a number or a text, got lists in {name!r}.")
        if rows is None and names and self.n_rows > MAX_ENTRIES:
            self._check_names(name)
        try:
            if rows is None:
                found = self._file.read(columns=[name], use_threads=False)
            else:
                some = self._file.iter_batches(max(rows, 1), columns=[name], use_threads=False)
                batches, got = [], 0
                for batch in some:
                    batches.append(batch)
                    got += batch.num_rows
                    if got >= rows:
                        break
                found = pa.Table.from_batches(batches).slice(0, rows)
            if name not in found.column_names:  # a name with a point in it is no path to a field
                raise ValueError(f"column {checks.quoted(name)} cannot be found")
            return plain(found[name])
        except MemoryError:
            raise
        except Exception as error:  # a damaged file may raise anything
            if self._is_not_coded(name, error):
                return self.column(name, rows)
            raise _damaged(error) from None

    def _is_not_coded(self, name: str, error: Exception) -> bool:
        """Return whether a column must be read again as texts, not coded by number.

        Arrow cannot code texts that are stored by their differences, the default of some writers.
        """
        if name not in self._coded or "DictAccumulator" not in str(error):
            return False
        self._coded.remove(name)
        self._file = pq.ParquetFile(pa.BufferReader(self._data), read_dictionary=self._coded)
        return True

    def _check_names(self, name: str) -> None:
        """Raise a ValueError if a column has too many names; it is not held as a whole."""
        counted = TooManyNames(name)
        for group in range(self._file.num_row_groups):
            for texts in self._new_texts(name, group):
                counted.add_texts(texts)

    def _new_texts(self, name: str, group: int) -> Iterator[pa.Array]:
        """Yield the texts of a part of the file, batch by batch, each text about once."""
        seen = 0
        try:
            for batch in self._file.iter_batches(
                BATCH, row_groups=[group], columns=[name], use_threads=False
            ):
                texts = batch.column(0)
                if pa.types.is_dictionary(texts.type):
                    # the dictionary of a batch begins with all texts of the batches before it
                    known, texts = seen, texts.dictionary
                    seen = max(seen, len(texts))
                    texts = texts[known:]
                if not _is_text(texts.type):
                    return
                if len(texts):  # copied, so that the rest of the batch can be freed
                    yield _valid(pa.concat_arrays([texts]).unique())
        except MemoryError:
            raise
        except Exception as error:  # a damaged file may raise anything
            if not self._is_not_coded(name, error):
                raise _damaged(error) from None
            yield from self._new_texts(name, group)


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of any type as texts in a dictionary, bool, int64 or float64."""
    chunks = [_plain(chunk) for chunk in column.chunks]
    if len({chunk.type for chunk in chunks}) > 1:
        chunks = [pc.cast(chunk, pa.float64(), safe=False) for chunk in chunks]
    return pa.chunked_array(chunks) if chunks else pa.chunked_array([pa.array([], pa.string())])


def _plain(chunk: pa.Array) -> pa.Array:
    types = pa.types
    if isinstance(chunk, pa.ExtensionArray):
        chunk = chunk.storage
    kind = chunk.type
    if types.is_dictionary(kind):
        values = _plain(chunk.dictionary)
        if types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if not types.is_string(values.type):
            return values.take(chunk.indices)
        return pa.DictionaryArray.from_arrays(pc.cast(chunk.indices, pa.int32()), values)
    if types.is_boolean(kind):
        return chunk
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        wide = types.is_integer(kind) and not types.is_uint64(kind)
        return pc.cast(chunk, pa.int64() if wide else pa.float64(), safe=False)
    if types.is_temporal(kind):
        if types.is_interval(kind):
            return pa.nulls(len(chunk), pa.float64())
        narrow = kind.bit_width == 32
        return pc.cast(chunk.view(pa.int32() if narrow else pa.int64()), pa.int64())
    if types.is_null(kind):
        return pa.nulls(len(chunk), pa.float64())
    if types.is_fixed_size_binary(kind):
        encoded = chunk.dictionary_encode()
        hexed = [None if b is None else b.hex() for b in encoded.dictionary.to_pylist()]
        return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(hexed, pa.string()))
    encoded = chunk.dictionary_encode() if not types.is_string(kind) else chunk
    if types.is_dictionary(encoded.type):
        texts = _valid(encoded.dictionary)
        return pa.DictionaryArray.from_arrays(encoded.indices, texts)
    return _valid(chunk).dictionary_encode()


def _valid(texts: pa.Array) -> pa.Array:
    """Return texts whose bytes were seen to be UTF-8."""
    texts = pc.cast(texts, pa.string())
    texts.validate(full=True)
    return texts


def _storage(kind: Any) -> Any:
    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


def _open(data: bytes) -> tuple[pq.ParquetFile, list[str]]:
    """Return the file, and its columns of texts."""
    try:
        schema = pq.read_schema(pa.BufferReader(data))
        texts = [field.name for field in schema if _is_text(field.type)]
        # texts stay coded by number, so that a long text repeated takes its space once
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        found, names = file.metadata, schema.names
        unpacked = sum(found.row_group(i).total_byte_size for i in range(found.num_row_groups))
        longest = max((len(name.encode()) for name in names), default=0)
    except Exception as error:  # a damaged file may raise anything
        raise _damaged(error) from None
    _at_most("rows", found.num_rows, MAX_ROWS)
    _at_most("columns", len(names), MAX_COLUMNS)
    _at_most("cells", found.num_rows * len(names), MAX_CELLS)
    _at_most("bytes after unpacking", unpacked, MAX_UNPACKED)
    _at_most("bytes in the name of a column", longest, 10_000)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"Columns must have different names, got {checks.quoted(twice[0])} more than once."
        )
    return file, texts


def _index_of(schema: pa.Schema) -> tuple[str, ...]:
    """Return the names that pandas says are those of an index."""
    try:
        found = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))["index_columns"]
        return tuple(name for name in found if isinstance(name, str))
    except Exception:  # whatever a stranger wrote there
        return ()


def _is_text(kind: pa.DataType) -> bool:
    texts = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
    return any(kind == text for text in texts)


def _at_most(what: str, number: int, limit: int) -> None:
    if number > limit or number < 0:
        raise ValueError(f"The file may hold at most {limit:,} {what}, got {number:,}.")


def _damaged(error: Exception) -> ValueError:
    first = (str(error).splitlines() or ["unknown"])[0].partition(". ")[0]
    said = checks.quoted(first).strip("'\"")
    return ValueError(f"The Parquet file is damaged or was cut short: {said.rstrip('.')}.")
