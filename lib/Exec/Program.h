// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled part of the graph, bound to the variables and random streams of
// its session.
#ifndef KILN_LIB_EXEC_PROGRAM_H
#define KILN_LIB_EXEC_PROGRAM_H

#include "kiln/RunStats.h"
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Exec/Binding.h"
#include "lib/Exec/IdlePool.h"
#include "lib/Exec/ProgramExecutor.h"
#include "lib/Exec/ProgramKey.h"
#include "lib/Exec/RunEstimate.h"
#include "lib/Exec/SessionServices.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

class Frame;
struct NativeRecipe;

/// What is wrong where an op reads a variable that has no value.
ErrorKind noValueKind(bool isResource, std::string_view op);

/// Code for one class of signatures: native, or for the evaluator; or a run
/// that is cut at ops that wait, whose parts are programs of their own.
///
/// Ownership: shared by the cache, by runs and by callables; the last one frees
/// the code. Thread safety: constant once made, but for what is listed here.
///
/// | fact | guarded by |
/// | --- | --- |
/// | hasRun, wastedShare, isSuperseded, replacedIn, isKept | atomic |
/// | recipe, replacement | the mutex of the session's ProgramFinder |
/// | lastUse | atomic; written under that mutex |
/// | idle frames | their pool |
class Program : public std::enable_shared_from_this<Program> {
public:
  /// How long a program is used.
  enum class Tier : uint8_t {
    Final,
    /// The evaluator's, for one run: later ones wait for native code.
    Once,
    /// The evaluator's, until native code is there, which is made behind it
    /// as soon as it is worth it (isWorthReplacing()), or from where a run
    /// turns out to be long.
    Behind,
  };
  explicit Program(SessionServices &services);
  ~Program();

  /// True when the code was made for feeds like these, which have the dtypes
  /// and ranks of the program's key, and is not outdated.
  bool matches(std::span<const FeedView> feeds) const;
  /// True where a variable has no static shape any more that the code relies
  /// on. Under the locks of a run false lasts.
  bool isOutdated() const {
    return std::ranges::any_of(
        binding.fixedSlots,
        [](const VariableSlot *slot) { return slot->isOpen(); });
  }
  /// As matches(), for such open shapes.
  bool matches(std::span<const FeedView> feeds,
               std::span<const Shape> shapes) const;
  /// True unless there may be native code in its place.
  bool isFinal() const { return tier == Tier::Final; }
  /// Takes a run, and returns false where the only one is taken.
  bool claimRun() const {
    return tier == Tier::Final ||
           !hasRun.exchange(true, std::memory_order_relaxed) ||
           tier == Tier::Behind;
  }
  /// True where a run with feeds that it matches is sooner done by this program
  /// than by native code that is still to be made.
  bool isSoonest(std::span<const FeedView> feeds) const;
  /// True where only a run itself can tell how long the evaluator takes for it:
  /// it goes on as native code where that turns out to be sooner.
  bool hasBudget() const {
    return tier == Tier::Behind && !runNs.isKnown() &&
           !isKept.load(std::memory_order_relaxed);
  }
  /// A run of the evaluator took `ns`, of which native code would have saved
  /// `excessNs`, as far as that is known. `leavesCpus`: the threads of its
  /// loops were mostly idle, so that compiling beside it costs it little.
  void noteEvaluated(double excessNs, double ns, bool leavesCpus) const;
  /// True where the evaluator's runs have cost so much that native code, if it
  /// is needed as often again, repays its compilation; much sooner where CPUs
  /// are idle. So a program that runs a few times compiles nothing, and no
  /// program takes much longer than one that knew from the start how often it
  /// would run (the rule of ski rental).
  bool isWorthReplacing() const {
    return wastedShare.load(std::memory_order_relaxed) >= 1;
  }
  /// True once, and in a child of fork() again, for a program that has run:
  /// native code is to be made behind it.
  bool claimReplacement() const;
  /// There is native code in its place. The caller is the session's
  /// ProgramFinder, under its mutex.
  void supersede(const std::shared_ptr<const Program> &native) const {
    replacement = native;
    isSuperseded.store(true, std::memory_order_relaxed);
  }
  bool hasReplacement() const {
    return isSuperseded.load(std::memory_order_relaxed);
  }
  /// Native code could not be made in its place: it stays, and says why.
  void keepBecause(const Status &failure) const;
  /// True where its holder is to ask the ProgramFinder again.
  bool mustBeFound() const;
  /// What a run of it says in RunStats::degraded.
  std::string degraded() const;
  int64_t codeBytes() const { return executor->codeBytes(); }
  /// What the cache counts. Idle frames have no arena.
  int64_t bytes() const;

  /// An idle frame, or a new one.
  std::unique_ptr<Frame> takeFrame() const;
  void giveBack(std::unique_ptr<Frame> frame) const;

  /// The error of a run that needs a variable without a value, all of these by
  /// name. The caller holds the run's locks.
  Status uninitializedError() const;

  SessionServices &services;
  /// Without the objects, once they are linked.
  CompiledFunction function;
  const FunctionInterface &interface() const { return function.interface; }
  Binding binding;
  std::unique_ptr<ProgramExecutor> executor;
  Tier tier = Tier::Final;
  /// For a program of the evaluator that is not final: how much longer than
  /// native code a run takes, as far as that is known before the run.
  RunEstimate runNs;
  /// Runs that take so much longer wait for native code instead.
  double maxRunNs = 0;
  /// The figures of its compilation.
  RunStats stats;

  mutable std::atomic<uint64_t> lastUse{0};
  /// How native code is made in the place of a program with a budget: the
  /// ProgramFinder's own, there since it gave the program to a run.
  mutable std::shared_ptr<const NativeRecipe> recipe;
  /// Native code for the same feeds, as long as it lives.
  mutable std::weak_ptr<const Program> replacement;

private:
  mutable std::atomic<bool> hasRun{false};
  mutable std::atomic<double> wastedShare{0}; ///< of what is worth compiling
  mutable std::atomic<bool> isSuperseded{false};
  /// The process (processGeneration()) that makes native code in its place.
  mutable std::atomic<int> replacedIn{-1};
  mutable std::atomic<bool> isKept{false};
  mutable std::string keptBecause; ///< written before isKept
  mutable IdlePool<Frame> idleFrames;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_PROGRAM_H
