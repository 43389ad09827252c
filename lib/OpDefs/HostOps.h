// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that host kernels compute, as plans and lowerings know them.
#ifndef KILN_LIB_OPDEFS_HOSTOPS_H
#define KILN_LIB_OPDEFS_HOSTOPS_H

#include "kiln/Node.h"

#include <string_view>

namespace kiln {

struct OpDef;

/// The kernels by which code calls host kernels, those without effects and
/// others. Their numbers: the body's place among those of the function, and
/// what foreign kernels have.
inline constexpr std::string_view hostBodyKernel = "HostBody",
                                  hostEffectKernel = "HostEffect";

/// How many of the first inputs are handles or references, which tell a host
/// kernel what it works on.
int numHandlesOf(const OpDef &def);

/// The node that declares what a host kernel works on by a handle; null where
/// code could not find it by that node's attributes.
const Node *resourceOfBody(const Node &node, const OpDef &def);

/// Whether a run is cut at a node although its host kernel is one that code can
/// call (the flag hostBody): code cannot take what has any rank, and must know
/// the resource. A loop, even so, does not look at a resource in code: it may
/// wait for what another run does to it, which would wait for the locks that
/// code holds.
bool cutsAtBody(const Node &node, const OpDef &def, bool isInLoop);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_HOSTOPS_H
