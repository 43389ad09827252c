"""Packs an installed package as a wheel, with the metadata of pyproject.toml.

pack_wheel.py ROOT PACKAGE OUT: PACKAGE is what `cmake --install --component python` wrote.
"""

import os
import pathlib
import sys
import sysconfig

from packaging import tags
from scikit_build_core import build
from wheel.wheelfile import WheelFile

root, package, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
os.chdir(root)
info = package / build.prepare_metadata_for_build_wheel(str(package))
tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
assert f"{tag}-{tag}-{platform}" in {str(known) for known in tags.sys_tags()}
(info / "WHEEL").write_text(
    "Wheel-Version: 1.0\nGenerator: kiln\nRoot-Is-Purelib: false\n" f"Tag: {tag}-{tag}-{platform}\n"
)
(info / "RECORD").unlink(missing_ok=True)
name = info.name.removesuffix(".dist-info")
with WheelFile(out / f"{name}-{tag}-{tag}-{platform}.whl", "w") as wheel:
    wheel.write_files(package)
print(f"packed {name}-{tag}-{tag}-{platform}.whl")
