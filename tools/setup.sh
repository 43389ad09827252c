# Sourced by tools/test and tools/demo: installs what is missing, configures build/ when needed.
# Defines kiln_root, kiln_build, kiln_setup, kiln_make_venv and
# kiln_setup_python; expects `set -euo pipefail`.

kiln_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kiln_build=$kiln_root/build

# Debian 12's own archive (bookworm and bookworm-security) has all of them.
kiln_packages=(
  clang-22 clang-format-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools libclang-rt-22-dev
  cmake ninja-build ccache g++ python3
  libeigen3-dev libleveldb-dev libre2-dev libprotobuf-dev protobuf-compiler libcli11-dev zlib1g-dev libpng-dev
  libjpeg62-turbo-dev libgif-dev libopenmpi-dev openmpi-bin libgtest-dev libgmock-dev libarchive-dev libbenchmark-dev nlohmann-json3-dev)
kiln_left_out=
kiln_python_packages=(python3-dev python3-venv libjemalloc2 libtcmalloc-minimal4)

kiln_as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs those of the packages that are missing.
kiln_install_missing() {
  local package installed missing=()
  # dpkg-query fails when it does not know one of them: that is the question, not an error.
  installed=" $({ dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' "$@" \
    2>/dev/null || true; } | awk '$2 ~ /^.i/ { print $1 }' | tr '\n' ' ') "
  for package in "$@"; do
    [[ $installed == *" $package "* ]] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "kiln: installing ${missing[*]}"
  kiln_as_root apt-get update -qq
  kiln_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# CMake runs again by itself when a CMakeLists.txt changes; a configuration that failed leaves no
# build.ninja behind.
kiln_setup() {
  kiln_install_missing "${kiln_packages[@]}"
  if [ ! -f "$kiln_build/build.ninja" ]; then
    echo "kiln: configuring $kiln_build"
    (cd "$kiln_root" && cmake --preset dev)
  fi
}

# A virtual environment with what builds and tests the Python package, made again when the list
# changes: kiln_make_venv [FOLDER [PYTHON]], in build/venv, of python3, which may be any from 3.11 on
# (the list's NumPy demands it; the package itself runs on 3.10).
kiln_make_venv() {
  local venv=${1:-$kiln_build/venv} list=$kiln_root/python/requirements.txt
  cmp -s "$list" "$venv/requirements.txt" && return 0
  echo "kiln: making $venv"
  rm -rf "$venv"
  "${2:-python3}" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 -r "$list" &&
    cp "$list" "$venv/requirements.txt"
}

# Makes the Python package a part of build/; without Debian's or PyPI's servers says that it is not,
# and leaves the rest as it is.
kiln_setup_python() {
  if ! kiln_install_missing "${kiln_python_packages[@]}" || ! kiln_make_venv; then
    kiln_left_out="the Python package and its tests are left out: what they need is not to be had (above)"
    echo "kiln: $kiln_left_out"
    return 0
  fi
  grep -qs '^KILN_BUILD_PYTHON:BOOL=ON' "$kiln_build/CMakeCache.txt" && return 0
  echo "kiln: adding the Python package to $kiln_build"
  cmake -S "$kiln_root" -B "$kiln_build" -DKILN_BUILD_PYTHON=ON \
    "-DPython_EXECUTABLE=$kiln_build/venv/bin/python" >/dev/null
}
