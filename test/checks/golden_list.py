# Every line of the list of known failures names a golden case: one of a case that is gone would
# stay unnoticed. What else a line must be, kiln-golden-test says.
import os

from tree import ROOT, finish, read

LIST = "test/golden_known_failures.txt"

problems = []
names = []
for number, line in enumerate(read(LIST).splitlines(), 1):
    if not line or line.startswith("#"):
        continue
    name = line.split(" ")[0]
    if not os.path.isfile(os.path.join(ROOT, "test/golden", name + ".tar.xz")):
        problems.append(f"{LIST}:{number}: there is no golden case {name}")
    if names and name < names[-1]:
        problems.append(f"{LIST}:{number}: expected {name} before {names[-1]}")
    names.append(name)
finish(problems, f"known failures of {len(set(names))} cases")
