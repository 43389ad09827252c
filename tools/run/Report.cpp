// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures and tensors as text.
#include "tools/run/Report.h"

#include "lib/Support/Strings.h"
#include "tools/common/TensorText.h"

#include <cstdio>

namespace kiln::run {
namespace {

double inSeconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

std::string compileText(const RunStats &stats) {
  if (stats.cacheHit)
    return "compiled before";
  if (stats.fromDisk)
    return strCat("found on disk in ", timeText(inSeconds(stats.compileNs)));
  std::string text =
      strCat("compiled in ", timeText(inSeconds(stats.compileNs)), " (prune ",
             timeText(inSeconds(stats.pruneNs)), ", import ",
             timeText(inSeconds(stats.importNs)), ", passes ",
             timeText(inSeconds(stats.passesNs)), ", LLVM ",
             timeText(inSeconds(stats.llvmNs)), ", link ",
             timeText(inSeconds(stats.linkNs)), ")");
  std::vector<std::string> stages;
  for (const auto &[stage, time] : stats.stageNs)
    stages.push_back(strCat(stage, " ", timeText(inSeconds(time))));
  return stages.empty() ? text
                        : strCat(text, "\n  stages   ", strJoin(stages, ", "));
}

} // namespace

std::string tensorReport(const std::string &name, const Tensor &tensor) {
  if (!tensor.isValid())
    return strCat(name, ": done\n");
  constexpr int64_t shown = 100;
  return strCat(name, ": ", typeText(tensor), "\n  ",
                elementsText(tensor, shown), "\n");
}

std::string figuresReport(const RunFigures &figures) {
  const RunStats &first = figures.first;
  std::string text = strCat(
      "\nstatistics\n  first    ", compileText(first), "\n  run      ",
      timeText(inSeconds(first.runNs)), " in ",
      first.executor == Executor::Native ? "native code" : "the evaluator",
      first.waitNs > 0
          ? strCat(", ", timeText(inSeconds(first.waitNs)), " at queues")
          : std::string(),
      first.degraded.empty() ? std::string()
                             : strCat("\n  degraded ", first.degraded),
      "\n  ops      ", first.opsNative, " native, ",
      first.opsQuick > 0
          ? strCat(first.opsQuick, " of them in quickly made code, ")
          : std::string(),
      first.opsRuntime, " runtime calls, ", first.opsEvaluator, " evaluator, ",
      first.opsFolded, " folded\n  memory   ",
      formatBytes(static_cast<uint64_t>(first.arenaBytes)), " arena, ",
      formatBytes(static_cast<uint64_t>(first.codeBytes)), " code, ",
      formatBytes(static_cast<uint64_t>(first.cacheBytes)),
      " cache\n  compiled ", figures.compilations,
      figures.compilations == 1 ? " time" : " times", " in this session\n");
  if (figures.steps > 1) {
    double each = figures.seconds / static_cast<double>(figures.steps - 1);
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.0f", each > 0 ? 1 / each : 0);
    text +=
        strCat("  steps    ", figures.steps, " of which ", figures.steps - 1,
               " at ", timeText(each), " each, ", rate, " a second\n");
  }
  return text;
}

std::string timeText(double seconds) {
  char text[32];
  if (seconds < 1e-3)
    std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
  else if (seconds < 1)
    std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
  else
    std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

std::string npyFileName(const std::string &tensorName) {
  std::string file = tensorName;
  for (char &c : file)
    if (c == '/' || c == ':')
      c = '_';
  return file + ".npy";
}

} // namespace kiln::run
