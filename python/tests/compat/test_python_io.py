"""tf.python_io: TFRecord files; the bytes were recorded from TensorFlow."""

import gzip
import hashlib

import pytest

from kiln.compat.v1 import errors, python_io
from kiln.compat.v1._io import crc32c

OPTIONS = python_io.TFRecordOptions
TYPE = python_io.TFRecordCompressionType


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "records")


def write(path, records, options=None):
    with python_io.TFRecordWriter(path, options) as writer:
        for record in records:
            writer.write(record)
    with open(path, "rb") as file:
        return file.read()


def read(path, options=None):
    return list(python_io.tf_record_iterator(path, options))


def test_crc32c():
    assert crc32c.crc32c(b"123456789") == 0xE3069283  # RFC 3720
    assert crc32c.crc32c(b"") == 0
    data = bytes(i * i % 251 for i in range(70000))
    table = crc32c._table().tolist()
    for size in (1, 3, 48, 49, 100, 1023, 1024, 1025, 1072, 2047, 3000, 70000):
        register = 0xFFFFFFFF
        for byte in data[:size]:
            register = table[(register ^ byte) & 0xFF] ^ register >> 8
        assert crc32c.crc32c(data[:size]) == register ^ 0xFFFFFFFF, size
    assert crc32c.crc32c(bytearray(data)) == crc32c.crc32c(memoryview(data))


def test_plain_records(path):
    data = write(path, [b"abc", "\xe4b", b"", bytearray(b"d" * 3000)])
    assert data[:19].hex() == "0300000000000000b099490e6162636e57f121"
    assert hashlib.md5(data).hexdigest() == "9b38e9cf818a75df4f8bdfacbb759688"
    assert read(path) == [b"abc", b"\xc3\xa4b", b"", b"d" * 3000]


@pytest.mark.parametrize(
    "options, size, digest",
    [
        ("GZIP", 1365, "1f8b08000000000000037dd67b54"),
        (TYPE.ZLIB, 1353, "789c7dd67b54cf671c0770695ad9"),
        (OPTIONS("GZIP", compression_level=9), 1365, "1f8b08000000000002037dd67b54"),
        (
            OPTIONS(TYPE.ZLIB, compression_strategy=1, mem_level=5, window_bits=-15),
            1346,
            "7dd66d548f671c0770695ad952a7",
        ),
    ],
)
def test_compressed_records(path, options, size, digest):
    records = [b"hello world %d" % i for i in range(200)]
    data = write(path, records, options)
    assert len(data) == size and data[:14].hex() == digest
    if not data.startswith(b"\x7d"):
        assert read(path, options) == records


def test_flush(path):
    writer = python_io.TFRecordWriter(path, "ZLIB")
    for record, digest in (
        (b"abc", "789c626680800d333df9129392f3c23f2a0204"),
        (b"def", "789c626680800d333df9129392f3c23f2a0204103392504a6a5a66fe746f8000"),
    ):
        writer.write(record)
        writer.flush()
        with open(path, "rb") as file:
            assert file.read().hex() == digest
    assert read(path, "ZLIB") == [b"abc", b"def"]  # of a file that goes on
    writer.close()
    writer.close()
    for call in (writer.flush, lambda: writer.write(b"")):
        with pytest.raises(errors.FailedPreconditionError, match="Writer is closed."):
            call()


def test_a_flush_mode(path):
    records = [bytes(i * j * j % 251 for j in range(i % 300)) for i in range(3000)]
    options = OPTIONS(
        "ZLIB", compression_level=1, mem_level=3, flush_mode=2, input_buffer_size=1000
    )
    assert (
        hashlib.md5(write(path, records, options)).hexdigest() == "67e4e1604b2d10f5e91f63c126c1d576"
    )
    assert read(path, "ZLIB") == records


@pytest.mark.parametrize(
    "change, records, text",
    [
        (lambda b: b"", 0, None),
        (lambda b: b[:5], 0, None),
        (lambda b: b[:17], 0, "truncated record at 0' failed with Read less bytes than requested"),
        (lambda b: b[:25], 1, None),
        (lambda b: b[:33], 1, "truncated record at 19' failed with Read less bytes than requested"),
        (lambda b: b"\xff" + b[1:], 0, "corrupted record at 0 (Is this even a TFRecord file?)"),
        (lambda b: b[:12] + b"X" + b[13:], 0, "corrupted record at 12"),
        (lambda b: b[:31] + b"X" + b[32:], 1, "corrupted record at 31"),
    ],
)
def test_damaged_files(path, change, records, text):
    data = change(write(path, [b"abc", b"def"]))
    with open(path, "wb") as file:
        file.write(data)
    found = []
    if text is None:
        assert len(read(path)) == records
        return
    with pytest.raises(errors.DataLossError) as caught:
        for record in python_io.tf_record_iterator(path):
            found.append(record)
    assert caught.value.message == text and len(found) == records


def test_damaged_compression(path):
    data = write(path, [b"hello world %d" % i for i in range(200)], "GZIP")

    def outcome(data, options="GZIP"):
        with open(path, "wb") as file:
            file.write(data)
        try:
            return len(read(path, options))
        except errors.DataLossError as error:
            return error.message

    assert (outcome(data + data), outcome(data[:-8]), outcome(b"")) == (400, 200, 0)
    assert outcome(data[: len(data) // 2]) == "truncated record at 2690' failed with EOF reached"
    assert outcome(data + b"junk") == "inflate() failed with error -3: incorrect header check"
    assert outcome(data, "ZLIB") == "inflate() failed with error -3: incorrect header check"
    assert outcome(data, None) == "corrupted record at 0 (Is this even a TFRecord file?)"
    assert len(gzip.decompress(data)) == 6090


def test_bad_paths_and_options(path):
    with pytest.raises(errors.NotFoundError, match="no/such; No such file or directory"):
        python_io.TFRecordWriter("no/such")
    with pytest.raises(errors.NotFoundError, match="none; No such file or directory"):
        next(python_io.tf_record_iterator("none"))
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        python_io.TFRecordWriter(path).write(3)
    for make in (
        OPTIONS,
        lambda bad: python_io.TFRecordWriter(path, bad),
        lambda bad: read(path, bad),
    ):
        with pytest.raises(ValueError, match='Not a valid compression_type: "zip"'):
            make("zip")
    with pytest.raises(errors.InvalidArgumentError, match="deflateInit failed"):
        python_io.TFRecordWriter(path, OPTIONS("GZIP", compression_level=20))
    assert OPTIONS.get_compression_type_string(OPTIONS(TYPE.GZIP)) == "GZIP"
    assert (
        OPTIONS.get_compression_type_string(None)
        == OPTIONS.get_compression_type_string(TYPE.NONE)
        == ""
    )
