# A C program on the installed libtensorflow, found by pkg-config and by CMake, as programs on TensorFlow's library are.
#   capi.py SOURCE INSTALLED
import os
import subprocess
import sys
import textwrap

source, installed = sys.argv[1:3]
prefix = os.path.join(installed, "prefix")
folder = os.path.join(installed, "capi")
os.makedirs(folder, exist_ok=True)
program = os.path.join(source, "test", "capi", "Layouts.c")
environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(prefix, "lib", "pkgconfig")}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout.strip()


library = "-Wl,-rpath," + os.path.join(prefix, "lib")
flags = run("pkg-config", "--cflags", "--libs", "tensorflow").split()
run("cc", program, "-o", os.path.join(folder, "by_pkg_config"), *flags, library)

with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
    file.write(textwrap.dedent(f"""\
        cmake_minimum_required(VERSION 3.25)
        project(Program LANGUAGES C)
        find_package(Tensorflow REQUIRED)
        add_executable(by_cmake "{program}")
        target_link_libraries(by_cmake PRIVATE tensorflow::tensorflow)
        """))
run("cmake", "-S", folder, "-B", os.path.join(folder, "build"), "-DCMAKE_PREFIX_PATH=" + prefix)
run("cmake", "--build", os.path.join(folder, "build"))

for name in ["by_pkg_config", "build/by_cmake"]:
    version = run(os.path.join(folder, name))
    if version != "2.21.0":
        sys.exit(f"{name}: expected the version 2.21.0, got {version}")
# Programs on TensorFlow 1 ask for another file, which says so.
old = run(sys.executable, "-c",
          f"import ctypes; t = ctypes.CDLL('{prefix}/lib/libtensorflow.so.1'); t.TF_Version.restype = ctypes.c_char_p; "
          "print(t.TF_Version().decode())")
if old != "1.15.0":
    sys.exit(f"expected the version 1.15.0 of libtensorflow.so.1, got {old}")
