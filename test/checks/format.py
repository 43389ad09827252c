# The sources are as the formatter leaves them, and banners fill their line: one
# that does not fit is broken in two by the formatter, which then calls it right.
import re
import shutil
import subprocess
import sys

from tree import ROOT, files, finish, read

SKIPPED = 77
VERSION = "22"


def formatter():
    """The clang-format of our version: another one lays out other lines."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and f"version {VERSION}." in subprocess.check_output([path, "--version"], text=True):
            return path
    return None


tool = formatter()
if not tool:
    print(f"expected clang-format {VERSION}, got none")
    sys.exit(SKIPPED)

sources = list(files(".cpp", ".h", ".def"))
run = subprocess.run([tool, "--dry-run", "--Werror", *sources], cwd=ROOT, text=True,
                     stderr=subprocess.PIPE)
lines = re.findall(r"^(\S+:\d+):\d+: error:", run.stderr, re.MULTILINE)
problems = [f"{line}: expected what {tool} -i makes of it" for line in dict.fromkeys(lines)]
if run.returncode and not problems:
    problems.append(run.stderr)

for path in sources:
    for number, line in enumerate(read(path).splitlines(), 1):
        if re.match(r"\s*//(===|---)", line) and not (
                len(line) == 80 and re.match(r" *//===--- \S.*\S -+===//$", line)):
            problems.append(f"{path}:{number}: expected a banner //===--- Title ---===// of "
                            "80 columns")
finish(problems, f"format of {len(sources)} files")
