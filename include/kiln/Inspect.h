// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as a picture and as a table: Chrome traces and cost reports of what
// RunStats recorded.
#ifndef KILN_INSPECT_H
#define KILN_INSPECT_H

#include "kiln/Export.h"
#include "kiln/RunStats.h"
#include "kiln/Status.h"

#include <span>
#include <string>

namespace kiln {

/// Returns runs as JSON in Chrome's trace event format, for chrome://tracing
/// and ui.perfetto.dev: a run, its compilation by stage, its wait for locks and
/// its regions, each on the thread that ran it, with nodes, operations and
/// bytes. Times count from the first run. Regions are there for sessions with
/// InspectOptions. **Edges**: no runs give a valid, empty trace.
KILN_EXPORT std::string chromeTrace(std::span<const RunStats> runs);

/// chromeTrace() to a file that is replaced in one step. **Errors**:
/// PERMISSION_DENIED and the like, with the path.
KILN_EXPORT Status saveChromeTrace(std::span<const RunStats> runs,
                                   const std::string &path);

/// What the machine can do at best, for a roofline; bench/kiln-bench-limit
/// measures it. 0 where it is not known.
struct MachineLimits {
  double flopsPerSecond = 0;
  double bytesPerSecond = 0;
};

/// The least time that operations and bytes take on the machine: whichever
/// takes longer; 0 where no limit is known. **Units**: seconds.
KILN_EXPORT double rooflineSeconds(const RegionStats &region,
                                   const MachineLimits &limits);

/// Returns a table, one line a region: operations, bytes, operations a byte,
/// time, rates, and how much of the machine's limit was reached. Of several
/// runs the fastest time of each region counts, where they have the same
/// regions as the first; others are left out. More than 100 % of the limit:
/// what was read lay in the caches. **Edges**: says so when there are no
/// regions.
KILN_EXPORT std::string costReport(std::span<const RunStats> runs,
                                   const MachineLimits &limits = {});

} // namespace kiln

#endif // KILN_INSPECT_H
