// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's version is that of the headers it is compiled with.
#include "kiln/Version.h"

namespace kiln {

std::string_view version() noexcept { return KILN_VERSION_STRING; }

} // namespace kiln
