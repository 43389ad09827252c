# How lit runs the tests of this folder: which files are tests, and what their RUN lines may name.
import os
import subprocess
import sys

import lit.formats

config.name = "kiln"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "checks", "expect", "golden", "unit"]
config.test_source_root = os.path.dirname(__file__)
# A folder may be tested for several processors at a time.
config.test_exec_root = os.path.join(config.kiln_build, "test", os.environ.get("KILN_CPU_LIMIT", ""))

# kiln-opt, kiln-run and the rest of bin/, then FileCheck, not and split-file, go before all else.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.kiln_build, "bin"), config.llvm_tools, os.environ["PATH"]])
config.environment["KILN_CACHE"] = "off"
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"

config.substitutions.append(("%graphs", os.path.join(config.kiln_source, "bench/graphs")))
# The script that unpacks and packs recorded cases: `%cases unpack NAME --to %t` writes folder %t/NAME.
config.substitutions.append(("%cases", f"{sys.executable} {os.path.join(config.kiln_source, 'tools/golden/cases.py')}"))
config.substitutions.append(("%tools", os.path.join(config.kiln_source, "tools")))
config.substitutions.append(("%examples", os.path.join(config.kiln_source, "examples")))

config.substitutions.append(("%python", sys.executable))
if os.path.exists("/dev/full"):
    config.available_features.add("dev-full")

# Levels of x86-64 whose code runs here.
for level in ["x86-64-v3", "x86-64-v4"]:
    command = [os.path.join(config.kiln_build, "bin/kiln-run"),
               os.path.join(config.kiln_source, "examples/graphs/linear_regression.pb"),
               "--fetch", "mse", "--cpu", level, "--stop-after", "import"]
    if subprocess.run(command, capture_output=True).returncode == 0:
        config.available_features.add(level)

for name in ["KILN_CPU_LIMIT", "GLIBC_TUNABLES", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "ASAN_SYMBOLIZER_PATH"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
