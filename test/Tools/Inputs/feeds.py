# Writes X.npy and y.npy (float32) of a folder in other types and orders of bytes, and arrays that are refused.
import ast
import struct
import sys

source, target = sys.argv[1:]


def read(name):
    with open(f"{source}/{name}.npy", "rb") as file:
        data = file.read()
    start = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:start].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"]
    return header["shape"], [value for value, in struct.iter_unpack("<f", data[start:])]


def write(name, code, shape, values, packed):
    header = repr({"descr": code, "fortran_order": False, "shape": shape}) + "\n"
    with open(f"{target}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
        for value in values:
            file.write(struct.pack(packed, value))


for array in ("X", "y"):
    shape, values = read(array)
    write(array + "64", "<f8", shape, values, "<d")
    write(array + "big", ">f4", shape, values, ">f")
    write(array + "int", "<i8", shape, range(len(values)), "<q")
shape, values = read("X")
write("text", "|S1", shape, [b"a"] * len(values), "1s")
write("nan", "<f4", (2,), [1, float("nan")], "<f")
write("large", "<i8", (2,), [1, 2**32 + 5], "<q")
with open(f"{target}/int32.pbtxt", "w", encoding="utf-8") as file:
    file.write("""node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_INT32 } } }
""")
