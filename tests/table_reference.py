#!/usr/bin/env python3
"""Tables, read and made from docs/table-format.md alone: a second, plain implementation.

    python3 tests/table_reference.py show FILE      what the table is, and its values
    python3 tests/table_reference.py make FOLDER    the tables of tests/corpus/table
"""
import collections
import ctypes
import pathlib
import struct
import sys

ZSTD = ctypes.CDLL("libzstd.so.1")
XXHASH = ctypes.CDLL("libxxhash.so.0")
for function in (ZSTD.ZSTD_compress, ZSTD.ZSTD_decompress):
    function.restype = ctypes.c_size_t
XXHASH.XXH3_64bits.restype = ctypes.c_uint64

MAGIC = b"\x89malpan\n"
VERSION = 1
HEADER = struct.Struct("<8sQIIIIQdQQQ8s48s384s")
ENTRY = struct.Struct("<IQ")
# What `make` takes beside the values.
Header = collections.namedtuple("Header", "value_bytes block_values meaning error game rules")


def checksum(data):
    return XXHASH.XXH3_64bits(data, ctypes.c_size_t(len(data)))


def compress(data):
    room = len(data) + 1000
    packed = ctypes.create_string_buffer(room)
    size = ZSTD.ZSTD_compress(packed, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 6)
    return packed.raw[:size]


def decompress(packed, size):
    data = ctypes.create_string_buffer(size)
    got = ZSTD.ZSTD_decompress(data, ctypes.c_size_t(size), packed, ctypes.c_size_t(len(packed)))
    expect(got == size, "a block that unpacks to its size")
    return data.raw


def expect(good, what):
    if not good:
        sys.exit(f"expected {what}")


def content(values):
    """The checksum of values, each as four bytes."""
    return checksum(struct.pack(f"<{len(values)}I", *values))


def planes(values, value_bytes):
    """The lowest bytes of all values, then the next ones, and so on."""
    return bytes(value >> 8 * plane & 255 for plane in range(value_bytes) for value in values)


def unplanes(data, value_bytes):
    count = len(data) // value_bytes
    return [sum(data[plane * count + i] << 8 * plane for plane in range(value_bytes))
            for i in range(count)]


def make(values, value_bytes, block_values, meaning, error, game, rules):
    """The bytes of a table."""
    packed = [compress(planes(values[i:i + block_values], value_bytes))
              for i in range(0, len(values), block_values)]
    index = b"".join(ENTRY.pack(len(block), checksum(block)) for block in packed)
    file_bytes = HEADER.size + len(index) + sum(map(len, packed))
    head = HEADER.pack(MAGIC, 0, VERSION, value_bytes, block_values, len(packed), len(values),
                       error, content(values), checksum(index), file_bytes, meaning.encode(),
                       game.encode(), rules.encode())
    return head[:8] + struct.pack("<Q", checksum(head[16:])) + head[16:] + index + b"".join(packed)


def load(data):
    """Checks everything; the header's fields, and the values."""
    (magic, head_sum, version, value_bytes, block_values, blocks, count, error, content_sum,
     index_sum, file_bytes, meaning, game, rules) = HEADER.unpack_from(data)
    expect(magic == MAGIC, "a table")
    expect(head_sum == checksum(data[16:HEADER.size]), "the header's checksum")
    expect(version == VERSION, "version 1")
    expect(file_bytes == len(data), "the file's length")
    expect(blocks == -(-count // block_values), "as many blocks as the values fill")
    index = data[HEADER.size:HEADER.size + blocks * ENTRY.size]
    expect(index_sum == checksum(index), "the index's checksum")
    values = []
    at = HEADER.size + len(index)
    for size, block_sum in ENTRY.iter_unpack(index):
        block = data[at:at + size]
        at += size
        expect(block_sum == checksum(block), "a block's checksum")
        in_block = min(block_values, count - len(values))
        values += unplanes(decompress(block, in_block * value_bytes), value_bytes)
    expect(at == len(data), "nothing after the last block")
    expect(content_sum == content(values), "the checksum of the values")
    meaning, game, rules = (text.rstrip(b"\0").decode() for text in (meaning, game, rules))
    return Header(value_bytes, block_values, meaning, error, game, rules), values


def show(data):
    """Checks everything, and prints it."""
    head, values = load(data)
    blocks = -(-len(values) // head.block_values)
    for name in ("game", "rules", "meaning"):
        print(name, getattr(head, name))
    print(f"values {len(values)} of {head.value_bytes} bytes in {blocks} blocks of "
          f"{head.block_values}")
    print(f"error {head.error:g}")
    print(f"content {content(values):016x}")
    print(*values)


def corpus():
    """Small tables of all kinds."""
    noise = [(i + 1) * 2654435761 % 2**32 for i in range(40)]
    yield "example", make([0, 0x7FFFFF, 0x800000, 0xFFFFFE, 0xFFFFFF], 3, 4, "chance", 6e-8,
                          "race", "--front 0.5")
    yield "empty", make([], 1, 1024, "code", 0, "race", "")
    yield "codes", make([i // 30 for i in range(300)], 1, 100, "code", 0, "box", "--tiles 9")
    yield "smooth", make([40 * i for i in range(500)], 2, 1024, "chance", 1e-5, "yut",
                         "--players 2 --pieces 2")
    yield "noise", make(noise, 4, 16, "code", 0, "yut", "--players 2 --pieces 1")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("show", "make"):
        sys.exit(__doc__)
    if sys.argv[1] == "show":
        show(pathlib.Path(sys.argv[2]).read_bytes())
    else:
        for name, data in corpus():
            pathlib.Path(sys.argv[2], name).write_bytes(data)


if __name__ == "__main__":
    main()
