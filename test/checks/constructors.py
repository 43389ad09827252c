# No library of Kiln's runs code when it is loaded.
#   constructors.py NM ARCHIVE ...
# Not those that include protobuf's headers, which bring such code along.
import os
import re
import subprocess
import sys

nm, *archives = sys.argv[1:]
problems = []
for archive in archives:
    symbols = subprocess.run([nm, "-A", archive], capture_output=True, text=True, check=True).stdout
    problems += [f"{os.path.basename(archive)}: {source} has an object that is constructed when the library is loaded"
                 for source in re.findall(r"_GLOBAL__sub_I_(\S+)", symbols)]
print(*problems, f"constructors of {len(archives)} libraries: {len(problems)} problems", sep="\n")
sys.exit(1 if problems or not archives else 0)
