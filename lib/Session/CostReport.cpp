// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of regions with their roofline.
#include "kiln/Inspect.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace kiln {
namespace {

double perSecond(double amount, int64_t ns) {
  return ns > 0 ? amount / (static_cast<double>(ns) * 1e-9) : 0;
}

double bytesOf(const RegionStats &region) {
  return static_cast<double>(region.bytesRead) +
         static_cast<double>(region.bytesWritten);
}

bool haveSameRegions(const RunStats &a, const RunStats &b) {
  return std::equal(a.regions.begin(), a.regions.end(), b.regions.begin(),
                    b.regions.end(),
                    [](const RegionStats &a, const RegionStats &b) {
                      return a.name == b.name && a.flops == b.flops &&
                             a.bytesRead == b.bytesRead &&
                             a.bytesWritten == b.bytesWritten;
                    });
}

std::string line(const RegionStats &region, const MachineLimits &limits) {
  double bytes = bytesOf(region), flops = static_cast<double>(region.flops);
  double roofline = rooflineSeconds(region, limits);
  char limit[48] = "       -       -";
  if (roofline > 0)
    std::snprintf(limit, sizeof limit, "%8.2f %6.0f%%", roofline * 1e6,
                  region.ns > 0
                      ? 100 * roofline / (static_cast<double>(region.ns) * 1e-9)
                      : 0);
  char numbers[160];
  std::snprintf(
      numbers, sizeof numbers, "%12lld %12.0f %9.3f %10.2f %8.2f %8.2f %s  ",
      static_cast<long long>(region.flops), bytes,
      bytes > 0 ? flops / bytes : 0, static_cast<double>(region.ns) * 1e-3,
      perSecond(flops, region.ns) * 1e-9, perSecond(bytes, region.ns) * 1e-9,
      limit);
  return strCat(numbers, region.name, "\n");
}

} // namespace

double rooflineSeconds(const RegionStats &region, const MachineLimits &limits) {
  double seconds = 0;
  if (limits.flopsPerSecond > 0)
    seconds = static_cast<double>(region.flops) / limits.flopsPerSecond;
  if (limits.bytesPerSecond > 0)
    seconds = std::max(seconds, bytesOf(region) / limits.bytesPerSecond);
  return seconds;
}

std::string costReport(std::span<const RunStats> runs,
                       const MachineLimits &limits) {
  if (runs.empty() || runs.front().regions.empty())
    return "no regions: the session was not made with InspectOptions, the "
           "evaluator ran, or there is nothing to compute\n";
  std::vector<RegionStats> best = runs.front().regions;
  for (const RunStats &run : runs)
    if (haveSameRegions(runs.front(), run))
      for (size_t i = 0; i < best.size(); ++i)
        best[i].ns = std::min(best[i].ns, run.regions[i].ns);
  std::string text =
      "       flops        bytes flop/byte         us   GFLOP/s     GB/s limit "
      "us  reached  region\n";
  RegionStats total;
  total.name = "all";
  for (const RegionStats &region : best) {
    text += line(region, limits);
    total.flops += region.flops;
    total.bytesRead += region.bytesRead;
    total.bytesWritten += region.bytesWritten;
    total.ns += region.ns;
  }
  MachineLimits none;
  return text + line(total, none);
}

} // namespace kiln
