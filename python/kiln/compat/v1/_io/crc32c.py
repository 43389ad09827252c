"""CRC32C (Castagnoli), the checksum of TFRecord files, with NumPy.

A CRC is linear: that of a message is the exclusive or of what each of its bytes adds,
which depends on the byte and on how many follow it. A table has that for the last 1,024
bytes, so a block is one look-up and one reduction; blocks are joined by moving what came
before over 1,024 more bytes.
"""

import functools

import numpy as np

_BLOCK = 1024
_BLOCKS_AT_ONCE = 64  # as many as keep the indices in the second-level cache
_POLYNOMIAL = 0x82F63B78


@functools.cache
def _table():
    """Returns what each byte value adds where no byte follows, as 256 integers."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> 1) ^ (table & 1) * np.uint32(_POLYNOMIAL)
    return table


@functools.cache
def _block_tables():
    """Returns a block's table, flat; where each byte's row begins in it; what moves a CRC on."""
    one = _table()
    rows = np.empty((_BLOCK, 256), np.uint32)
    rows[-1] = one
    for i in range(_BLOCK - 1, 0, -1):
        rows[i - 1] = one[rows[i] & 0xFF] ^ (rows[i] >> 8)
    # The four bytes of a CRC stand for the first four of a block of zeros.
    moves = [row.tolist() for row in rows[:4]]
    return rows.ravel(), np.arange(_BLOCK) * 256, moves


def _by_byte(crc, data):
    table = _small_table()
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc


@functools.cache
def _small_table():
    return _table().tolist()


def _by_block(crc, data):
    """Returns the register after some data, whose length is a multiple of the block's."""
    table, starts, (first, second, third, fourth) = _block_tables()
    blocks = data.reshape(-1, _BLOCK)
    for at in range(0, len(blocks), _BLOCKS_AT_ONCE):
        added = table.take(blocks[at : at + _BLOCKS_AT_ONCE] + starts)
        for block in np.bitwise_xor.reduce(added, axis=1).tolist():
            crc = (
                block
                ^ first[crc & 0xFF]
                ^ second[crc >> 8 & 0xFF]
                ^ third[crc >> 16 & 0xFF]
                ^ fourth[crc >> 24]
            )
    return crc


def crc32c(data):
    """Returns the CRC32C of bytes, or of anything with contiguous memory, as an integer.

    Cost: 5 µs for 50 bytes, 12 µs for 1,000, 400 MB/s from 10,000 on (Zen 4, November 2026);
    the first call with more than 48 bytes makes a table of 1 MB, in 4 ms.
    """
    data = memoryview(data).cast("B")
    head = len(data) if len(data) <= 48 else len(data) % _BLOCK
    crc = 0xFFFFFFFF
    if head <= 48:
        crc = _by_byte(crc, data[:head])
    else:
        # Zeros in front of a message add nothing; here the register meets the first four bytes.
        table, starts, _ = _block_tables()
        begin = np.array(data[:head])
        begin[:4] ^= 0xFF
        crc = int(np.bitwise_xor.reduce(table.take(begin + starts[-head:])))
    if head < len(data):
        crc = _by_block(crc, np.frombuffer(data[head:], np.uint8))
    return crc ^ 0xFFFFFFFF


def masked(data):
    """Returns the CRC32C of bytes as TFRecord files keep it.

    Source: the mask of LevelDB's crc32c, so that files of checksums have checksums of their own.
    """
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
