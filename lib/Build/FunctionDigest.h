// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tells functions of a library apart.
#ifndef KILN_LIB_BUILD_FUNCTIONDIGEST_H
#define KILN_LIB_BUILD_FUNCTIONDIGEST_H

#include <string>

namespace kiln {

struct BuildState;

/// Eleven letters and digits that tell functions apart which do other things:
/// by the nodes of the body, their attributes, and the results.
std::string digestOf(const BuildState &body);

} // namespace kiln

#endif // KILN_LIB_BUILD_FUNCTIONDIGEST_H
