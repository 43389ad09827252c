// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kiln-run says of its runs.
#ifndef KILN_TOOLS_RUN_REPORT_H
#define KILN_TOOLS_RUN_REPORT_H

#include "kiln/RunStats.h"
#include "kiln/Tensor.h"

#include <string>
#include <vector>

namespace kiln::run {

/// One paragraph a tensor: name, dtype, shape, elements as far as they fit.
std::string tensorReport(const std::string &name, const Tensor &tensor);

/// What several runs of one thing cost.
struct RunFigures {
  RunStats first;
  int64_t compilations = 0; ///< of the session
  int64_t steps = 0;
  double seconds = 0;              ///< of all steps but the first
  std::vector<RunStats> inspected; ///< where regions were asked for
};
std::string figuresReport(const RunFigures &figures);

/// "12.3 us", "4.56 ms", "7.8 s".
std::string timeText(double seconds);

/// The name as a file's: "a/b:0" is "a_b_0.npy".
std::string npyFileName(const std::string &tensorName);

} // namespace kiln::run

#endif // KILN_TOOLS_RUN_REPORT_H
