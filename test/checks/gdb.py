# gdb sees generated code by its nodes' names: stops in the entry, and lists the regions.
#   gdb.py KILN_RUN GRAPH.pb
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

kiln_run, graph = sys.argv[1:3]
if not shutil.which("gdb"):
    print("skipped: gdb is not installed")
    sys.exit(77)



def write_npy(path, rows, columns):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (117 - len(header)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{rows * columns}f", *(1.0,) * (rows * columns)))


with tempfile.TemporaryDirectory() as folder:
    x, y = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    write_npy(x, 10, 11)
    write_npy(y, 10, 1)
    result = subprocess.run(
        ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", "set breakpoint pending on",
         "-ex", "break kiln_entry", "-ex", "run", "-ex", "info symbol $pc", "-ex", "info functions ^kiln:",
         "-ex", "kill", "--args", kiln_run, graph, "--gdb", "--init=init", "--feed", f"X={x}", "--feed", f"y={y}",
         "--target", "train_op", "--fetch", "mse"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL)
output = result.stdout + result.stderr
if "ptrace" in output and "not permitted" in output:
    print("skipped: this machine lets no debugger in")
    sys.exit(77)
if not re.search(r"kiln_entry( \+ \d+)? in section \.text", output) or "kiln:0:" not in output:
    sys.exit(f"expected gdb to stop in kiln_entry and to list kiln:0:..., got\n{output}")
print("gdb stopped in kiln_entry and lists " + next(line for line in output.splitlines() if "kiln:0:" in line).strip())
