// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printed form of a run that is cut; README.md has its grammar.
#ifndef KILN_LIB_PLAN_CUT_PRINTCUT_H
#define KILN_LIB_PLAN_CUT_PRINTCUT_H

#include "lib/Plan/cut/CutGraph.h"

#include <string>

namespace kiln {

/// Unit by unit, with the plans of parts.
std::string print(const CutGraph &cut);

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_PRINTCUT_H
