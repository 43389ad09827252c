"""tf.compat, tf.resource_loader and tf.sysconfig."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from kiln.compat.v1 import compat, resource_loader, sysconfig


def test_strings_and_bytes():
    assert (
        compat.as_bytes("é")
        == compat.as_bytes(b"\xc3\xa9")
        == compat.as_bytes(bytearray(b"\xc3\xa9"))
    )
    assert (
        compat.as_text(b"\xc3\xa9") == compat.as_str("é") == "é" == compat.as_str_any(b"\xc3\xa9")
    )
    assert compat.as_bytes("é", encoding="latin1") == b"\xe9" and compat.as_str_any(3) == "3"
    for convert in (compat.as_bytes, compat.as_text, compat.as_str):
        with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
            convert(3)
    with pytest.raises(LookupError):
        compat.as_text("x", "no such")
    assert compat.path_to_str(pathlib.Path("a/b")) == "a/b" and compat.path_to_str(3) == 3


def test_groups_of_types():
    assert isinstance(np.int8(1), compat.integral_types) and not isinstance(
        np.float32(1), compat.integral_types
    )
    assert isinstance(np.float16(1), compat.real_types) and isinstance(1, compat.real_types)
    assert isinstance(np.complex64(1), compat.complex_types) and isinstance(
        2.0, compat.complex_types
    )
    assert compat.bytes_or_text_types == (bytes, str)


def test_forward_compatibility():
    assert compat.forward_compatible(2019, 1, 1) and not compat.forward_compatible(2020, 1, 1)
    with compat.forward_compatibility_horizon(2021, 1, 1):
        assert compat.forward_compatible(2020, 1, 1)
    assert not compat.forward_compatible(2020, 1, 1)


def test_dimensions():
    class Dimension:
        value = 3

    assert compat.dimension_value(Dimension()) == compat.dimension_value(3) == 3
    assert compat.dimension_value(None) is None


def test_files_beside_the_program(tmp_path):
    here = os.path.dirname(__file__)
    assert resource_loader.get_data_files_path() == here
    assert resource_loader.get_path_to_datafile("x/y") == os.path.join(here, "x/y")
    assert resource_loader.get_root_dir_with_all_resources() == here
    assert b"tf.resource_loader" in resource_loader.load_resource(os.path.basename(__file__))
    assert resource_loader.readahead_file_path("p") == "p"
    program = tmp_path / "a.runfiles" / "root" / "below" / "program.py"
    program.parent.mkdir(parents=True)
    program.write_text(
        "from kiln.compat.v1 import resource_loader as r\nprint(r.get_root_dir_with_all_resources())"
    )
    out = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, env=os.environ, check=True
    ).stdout
    assert out.strip() == str(tmp_path / "a.runfiles" / "root")


def test_flags_for_compilers():
    assert os.path.exists(os.path.join(sysconfig.get_lib(), "errors.py"))
    assert sysconfig.get_compile_flags() == [
        f"-I{sysconfig.get_include()}",
        "-D_GLIBCXX_USE_CXX11_ABI=1",
    ]
    folder, library = sysconfig.get_link_flags()
    assert folder == f"-L{sysconfig.get_lib()}" and library.startswith("-l:libkiln.so.")


def test_nothing_heavy_is_imported():
    names = (
        "app compat errors flags gfile io.gfile logging nest python_io resource_loader sysconfig"
    )
    code = "import sys\n" + "".join(f"import kiln.compat.v1.{name}\n" for name in names.split())
    code += "print(*{'absl', 'google', 'logging', 'gzip', 'shutil', 'urllib'} & set(sys.modules))"
    before = "import sys, numpy, kiln\nprint(*{'absl', 'google', 'logging', 'gzip', 'shutil', 'urllib'} & set(sys.modules))"

    def imported(program):
        result = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env=os.environ,
            check=True,
        )
        return set(result.stdout.split())

    assert imported(code) <= imported(before)
