// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures that a compiled function gives each of its runs, in one list.
#ifndef KILN_LIB_COMPILED_OPFIGURES_H
#define KILN_LIB_COMPILED_OPFIGURES_H

#include "kiln/RunStats.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace kiln {

/// Ops of the graph by what became of them.
inline constexpr int64_t RunStats::*opFigures[] = {
    &RunStats::opsNative,  &RunStats::opsQuick,     &RunStats::opsRuntime,
    &RunStats::opsForeign, &RunStats::opsEvaluator, &RunStats::opsFolded};

/// Their values, in the list's order.
using OpCounters = std::array<int64_t, std::size(opFigures)>;

inline OpCounters opCountersOf(const RunStats &stats) {
  OpCounters counters;
  for (size_t i = 0; i < counters.size(); ++i)
    counters[i] = stats.*opFigures[i];
  return counters;
}
inline void setOpCounters(RunStats &stats, const OpCounters &counters) {
  for (size_t i = 0; i < counters.size(); ++i)
    stats.*opFigures[i] = counters[i];
}

} // namespace kiln

#endif // KILN_LIB_COMPILED_OPFIGURES_H
