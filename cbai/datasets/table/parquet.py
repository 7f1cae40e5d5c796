"""Parquet files: checked by their metadata before anything is unpacked."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

from cbai.datasets.table.guess import MAX_CELLS, MAX_COLUMNS, MAX_NAME, MAX_ROWS, MAX_UNPACKED

MAGIC = b"PAR1"


def is_parquet(data: bytes) -> bool:
    """Return whether the file begins as a Parquet file does."""
    return data.startswith(MAGIC)


def column_names(data: bytes) -> tuple[str, ...]:
    """Return the names of the columns that hold numbers or texts, not lists or the like.

    Raises
    ------
    ValueError
        If the file cannot be read or is too large.
    """
    schema = _open(data).schema_arrow
    return tuple(field.name for field in schema if not pa.types.is_nested(field.type))


def read(data: bytes, columns: list[str], limit: int | None = None) -> tuple[pa.Table, int]:
    """Return some columns, and how many rows the file has.

    Parameters
    ----------
    data : bytes
        The file.
    columns : list of str
        Which.
    limit : int, optional
        How many rows to read at most.

    Raises
    ------
    ValueError
        If the file cannot be read or is too large, or a column holds lists or the like.
    """
    file = _open(data)
    schema = file.schema_arrow
    for name in columns:
        if pa.types.is_nested(schema.field(name).type):
            raise ValueError(f"A cell must be a number or a text, got lists in column {name!r}.")
    try:
        if limit is None:
            return file.read(columns=columns, use_threads=False), file.metadata.num_rows
        batches = file.iter_batches(batch_size=limit, columns=columns, use_threads=False)
        first = next(batches, None)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(error) from None
    if first is None:
        return schema.empty_table().select(columns), 0
    return pa.Table.from_batches([first]), file.metadata.num_rows


def _open(data: bytes) -> pq.ParquetFile:
    try:
        schema = pq.read_schema(pa.BufferReader(data))
        texts = [field.name for field in schema if _is_text(field.type)]
        # texts stay coded by number, so that a long text repeated takes its space once
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(error) from None
    found, names = file.metadata, schema.names
    unpacked = sum(found.row_group(i).total_byte_size for i in range(found.num_row_groups))
    _at_most("rows", found.num_rows, MAX_ROWS)
    _at_most("columns", len(names), MAX_COLUMNS)
    _at_most("cells", found.num_rows * len(names), MAX_CELLS)
    _at_most("bytes after unpacking", unpacked, MAX_UNPACKED)
    _at_most("letters in the name of a column", max(map(len, names), default=0), MAX_NAME)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"Columns must have different names, got {twice[0]!r} more than once.")
    return file


def _is_text(kind: pa.DataType) -> bool:
    texts = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
    return any(kind == text for text in texts)


def _at_most(what: str, number: int, limit: int) -> None:
    if number > limit:
        raise ValueError(f"The file may hold at most {limit:,} {what}, got {number:,}.")


def _damaged(error: Exception) -> ValueError:
    first = (str(error).splitlines() or ["unknown"])[0].partition(". ")[0][:200]
    return ValueError(f"The Parquet file is damaged or was cut short: {first.rstrip('.')}.")
