# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow answers: record.py LIBRARY NAME [PRELOAD].

LIBRARY is TensorFlow's (2.21: libtensorflow_cc.so.2 of its wheel; 1.15:
_pywrap_tensorflow_internal.so, with what stands for Python's symbols as
PRELOAD); the answers go to recorded/NAME.txt. Functions that the library lacks
end the theme.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
HOST = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (!dlopen(argv[i], RTLD_LAZY | RTLD_GLOBAL)) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
  return ((int (*)(const char *))dlsym(RTLD_DEFAULT, "answer"))(0);
}
"""


def main(library, name, preload=None):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "host.c").write_text(HOST)
        sources = [str(each) for each in sorted(HERE.glob("*.c")) if each.name != "Main.c"]
        include = str(HERE.parents[2] / "capi" / "include")
        subprocess.run(["cc", "-shared", "-fPIC", "-I", include, "-o", folder / "answers.so", *sources], check=True)
        subprocess.run(["cc", "-o", folder / "host", folder / "host.c", "-ldl"], check=True)
        libraries = [preload] if preload else []
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
        run = subprocess.run(
            [folder / "host", *libraries, library, folder / "answers.so"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
    answers = HERE / "recorded" / f"{name}.txt"
    answers.parent.mkdir(exist_ok=True)
    answers.write_text(run.stdout)
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
