# SPDX-License-Identifier: MIT
"""Reader / writer for the RDP vector container ("RDPVEC01").

Everything in the container is big-endian.  See README.md next to this file
for the byte layout.  Only the Python standard library is used.
"""
import struct

MAGIC = b"RDPVEC01"

KIND_BYTES = 0      # region of ordinary RDRAM bytes
KIND_HIDDEN = 1     # region of hidden bits, one value 0..3 per 16-bit halfword

FLAG_EXPECTED = 1   # output regions carry their expected bytes
FLAG_QUIRK = 2      # depends on documented pipeline-skew / odd-corner behaviour
FLAG_NO_HIDDEN = 4  # hidden bits of the colour image are not part of the check


class Region:
    __slots__ = ("kind", "addr", "data", "length")

    def __init__(self, kind, addr, data=None, length=None):
        self.kind = kind
        self.addr = addr
        self.data = data
        self.length = len(data) if data is not None else length


class Vector:
    def __init__(self, name, rdram_size=0x40000):
        self.name = name
        self.flags = 0
        self.rdram_size = rdram_size
        self.preload = []
        self.commands = []      # list of 64-bit integers
        self.outputs = []

    def pack(self):
        nm = self.name.encode("ascii")
        out = [struct.pack(">H", len(nm)), nm,
               struct.pack(">HI", self.flags, self.rdram_size),
               struct.pack(">I", len(self.preload))]
        for r in self.preload:
            out.append(struct.pack(">III", r.kind, r.addr, r.length))
            out.append(bytes(r.data))
        out.append(struct.pack(">I", len(self.commands)))
        out.append(b"".join(struct.pack(">Q", c & 0xFFFFFFFFFFFFFFFF)
                            for c in self.commands))
        out.append(struct.pack(">I", len(self.outputs)))
        for r in self.outputs:
            out.append(struct.pack(">III", r.kind, r.addr, r.length))
            if self.flags & FLAG_EXPECTED:
                assert len(r.data) == r.length
                out.append(bytes(r.data))
        body = b"".join(out)
        return struct.pack(">I", len(body)) + body


def unpack_vector(buf, pos):
    (size,) = struct.unpack_from(">I", buf, pos)
    pos += 4
    end = pos + size
    (nl,) = struct.unpack_from(">H", buf, pos)
    pos += 2
    v = Vector(bytes(buf[pos:pos + nl]).decode("ascii"))
    pos += nl
    v.flags, v.rdram_size, npre = struct.unpack_from(">HII", buf, pos)
    pos += 10
    for _ in range(npre):
        k, a, l = struct.unpack_from(">III", buf, pos)
        pos += 12
        v.preload.append(Region(k, a, bytes(buf[pos:pos + l])))
        pos += l
    (nc,) = struct.unpack_from(">I", buf, pos)
    pos += 4
    v.commands = list(struct.unpack_from(">%dQ" % nc, buf, pos))
    pos += 8 * nc
    (no,) = struct.unpack_from(">I", buf, pos)
    pos += 4
    for _ in range(no):
        k, a, l = struct.unpack_from(">III", buf, pos)
        pos += 12
        if v.flags & FLAG_EXPECTED:
            v.outputs.append(Region(k, a, bytes(buf[pos:pos + l])))
            pos += l
        else:
            v.outputs.append(Region(k, a, None, l))
    assert pos == end, (v.name, pos, end)
    return v, end


def write_file(path, vectors):
    with open(path, "wb") as f:
        f.write(MAGIC + struct.pack(">II", len(vectors), 0))
        for v in vectors:
            f.write(v.pack())


def read_file(path):
    with open(path, "rb") as f:
        buf = f.read()
    assert buf[:8] == MAGIC, path
    n, _ = struct.unpack_from(">II", buf, 8)
    pos = 16
    res = []
    for _ in range(n):
        v, pos = unpack_vector(buf, pos)
        res.append(v)
    assert pos == len(buf)
    return res


def initial_memory(v):
    """RDRAM bytes and hidden bits as they must be before the list runs."""
    ram = bytearray(v.rdram_size)
    for r in v.preload:
        if r.kind == KIND_BYTES:
            ram[r.addr:r.addr + r.length] = r.data
    hidden = bytearray(3 if ram[2 * i + 1] & 1 else 0
                       for i in range(v.rdram_size // 2))
    for r in v.preload:
        if r.kind == KIND_HIDDEN:
            hidden[r.addr // 2:r.addr // 2 + r.length] = r.data
    return ram, hidden
