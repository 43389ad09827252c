// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run did and what it cost.
#ifndef KILN_RUNSTATS_H
#define KILN_RUNSTATS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// Which of Kiln's two ways ran the code.
enum class Executor : uint8_t { Native, Evaluator };

/// A fused region of a run: a kernel, or a call of the runtime.
struct RegionStats {
  /// Its nodes, as far as they fit.
  std::string name;
  std::vector<std::string> nodes;
  int64_t startNs = 0; ///< on the clock of RunStats::startNs
  int64_t ns = 0;
  /// Floating-point operations: elementary functions count as one, moves and
  /// comparisons as none, a product of matrices as 2 M N K, a convolution with
  /// all of its padding, some of which native code leaves out.
  int64_t flops = 0;
  /// Bytes of the buffers, each once: what an ideal cache would move.
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
};

/// Figures of one run. Times in nanoseconds; what was not done is 0. Ops are
/// the nodes that the run needs, by what became of them; constants,
/// placeholders, variables and NoOps count only where there is something to do
/// for them (a fetched variable is read).
struct RunStats {
  bool cacheHit = false;
  /// The code came from the disk cache, in this run or in the one that cacheHit
  /// goes back to.
  bool fromDisk = false;
  /// What ran; of a cut run's parts, the evaluator where it ran any.
  Executor executor = Executor::Native;
  /// Why the code is not what it should be, after a defect of Kiln's or at a
  /// limit that the evaluator does not reach: empty, or "without fusion: …",
  /// "evaluated: …" with the error. Only in mode Auto.
  std::string degraded;

  int64_t pruneNs = 0;
  int64_t importNs = 0;
  int64_t passesNs = 0;
  int64_t llvmNs = 0; ///< to LLVM IR, LLVM's own passes, code generation
  /// Looking in the disk cache, with linking what was there, and writing.
  int64_t diskNs = 0;
  int64_t linkNs = 0;
  int64_t compileNs = 0;   ///< all of these and what lies between them
  int64_t runNs = 0;       ///< from the bound signature to the finished results
  int64_t waitNs = 0;      ///< of these, asleep in ops that wait (queues)
  int64_t startNs = 0;     ///< std::chrono::steady_clock at the call
  int64_t runStartNs = 0;  ///< and where runNs begins
  int64_t lockStartNs = 0; ///< and where lockNs begins
  int64_t lockNs = 0;      ///< waiting for variables, before the first region
  int64_t thread = 0;      ///< the system's number of the calling thread
  /// In the order of the run, as far as it came; only of native code, in a
  /// session with InspectOptions or a run with RunOptions::regions.
  std::vector<RegionStats> regions;
  /// The passes by stage ("simplify", "decompose" …), in order.
  std::vector<std::pair<std::string_view, int64_t>> stageNs;

  int64_t opsNative = 0;
  /// The share of these in code that was generated quickly and is slower: with
  /// more than 20,000 ops, or 4,000 that become 100,000 instructions.
  int64_t opsQuick = 0;
  int64_t opsRuntime = 0; ///< calls of the runtime, ops on queues
  /// The share of these that another library computes (ForeignOps.h).
  int64_t opsForeign = 0;
  int64_t opsEvaluator = 0;
  int64_t opsFolded = 0; ///< gone before the run: folded, merged, or a view

  int64_t arenaBytes = 0; ///< of this run's temporaries
  int64_t codeBytes = 0;  ///< of this executable
  int64_t cacheBytes = 0; ///< of all executables of the session

  int64_t compilations = 0; ///< of the session so far
};

/// Figures of a session.
struct SessionStats {
  /// Native ones and those for the evaluator; not what the disk cache had.
  int64_t compilations = 0;
  int64_t nativeCompilations = 0;
  int64_t cacheEntries = 0;
  int64_t cacheBytes = 0;    ///< of all executables
  int64_t codeBytes = 0;     ///< the code among them
  int64_t arenaBytes = 0;    ///< of temporaries: idle, callables', and of runs
  int64_t variableBytes = 0; ///< of all sessions that share the variables
  int64_t evictions = 0;
  /// Entries of the disk cache found, not found, written, and not written as
  /// the folder does not take it or the bound is too small.
  int64_t diskHits = 0, diskMisses = 0, diskStores = 0, diskFailedStores = 0;
};

} // namespace kiln

#endif // KILN_RUNSTATS_H
