// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kiln-run says of a graph that it is given alone.
#ifndef KILN_TOOLS_RUN_OVERVIEW_H
#define KILN_TOOLS_RUN_OVERVIEW_H

#include "kiln/Graph.h"

#include <string>

namespace kiln::run {

/// What the graph can be fed with and asked for, with a command line that would
/// run something.
std::string overviewText(const Graph &graph, const std::string &path);

} // namespace kiln::run

#endif // KILN_TOOLS_RUN_OVERVIEW_H
