// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Line charts as SVG files.
#ifndef KILN_EXAMPLES_COMMON_LINECHART_H
#define KILN_EXAMPLES_COMMON_LINECHART_H

#include "kiln/Status.h"

#include <string>
#include <vector>

namespace kiln::examples {

/// One curve over 0, 1, 2 … and one level to compare it with.
struct LineChart {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::string seriesName;
  std::vector<double> series;
  std::string levelName;
  double level = 0;
};

/// Draws the chart; the y axis is logarithmic, because a loss falls by factors.
/// All values are above 0. Reads well on light and dark pages.
std::string drawSvg(const LineChart &chart);

/// Writes drawSvg(). **Errors**: INVALID_ARGUMENT for values that have no
/// logarithm; PERMISSION_DENIED when the file cannot be written.
Status writeSvg(const LineChart &chart, const std::string &path);

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_LINECHART_H
