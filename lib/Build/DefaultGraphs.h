// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread's stack of default graphs.
#ifndef KILN_LIB_BUILD_DEFAULTGRAPHS_H
#define KILN_LIB_BUILD_DEFAULTGRAPHS_H

#include "kiln/GraphBuilder.h"

#include <vector>

namespace kiln {

/// The innermost last. **Thread safety**: each thread has its own.
std::vector<GraphBuilder> &graphStack();

} // namespace kiln

#endif // KILN_LIB_BUILD_DEFAULTGRAPHS_H
