// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which Kiln a program is compiled against, and which one it runs with. The
// three numbers below are the only place that says the version: CMake and
// Python's package read them.
#ifndef KILN_VERSION_H
#define KILN_VERSION_H

#include "kiln/Export.h"

#include <string_view>

#define KILN_VERSION_MAJOR 0
#define KILN_VERSION_MINOR 1
#define KILN_VERSION_PATCH 0

/// One number that grows with the version, for `#if KILN_VERSION >= 10200`
/// (1.2.0).
#define KILN_VERSION                                                           \
  (KILN_VERSION_MAJOR * 10000 + KILN_VERSION_MINOR * 100 + KILN_VERSION_PATCH)

#define KILN_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define KILN_VERSION_TEXT(major, minor, patch)                                 \
  KILN_VERSION_TEXT_OF(major, minor, patch)
/// "0.1.0"
#define KILN_VERSION_STRING                                                    \
  KILN_VERSION_TEXT(KILN_VERSION_MAJOR, KILN_VERSION_MINOR, KILN_VERSION_PATCH)

namespace kiln {

/// Returns the version of the library that the program runs with, as
/// KILN_VERSION_STRING says that of the headers. Before 1.0 a program needs the
/// minor version that it was compiled against; libraries of another one have
/// another name. **Ownership**: static. **Thread safety**: any thread.
KILN_EXPORT std::string_view version() noexcept;

} // namespace kiln

#endif // KILN_VERSION_H
