// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the figures of runs, parts and compilations add up.
#ifndef KILN_LIB_EXEC_RUNFIGURES_H
#define KILN_LIB_EXEC_RUNFIGURES_H

#include "kiln/RunStats.h"

namespace kiln {

/// Adds what compiling a part of a run took to the figures of the run.
void addCompileFigures(const RunStats &part, RunStats &run);

/// Adds what a part of a run did to the figures of the run.
void addPartFigures(const RunStats &part, RunStats &run);

} // namespace kiln

#endif // KILN_LIB_EXEC_RUNFIGURES_H
