// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds figures, each named once.
#include "lib/Exec/RunFigures.h"

#include "lib/Compiled/OpFigures.h"

namespace kiln {
namespace {

constexpr int64_t RunStats::*compileFigures[] = {
    &RunStats::diskNs, &RunStats::importNs, &RunStats::passesNs,
    &RunStats::llvmNs, &RunStats::linkNs,   &RunStats::compileNs};

/// Beside opFigures.
constexpr int64_t RunStats::*partFigures[] = {
    &RunStats::arenaBytes, &RunStats::codeBytes, &RunStats::lockNs};

template <size_t n>
void add(int64_t RunStats::*const (&figures)[n], const RunStats &part,
         RunStats &run) {
  for (int64_t RunStats::*figure : figures)
    run.*figure += part.*figure;
}

} // namespace

void addCompileFigures(const RunStats &part, RunStats &run) {
  add(compileFigures, part, run);
  for (size_t i = 0; i < part.stageNs.size(); ++i) {
    if (run.stageNs.size() == i)
      run.stageNs.emplace_back(part.stageNs[i].first, 0);
    run.stageNs[i].second += part.stageNs[i].second;
  }
}

void addPartFigures(const RunStats &part, RunStats &run) {
  if (part.executor == Executor::Evaluator)
    run.executor = Executor::Evaluator;
  if (run.degraded.empty())
    run.degraded = part.degraded;
  if (run.lockNs == 0)
    run.lockStartNs = part.lockStartNs;
  add(opFigures, part, run);
  add(partFigures, part, run);
  run.regions.insert(run.regions.end(), part.regions.begin(),
                     part.regions.end());
}

} // namespace kiln
