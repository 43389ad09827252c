# kiln-demo on the whole California housing data, where ../shared has it: every row in batches of 100
# and of 40, one compilation, within 1 % of the exact loss (numpy.linalg.lstsq, TensorFlow's data).
#   demo_housing.py ROOT KILN-DEMO
import os
import re
import subprocess
import sys

from tree import ROOT, finish

SKIPPED = 77  # SKIP_RETURN_CODE of the CTest test

data = os.path.normpath(os.path.join(ROOT, "..", "shared", "data", "cal_housing.data"))
if not os.path.exists(data):
    print(f"skipped: there is no {data}")
    sys.exit(SKIPPED)

done = subprocess.run([sys.argv[2], "--housing", data], capture_output=True, text=True)
print(done.stdout + done.stderr)
problems = [] if done.returncode == 0 else [f"expected exit code 0, got {done.returncode}"]
for expected in [r"20640 rows with 8 features", r"least squares +0\.524321,",
                 r"the final loss is 0\.\d+ % above it", r"steps +20700, \d+ a second",
                 r"compilations +1 for batches of 100 and of 40 rows"]:
    if not re.search(expected, done.stdout):
        problems.append(f"expected a match of '{expected}'")
finish(problems, "the demo on the housing data")
