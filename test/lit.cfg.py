# How lit runs the tests of this folder: which files are tests, and what their RUN lines may name.
import os
import sys

import lit.formats

config.name = "kiln"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "checks", "expect", "golden", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.kiln_build, "test")

# kiln-opt, kiln-run and the rest of bin/, then FileCheck, not and split-file, go before all else.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.kiln_build, "bin"), config.llvm_tools, os.environ["PATH"]])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"

config.substitutions.append(("%graphs", os.path.join(config.kiln_source, "bench/graphs")))
config.substitutions.append(("%golden", os.path.join(config.kiln_source, "test/golden")))
config.substitutions.append(("%kiln_golden", os.path.join(config.kiln_source, "test/golden_kiln")))
config.substitutions.append(("%examples", os.path.join(config.kiln_source, "examples")))

config.substitutions.append(("%python", sys.executable))
if os.path.exists("/dev/full"):
    config.available_features.add("dev-full")

for name in ["ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "ASAN_SYMBOLIZER_PATH"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
