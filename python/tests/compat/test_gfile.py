"""tf.gfile and tf.io.gfile; what is expected was recorded from TensorFlow."""

import pathlib

import pytest

from kiln.compat.v1 import errors, gfile
from kiln.compat.v1._io import file_io, paths
from kiln.compat.v1.io import gfile as new_gfile


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def raises(cls, text, function, *arguments, **options):
    with pytest.raises(cls) as caught:
        function(*arguments, **options)
    assert type(caught.value) is cls and caught.value.message == text


def make(**files):
    for name, text in files.items():
        pathlib.Path(name).write_text(text)


def test_reading():
    pathlib.Path("a").write_bytes(b"hello\r\nwor\rld\n\nlast")
    assert gfile.GFile("a").read() == "hello\r\nwor\rld\n\nlast"
    assert gfile.GFile("a", "rb").readlines() == [b"hello\n", b"world\n", b"\n", b"last"]
    with gfile.Open(pathlib.Path("a")) as file:
        assert (file.read(3), file.tell(), file.readline(), file.tell()) == ("hel", 3, "lo\n", 7)
        file.seek(-3, 2)
        assert (file.read(), file.read(), file.readline(), file.size()) == ("ast", "", "", 19)
        raises(errors.OutOfRangeError, "reached end of file", file.seek, 100)
        assert file.tell() == 19
        raises(errors.InvalidArgumentError, "Seeking to a negative position: -1", file.seek, -1)
        raises(
            errors.InvalidArgumentError, "Can't read a negative number of bytes: -2", file.read, -2
        )
        file.seek(position=1)
        assert [next(file), file.next(), list(file)] == ["ello\n", "world\n", ["\n", "last"]]
    assert file.read(2) == "he"  # opened again
    assert file.name == pathlib.Path("a") and file.mode == "r" and file.seekable()


def test_writing():
    with gfile.GFile("w", "w") as file:
        file.write("é")
        file.write(b"\xff")
        assert (file.tell(), file.size()) == (3, 0)
        file.flush()
        assert file.size() == 3
        raises(errors.PermissionDeniedError, "File isn't open for reading", file.read)
    with gfile.GFile("w", "a+") as file:
        file.write("more")
        assert file.tell() == 0
    assert pathlib.Path("w").read_bytes() == b"\xc3\xa9\xffmore"
    gfile.GFile("never", "w").close()
    assert not gfile.Exists("never")
    raises(errors.PermissionDeniedError, "File isn't open for writing", gfile.GFile("w").write, "x")
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        gfile.GFile("w", "w").write(3)
    with pytest.raises(UnicodeDecodeError):
        make(w="x") or pathlib.Path("w").write_bytes(b"\xff") and gfile.GFile("w").read()


def test_missing_files_and_modes():
    missing = "no; No such file or directory"
    raises(errors.NotFoundError, missing, gfile.GFile("no").read)
    raises(errors.NotFoundError, missing, gfile.GFile("no").size)
    raises(errors.NotFoundError, missing, gfile.Remove, "no")
    raises(errors.NotFoundError, missing, gfile.Stat, "no")
    raises(errors.NotFoundError, missing, gfile.Copy, "no", "to")
    raises(errors.NotFoundError, missing, gfile.Rename, "no", "to")
    raises(
        errors.NotFoundError, "no/x; No such file or directory", gfile.GFile("no/x", "w").write, ""
    )
    raises(errors.NotFoundError, "no/x; No such file or directory", gfile.MkDir, "no/x")
    raises(errors.NotFoundError, "Could not find directory no", gfile.ListDirectory, "no")
    raises(errors.NotFoundError, "no not found", gfile.DeleteRecursively, "no")
    raises(errors.FailedPreconditionError, ".; Is a directory", gfile.GFile(".").read)
    text = "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'"
    raises(errors.InvalidArgumentError, text, gfile.GFile, "a", "rt")
    assert not gfile.Exists("no") and not gfile.IsDirectory("no") and list(gfile.Walk("no")) == []


def test_schemes():
    make(a="x")
    assert gfile.Exists(f"file://{pathlib.Path('a').absolute()}")
    text = "File system scheme 's3' not implemented (file: 's3://b/*')"
    raises(errors.UnimplementedError, text, gfile.Glob, "s3://b/*")
    raises(errors.UnimplementedError, text, gfile.GFile("s3://b/*").read)
    assert not gfile.IsDirectory("s3://b")


def test_folders():
    gfile.MakeDirs("x/y//z/")
    gfile.MakeDirs("x/y")
    gfile.MkDir("x")
    make(**{"x/f": "12", "x/y/g": ""})
    assert sorted(gfile.ListDirectory("x")) == ["f", "y"]
    assert [(top, sorted(down), sorted(files)) for top, down, files in gfile.Walk("x")] == [
        ("x", ["y"], ["f"]),
        ("x/y", ["z"], ["g"]),
        ("x/y/z", [], []),
    ]
    assert [top for top, _, _ in gfile.Walk("x", in_order=False)] == ["x/y/z", "x/y", "x"]
    stat = gfile.Stat("x/f")
    assert (stat.length, stat.is_directory, stat.mtime_nsec % 10**9) == (2, False, 0)
    assert gfile.Stat("x").is_directory and gfile.IsDirectory("x") and not gfile.IsDirectory("x/f")
    raises(errors.FailedPreconditionError, "x/f is not a directory", gfile.MakeDirs, "x/f/h")
    raises(errors.FailedPreconditionError, "x; Is a directory", gfile.Remove, "x")
    pathlib.Path("link").symlink_to("x")
    gfile.DeleteRecursively("link")
    gfile.DeleteRecursively("x/y")
    assert gfile.ListDirectory("x") == ["f"]


def test_copies_and_names():
    make(a="1", b="2")
    raises(errors.AlreadyExistsError, "file already exists", gfile.Copy, "a", "b")
    raises(errors.AlreadyExistsError, "file already exists", gfile.Rename, "a", "b")
    gfile.Copy("a", "b", overwrite=True)
    assert gfile.GFile("b").read() == "1"
    gfile.Rename("b", "c")
    gfile.Rename("c", "a", overwrite=True)
    assert gfile.ListDirectory(".") == ["a"]
    new_gfile.mkdir("d")
    raises(
        errors.FailedPreconditionError,
        "d; Is a directory",
        new_gfile.copy,
        "a",
        "d",
        overwrite=True,
    )
    raises(errors.FailedPreconditionError, "a; Is a directory", new_gfile.rename, "a", "d", True)


def test_patterns():
    make(b1="", a1="", **{".h": ""})
    gfile.MakeDirs("d/e")
    make(**{"d/x.txt": "", "d/e/y.txt": ""})
    found = gfile.Glob("*")
    assert sorted(found) == ["./.h", "./a1", "./b1", "./d"]
    assert found == ["./" + name for name in gfile.ListDirectory(".")]  # the system's order
    assert gfile.Glob("a1") == ["a1"] and gfile.Glob(["b*", "a?"]) == ["./b1", "./a1"]
    assert gfile.Glob("d/*.txt") == ["d/x.txt"] and gfile.Glob("*/*/y*") == ["./d/e/y.txt"]
    assert (
        gfile.Glob("[!a-c.d]*") == []
        and gfile.Glob("[^b]1") == ["./a1"]
        and gfile.Glob("no/*") == []
    )
    assert gfile.Glob("") == [] and gfile.Glob("[") == [] and gfile.Glob("\\a1") == ["./a1"]
    assert (
        paths.matches("a]b", "a[]]b")
        and not paths.matches("a/b", "a?b")
        and paths.matches("a-b", "a[+-]b")
    )


def test_functions_of_file_io():
    file_io.write_string_to_file("a", "abc")
    file_io.write_string_to_file("b", b"abd")
    assert (
        file_io.read_file_to_string("a") == "abc"
        and file_io.read_file_to_string("b", binary_mode=True) == b"abd"
    )
    assert file_io.file_crc32("a") == "0x352441c2"
    assert file_io.filecmp("a", "a") and not file_io.filecmp("a", "b")
    file_io.atomic_write_string_to_file("a", "new")
    with pytest.raises(errors.AlreadyExistsError):
        file_io.atomic_write_string_to_file("a", "newer", overwrite=False)
    assert file_io.read_file_to_string("a") == "new" and len(file_io.list_directory(".")) == 2


def test_every_name_is_there():
    for module in (gfile, new_gfile):
        assert all(hasattr(module, name) for name in module.__all__)


def test_fast_gfile_is_deprecated(capfd):
    for _ in range(2):
        gfile.FastGFile("x", "w").close()
    err = capfd.readouterr().err
    assert (
        err.count("FastGFile.__init__ (from tensorflow.python.platform.gfile) is deprecated") <= 1
    )
