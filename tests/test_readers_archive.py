"""Every bad file is one clear ValueError that quotes what was found."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import struct
import zipfile

import pytest

from cbai.datasets import stream
from cbai.datasets.archive import Archive

TEXT = b"userId,movieId\n" + b"".join(b"%d,%d\n" % (i, i * 7919 % 9973) for i in range(20_000))


def packed(members, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def read(source, name="ratings.csv", **options):
    with Archive(source, **options) as archive, archive.open(name) as member:
        return member.read()


def refused(source, words, name="ratings.csv", **options):
    with pytest.raises(ValueError, match=words) as error:
        read(source, name, **options)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------- good files


@pytest.mark.parametrize("kind", ["folder", "inner folder", "zip", "bytes", "file object"])
def test_a_member_is_found_wherever_it_lies(tmp_path, kind):
    source = tmp_path / "raw"
    data = packed({"ml/README": "not read", "ml/ratings.csv": TEXT})
    if kind.endswith("folder"):
        inner = source if kind == "folder" else source / "ml"
        inner.mkdir(parents=True)
        (inner / "ratings.csv").write_bytes(TEXT)
    elif kind == "zip":
        source.write_bytes(data)
    else:
        source = data if kind == "bytes" else io.BytesIO(data)
    with Archive(source) as archive:
        assert archive.open("ratings.csv").read() == TEXT
        assert archive.digests == {"ratings.csv": hashlib.sha256(TEXT).hexdigest()}
    if kind == "file object":
        assert not source.closed


@pytest.mark.parametrize("data", [TEXT, gzip.compress(TEXT)], ids=["plain", "packed"])
def test_a_single_file_may_be_packed(tmp_path, data):
    (tmp_path / "lines.json").write_bytes(data)
    assert read(tmp_path / "lines.json", "lines.json") == TEXT
    upload = io.BytesIO(data)
    upload.name = "lines.json"
    upload.read(10)
    assert read(upload, "lines.json") == TEXT
    assert read(upload, "lines.json") == TEXT


def test_a_gzip_file_inside_is_unpacked(tmp_path):
    assert read(packed({"a/x.json.gz": gzip.compress(TEXT)}), "x.json.gz") == TEXT
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(TEXT))
    assert read(tmp_path, "x.json.gz") == TEXT


def test_the_member_least_deep_is_meant():
    assert read(packed({"a/b/ratings.csv": b"1", "a/ratings.csv": TEXT})) == TEXT
    refused(packed({"a/ratings.csv": b"1", "b/ratings.csv": b"2"}), r"one ratings\.csv, got 'a/")


# ---------------------------------------------------------------- bad files


def test_what_is_missing_is_named(tmp_path):
    refused(tmp_path / "no.zip", r"'no\.zip' must be a file or folder to read, got: No such file")
    refused(packed({"a": b"1", "b": b"2"}), r"hold ratings\.csv, got 'a', 'b'\.")
    refused(packed({str(i): b"1" for i in range(9)}), r"got '0', .*'4' and 4 more\.")
    refused(packed({}), r"got no files\.")
    refused(tmp_path, r"got no files\.")


@pytest.mark.parametrize("path", ["../ratings.csv", "/etc/ratings.csv", "a/../../ratings.csv"])
def test_paths_that_lead_outside_are_refused(path):
    refused(packed({path: TEXT}), r"paths inside itself, got '[./a]")


def test_a_name_with_a_path_leads_nowhere(tmp_path):
    (tmp_path / "secret").write_bytes(TEXT)
    (tmp_path / "inner").mkdir()
    refused(tmp_path / "inner", r"hold \.\./secret, got no files", "../secret")


def test_empty_files_are_refused(tmp_path):
    (tmp_path / "ratings.csv").touch()
    refused(tmp_path / "ratings.csv", r"hold data, got an empty file")
    refused(packed({"ratings.csv": b""}), r"hold data, got an empty file")
    refused(gzip.compress(b""), r"hold data, got an empty file", "the file")


@pytest.mark.parametrize("where", [0.3, 0.6, 0.999])
def test_files_cut_short_are_refused(where):
    for data, name in ((gzip.compress(TEXT), "the file"), (packed({"a": TEXT}), "a")):
        refused(data[: int(len(data) * where)], r"cut short or damaged", name)


def test_damaged_bytes_are_noticed():
    for data, name in ((gzip.compress(TEXT), "the file"), (packed({"a": TEXT}), "a")):
        broken = bytearray(data)
        broken[len(data) // 2] ^= 0xFF
        refused(bytes(broken), r"cut short or damaged after [\d,]+ bytes", name)


def test_encrypted_and_unusual_zip_files_are_refused():
    data = bytearray(packed({"ratings.csv": TEXT}))
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    refused(bytes(data), r"not be encrypted, got 'ratings\.csv' with a password")
    refused(packed({"ratings.csv": TEXT}, zipfile.ZIP_BZIP2), r"usual deflate .* got method 12")


def test_binary_files_are_refused():
    refused(b"7z\xbc\xaf\x27\x1c\x00\x04", r"be text, got binary data: b", "the file")
    refused(TEXT.decode().encode("utf-16"), r"be text, got binary data", "the file")
    refused(packed({"ratings.csv": os.urandom(5000)}), r"be text, got binary data")


def test_text_in_another_encoding_is_refused():
    with (
        Archive(packed({"movies.csv": "Les Misérables\n".encode("latin-1")})) as archive,
        pytest.raises(ValueError, match=r"text in utf-8, got b'\\xe9rab'"),
    ):
        list(archive.lines("movies.csv", "utf-8"))


# ---------------------------------------------------------------- bombs


def test_a_bomb_is_refused_by_its_ratio():
    bomb = b"1,1\n" * 10_000_000
    refused(packed({"ratings.csv": bomb}), r"at most 200 times its packed size")
    refused(gzip.compress(bomb), r"at most 200 times its packed size", "the file")


def test_a_bomb_that_lies_about_its_packed_size_is_refused_all_the_same():
    data = bytearray(packed({"ratings.csv": b"1,1\n" * 10_000_000}))
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 20, 2**31)
    refused(bytes(data), r"at most 200 times|cut short or damaged")


def test_a_header_that_claims_little_does_not_get_more_through():
    data = bytearray(packed({"ratings.csv": TEXT}))
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 24, 10)
    refused(bytes(data), r"cut short or damaged")


def test_the_size_limit_holds_while_streaming():
    refused(packed({"ratings.csv": TEXT}), r"at most 1,000 bytes", max_bytes=1000)
    refused(gzip.compress(TEXT), r"at most 1,000 bytes", "the file", max_bytes=1000)
    assert read(TEXT, "the file", max_bytes=len(TEXT)) == TEXT


def test_lines_without_end_are_refused():
    endless = b"x" * (stream.MAX_LINE + 2**19)
    refused(endless, r"lines of at most 4,194,304 bytes", "the file")
    assert len(read((b"x" * 2**20 + b"\n") * 6, "the file")) == 6 * (2**20 + 1)
