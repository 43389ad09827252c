// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled part of the graph, bound to the variables and random streams of
// its session.
#ifndef KILN_LIB_EXEC_PROGRAM_H
#define KILN_LIB_EXEC_PROGRAM_H

#include "kiln/RunStats.h"
#include "lib/Compiled/FunctionInterface.h"
#include "lib/Exec/BoundBody.h"
#include "lib/Exec/IdlePool.h"
#include "lib/Exec/ProgramExecutor.h"
#include "lib/Exec/RunEstimate.h"
#include "lib/Exec/SessionServices.h"
#include "lib/Exec/Signature.h"
#include "runtime/resources/VariableLocks.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

class CompileTask;
class Frame;

/// What is wrong where an op reads a variable that has no value.
ErrorKind noValueKind(bool isResource, std::string_view op);

/// True when code with these requirements was made for feeds like these, which
/// have the dtypes and ranks of its key.
bool signatureMatches(const SymbolTable &symbols,
                      std::span<const FedValue> fedValues,
                      std::span<const FeedView> feeds);

/// Code for one class of signatures: native, or for the evaluator; or a run
/// that is cut at ops that wait, whose parts are programs of their own.
///
/// Ownership: shared by the cache, by runs and by callables; the last one frees
/// the code. Thread safety: constant once made, but for what is listed here.
///
/// | fact | guarded by |
/// | --- | --- |
/// | hasRun, isSuperseded, replacedIn, isKept | atomic |
/// | signature, nativeTask, replacement | CompileCache::mutex |
/// | lastUse | atomic; written under CompileCache::mutex |
/// | idle frames | their pool |
class Program : public std::enable_shared_from_this<Program> {
public:
  /// How long a program is used.
  enum class Tier : uint8_t {
    Final,
    /// The evaluator's, for one run: who comes next waits for native code.
    Once,
    /// The evaluator's, until native code is there, which is made behind it
    /// from its second run on, or from where a run turns out to be long.
    Behind,
  };
  struct Variable {
    std::shared_ptr<VariableSlot> slot;
    std::string name;
    std::string reader; ///< blamed when it has no value
    std::string readerOp;
    bool isResource = false;
    bool needsValue = false;
  };

  /// A variable without a static shape whose shape the code was made for, as if
  /// it were one more feed.
  struct OpenShape {
    std::shared_ptr<VariableSlot> slot; ///< null where nothing depends on it
    std::optional<int> rank;            ///< none: made for one without a value

    bool accepts(const Shape &shape) const {
      return !slot || (shape.hasRank() == rank.has_value() &&
                       (!rank || shape.rank() == *rank));
    }
  };

  explicit Program(SessionServices &services);
  ~Program();

  /// True when the code was made for feeds like these, which have the dtypes
  /// and ranks of the program's key, and is not outdated.
  bool matches(std::span<const FeedView> feeds) const;
  /// True where a variable has no static shape any more that the code relies
  /// on. Of who holds the locks false lasts.
  bool isOutdated() const {
    return std::ranges::any_of(
        fixedSlots, [](const VariableSlot *slot) { return slot->isOpen(); });
  }
  /// The shapes that openShapes have now.
  std::vector<Shape> presentShapes() const;
  /// As matches(), for such shapes.
  bool matches(std::span<const FeedView> feeds,
               std::span<const Shape> shapes) const;
  /// What symbols are for feeds like these and the present openShapes; nothing
  /// where a guard refuses them, or where those have other ranks by now.
  std::optional<std::vector<int64_t>>
  symbolsOf(std::span<const FeedView> feeds) const;
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
  /// True once, and in a child of fork() again: native code is to be made
  /// behind it. Of a program that has run.
  bool claimReplacement() const;
  /// There is native code in its place. The caller holds CompileCache::mutex.
  void supersede(const std::shared_ptr<const Program> &native) const {
    replacement = native;
    isSuperseded.store(true, std::memory_order_relaxed);
  }
  bool hasReplacement() const {
    return isSuperseded.load(std::memory_order_relaxed);
  }
  /// Native code could not be made in its place: it stays, and says why.
  void keepBecause(const Status &failure) const;
  /// True where who has it is to ask the cache again.
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
  SymbolTable symbols;
  std::vector<ImportedTensor> feeds;
  std::vector<ImportedTensor> results;
  std::vector<FedValue> fedValues;
  std::vector<Tensor> constants;
  std::vector<Variable> variables;
  std::vector<std::string> variableNames;
  std::vector<VariableSlot *> slots; ///< of `variables`
  std::vector<OpenShape> openShapes;
  /// The numbers of the variables without a static shape: their memory is
  /// another from run to run.
  std::vector<size_t> openVariables;
  /// The slots of the others.
  std::vector<VariableSlot *> fixedSlots;
  std::vector<VariableSlot *> mustHaveValue;
  /// Variables of strings that the code writes.
  std::vector<VariableSlot *> writtenStrings;
  std::vector<RandomStream *> streams;
  std::vector<std::unique_ptr<BoundBody>> bodies;
  std::vector<const BoundBody *> bodyPlaces; ///< of `bodies`
  LockPlan locks;
  std::unique_ptr<ProgramExecutor> executor;
  Tier tier = Tier::Final;
  /// Of a program of the evaluator that is not the last: how much longer than
  /// native code a run takes, as far as it is known before the run, and from
  /// how much on it is to wait for that.
  RunEstimate runNs;
  double maxRunNs = 0;
  /// The figures of its compilation.
  RunStats stats;

  mutable std::atomic<uint64_t> lastUse{0};
  /// Of a program with a budget: what makes native code in its place, under
  /// which key; empty until the cache has given it away.
  mutable SignatureKey signature;
  mutable std::shared_ptr<const CompileTask> nativeTask;
  /// Native code for the same feeds, as long as anybody has it.
  mutable std::weak_ptr<const Program> replacement;

private:
  mutable std::atomic<bool> hasRun{false};
  mutable std::atomic<bool> isSuperseded{false};
  /// The process (processGeneration()) that makes native code in its place.
  mutable std::atomic<int> replacedIn{-1};
  mutable std::atomic<bool> isKept{false};
  mutable std::string keptBecause; ///< written before isKept
  mutable IdlePool<Frame> idleFrames;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_PROGRAM_H
