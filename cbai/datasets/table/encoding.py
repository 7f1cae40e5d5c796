"""From bytes to lines of text: encodings, line ends, and files that are no text at all."""

from __future__ import annotations

import codecs
import re

from cbai.datasets.table.guess import MAX_ROWS

CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
KNOWN_STARTS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF document",
    b'{"': "JSON",
    b"[{": "JSON",
    b"<!": "a web page",
    b"<html": "a web page",
    b"<?xml": "XML",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"$FL2": "an SPSS file",
    b"SQLite format 3\x00": "an SQLite database",
}


def guess_encoding(data: bytes) -> str:
    """Return the encoding of a text file.

    Raises
    ------
    ValueError
        If it is no text, or none that can be read.

    Notes
    -----
    charset_normalizer knows Cyrillic and Japanese encodings, but it takes Western names in
    Windows-1252 and Latin-1 for CP775 and Windows-1250, even in thousands of rows, and so spoils
    them without a word. So it was tried and not kept.
    """
    for start, what in KNOWN_STARTS.items():
        if data.startswith(start):
            raise ValueError(f"The file must be CSV or Parquet, but it looks like {what}.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16" if _decodes(data, "utf-16") else _refuse("UTF-16, as its start says")
    if CONTROL.search(data):
        raise ValueError("The file must be CSV or Parquet, but it is neither text nor Parquet.")
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig" if _decodes(data, "utf-8") else _refuse("UTF-8, as its start says")
    for encoding in ("utf-8", "latin-1", "cp1252"):
        c1_controls = encoding == "latin-1" and re.search(rb"[\x80-\x9f]", data)
        if not c1_controls and _decodes(data, encoding):
            return encoding
    return _refuse("UTF-8, Latin-1 or Windows-1252")


def to_lines(data: bytes, encoding: str) -> bytes:
    r"""Return the text in UTF-8 with ``\n`` after each line, without empty lines.

    Raises
    ------
    ValueError
        If the text is not in that encoding, empty, or has too many lines.
    """
    if not _decodes(data, encoding):
        _refuse(encoding)
    if encoding in ("utf-8", "utf-8-sig"):
        text = data.removeprefix(codecs.BOM_UTF8)
    else:
        text = data.decode(encoding).encode()
        if encoding == "utf-16" and CONTROL.search(text):
            _refuse("UTF-16, as its start says")
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    while b"\n\n" in text:  # half as many each time; a pattern would keep millions of pieces
        text = text.replace(b"\n\n", b"\n")
    if text.startswith(b"\n") or not text.endswith(b"\n"):  # else no copy of a large text
        text = text.strip(b"\n") + b"\n"
    if not text.strip():
        raise ValueError("The file must hold a table, but it is empty.")
    n_lines = text.count(b"\n")
    if n_lines > MAX_ROWS + 1:
        raise ValueError(f"The file may hold at most {MAX_ROWS:,} rows, got {n_lines:,} lines.")
    return text


def _decodes(data: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(data), 2**20):
            decoder.decode(data[start : start + 2**20])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _refuse(encoding: str) -> str:
    raise ValueError(f"The file must be text in {encoding}, but some of its bytes are not.")
