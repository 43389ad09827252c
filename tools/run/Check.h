// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --check says of a graph.
#ifndef KILN_TOOLS_RUN_CHECK_H
#define KILN_TOOLS_RUN_CHECK_H

#include "kiln/MissingOps.h"

#include <span>
#include <string>

namespace kiln::run {

/// A heading, then a line an op that Kiln does not have and a line a dtype that
/// it does not have for an op, each with its number of nodes and the first.
std::string checkText(std::span<const MissingOp> missing,
                      const std::string &path, int numNodes);

} // namespace kiln::run

#endif // KILN_TOOLS_RUN_CHECK_H
