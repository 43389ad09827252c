#!/usr/bin/env python3
# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists, shows, unpacks and packs recorded cases: a case is one archive, NAME.tar.xz, of what test/golden/README.md describes.

Arrays are shown with numpy; all else needs Python alone."""
import argparse
import io
import json
import lzma
import os
import sys
import tarfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDERS = ["test/golden", "test/golden_kiln"]
SUFFIX = ".tar.xz"


def files_below(folder):
    """The files of a folder and its subfolders, relative to it, sorted."""
    return sorted(os.path.relpath(os.path.join(directory, name), folder)
                  for directory, _, names in os.walk(folder) for name in names)


def pack(folder, to):
    """Writes the archive of a case's folder into folder `to` and returns its path. The same files make the same bytes: names
    are sorted, times and owners left out."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in files_below(folder):
            with open(os.path.join(folder, name), "rb") as file:
                contents = file.read()
            member = tarfile.TarInfo(name)
            member.size = len(contents)
            archive.addfile(member, io.BytesIO(contents))
    path = os.path.join(to, os.path.basename(os.path.abspath(folder)) + SUFFIX)
    os.makedirs(to, exist_ok=True)
    # An archive that is there is replaced as a whole: one that is cut short is no case.
    with open(path + ".part", "wb") as file:
        file.write(lzma.compress(plain.getvalue(), preset=6 | lzma.PRESET_EXTREME))
    os.replace(path + ".part", path)
    return path


def read(path):
    """The files of an archive: contents by name."""
    with tarfile.open(path, "r:xz") as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def unpack(path, to):
    """Writes the files of an archive into a folder of its name below `to`, which no other files may be in. Returns the folder."""
    folder = os.path.join(to, name_of(path))
    os.makedirs(folder)
    for name, contents in read(path).items():
        target = os.path.normpath(os.path.join(folder, name))
        if not target.startswith(os.path.normpath(folder) + os.sep):
            raise ValueError(f"{path}: expected files below the archive's folder, got {name}")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(contents)
    return folder


def name_of(path):
    return os.path.basename(path).removesuffix(SUFFIX)


def archives():
    """The paths of all archives of the tree, sorted within each folder."""
    return [os.path.join(ROOT, folder, name) for folder in FOLDERS
            for name in sorted(os.listdir(os.path.join(ROOT, folder))) if name.endswith(SUFFIX)]


def find(case):
    """The archive of a case, which is named or is a path."""
    if os.path.isfile(case):
        return case
    for folder in FOLDERS:
        path = os.path.join(ROOT, folder, case + SUFFIX)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"expected the name of a case or the path of an archive, got {case}")


def show_files(case):
    for name, contents in read(find(case)).items():
        print(f"{len(contents):9} {name}")


def show_file(case, name):
    files = read(find(case))
    if name not in files:
        raise FileNotFoundError(f"expected a file of case {case}, which `show {case}` lists, got {name}")
    if name.endswith(".npy"):
        try:
            import numpy
        except ImportError:
            raise ValueError(f"arrays are shown with numpy, which {sys.executable} lacks; build/venv/bin/python has it") from None
        array = numpy.load(io.BytesIO(files[name]))
        print(f"{array.dtype} {list(array.shape)}")
        print(numpy.array2string(array, threshold=sys.maxsize))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(files[name])


def show_list(words):
    for path in archives():
        about = json.loads(read(path)["case.json"])["about"] if words else ""
        if all(word.lower() in (name_of(path) + " " + about).lower() for word in words):
            print(name_of(path) + (": " + about if about else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("list", help="print the names of all cases, or of those that words describe")
    command.add_argument("word", nargs="*", help="part of the name or of what the case is about; all must be found")
    command = commands.add_parser("show", help="print the files of a case, or one of them: arrays as numbers, others as they are")
    command.add_argument("case", help="name, or path of an archive")
    command.add_argument("file", nargs="?", help="case.json, 000.npy, ...")
    command = commands.add_parser("unpack", help="write the files of cases into folders of their names")
    command.add_argument("case", nargs="+", help="name, or path of an archive")
    command.add_argument("--to", default=".", help="folder of the folders (.)")
    command = commands.add_parser("pack", help="make archives of folders of cases")
    command.add_argument("folder", nargs="+")
    command.add_argument("--to", default=".", help="folder of the archives (.)")
    options = parser.parse_args()
    try:
        if options.command == "list":
            show_list(options.word)
        elif options.command == "show" and options.file:
            show_file(options.case, options.file)
        elif options.command == "show":
            show_files(options.case)
        elif options.command == "unpack":
            for case in options.case:
                print(unpack(find(case), options.to))
        else:
            for folder in options.folder:
                print(pack(folder, options.to))
    except (OSError, ValueError, tarfile.TarError, lzma.LZMAError) as error:
        sys.exit(f"cases.py: {error}")


if __name__ == "__main__":
    main()
