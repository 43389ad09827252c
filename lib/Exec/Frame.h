// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one run at a time of a program: symbol values, shapes of
// results, error slot, what kernels make.
#ifndef KILN_LIB_EXEC_FRAME_H
#define KILN_LIB_EXEC_FRAME_H

#include "lib/Exec/FrameStrings.h"
#include "lib/Exec/Program.h"
#include "runtime/abi/RunState.h"
#include "runtime/memory/ArenaTail.h"
#include "runtime/slots/Slots.h"
#include "runtime/threads/Cancel.h"

#include <memory>
#include <span>
#include <vector>

namespace kiln {

/// What one run adds to what is bound. All may be left out.
struct RunControl : WaitControl {
  RunStats *stats = nullptr;
  bool regions = false; ///< of RunOptions
  /// The random streams of this run; null for the session's.
  StreamTable *streams = nullptr;
};

/// Gives the context of a run what all runs of a session have.
void setUpContext(RunContext &context, const SessionServices &services,
                  RunStrings &strings, SlotTable &slots);

/// RESOURCE_EXHAUSTED: `what` of the run takes more than it may.
Status tooManyBytesInRun(std::string_view what, int64_t bytes, int64_t limit);

/// A program with bound shapes, ready to run; each executor has its own kind.
///
/// Invariants: (1) a frame is in one run at a time; (2) after bind(), symbols
/// and result shapes are those of the bound shapes; (3) the cancel word is 0
/// between runs, unless the session is closed. **Ownership**: the program must
/// outlive it.
class Frame {
public:
  virtual ~Frame();
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  const Program &program() const { return owner; }

  /// True when the last bind() was for feeds of exactly these dtypes and
  /// shapes, and the fed values are those of the program.
  bool fits(std::span<const Tensor> feeds) const;
  /// Evaluates symbols and guards for feeds that the program matches.
  /// **Errors**: INVALID_ARGUMENT with the node of a guard that fails;
  /// RESOURCE_EXHAUSTED. Nothing is bound then. **Cost**: about a microsecond;
  /// next to none for the shapes that are bound.
  Status bind(std::span<const FeedView> feeds);
  /// True when the last bind() or run() did nothing because a variable without
  /// a static shape has another shape than the program, or the binding, is for:
  /// the program is to be found again.
  bool isStale() const { return hasStaleShapes; }
  /// Gives the arena to other frames; the next run needs a bind() before.
  virtual void releaseArena() { tail.giveBack(); }
  /// Runs with feeds of the bound shapes. Fetch i goes to results[i] unless
  /// places[i] is -1; places[i] is the program's number of the fetch.
  Status run(std::span<const Tensor> feeds, std::span<const int> places,
             std::span<Tensor> results, const RunControl &control = {});

  /// As run(), in the place of a run that was given up: what that one took of
  /// random streams is taken again.
  Status runAfter(const RunContext &begun, std::span<const Tensor> feeds,
                  std::span<const int> places, std::span<Tensor> results,
                  const RunControl &control);

  /// Adds what the program and the bound shapes tell.
  virtual void fillStats(RunStats &stats) const;

protected:
  struct FeedState {
    DType dtype;
    uint8_t elementBytes;
    uint16_t rank;
    uint32_t firstDim; ///< in feedDims
  };
  struct ResultState {
    DType dtype = DType::Invalid;
    Shape shape;
    size_t bytes = 0;
    /// Its shape is known after the run, which makes it in the tail.
    bool isLate = false;
  };

  explicit Frame(const Program &program);

  /// Finds the shapes of the results that are late, or of the others.
  Status bindResults(bool isLate);
  /// Takes the locks and demands that variables have the values they need, and
  /// the shapes that are bound.
  Status lock(VariableLocks &locks);

  /// Takes what a run needs for symbols and results that are bound, anew where
  /// they changed.
  virtual Status bindMemory(bool isChanged) = 0;
  /// The run itself, as run().
  virtual Status execute(std::span<const Tensor> feeds,
                         std::span<const int> places, std::span<Tensor> results,
                         const RunControl &control) = 0;
  /// Why the run ended: from the cancel word or the error slot.
  virtual Status failure();
  /// Has the run draw from streams of this table. **Errors**: as
  /// StreamTable::findOrCreate()'s, with the node.
  Status drawFrom(StreamTable &table);

  const Program &owner;
  // Attached for the frame's life: attaching takes a mutex.
  RunContext context;
  KilnRunState state;
  RunStats *figures = nullptr; ///< of the present run; null without a caller's
  CancelScope sessionScope;

  std::vector<FeedState> feedStates;
  std::vector<int64_t> feedDims;
  std::vector<Shape> openShapes; ///< bound, of the program's
  std::vector<RandomStream *> ownStreams;
  std::vector<int64_t> symbols;
  std::vector<ResultState> results;
  bool hasLateResults = false;
  ArenaTail tail;
  FrameStrings strings;
  SlotTable slots;
  bool hasStaleShapes = false;

private:
  Status bindSymbols(std::span<const FeedView> feeds);
  bool areShapesPresent() const;

  bool isBound = false;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_FRAME_H
