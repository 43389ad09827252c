// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that host kernels compute, as plans and lowerings know them.
#ifndef KILN_LIB_OPDEFS_HOSTOPS_H
#define KILN_LIB_OPDEFS_HOSTOPS_H

#include "kiln/Node.h"

#include <string_view>

namespace kiln {

struct OpDef;

/// The kernel by which code calls a host kernel without effects. Its numbers:
/// the body's place among those of the function, and what foreign kernels have.
inline constexpr std::string_view hostBodyKernel = "HostBody";
/// Whether a run is cut at a node with such a host kernel, for code cannot take
/// what has any rank.
bool cutsAtBody(const Node &node, const OpDef &def);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_HOSTOPS_H
