// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one run at a time of a program: buffer table, symbol values,
// arena, error slot.
#ifndef KILN_LIB_SESSION_FRAME_H
#define KILN_LIB_SESSION_FRAME_H

#include "lib/Session/ArenaLayout.h"
#include "lib/Session/FrameStrings.h"
#include "lib/Session/Program.h"
#include "runtime/ArenaTail.h"
#include "runtime/Cancel.h"
#include "runtime/RunState.h"
#include "runtime/Slots.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kiln {

class CutFrame;

/// What one run adds to what is bound. All may be left out.
struct RunControl : Patience {
  RunStats *stats = nullptr;
};

/// A program with bound shapes, ready to run.
///
/// Invariants: (1) a frame is in one run at a time; (2) after bind(), symbols,
/// result shapes and the buffer table are those of the bound shapes, and only
/// the pointers of feeds and results change from run to run; (3) the cancel
/// word is 0 between runs, unless the session is closed. **Ownership**: the
/// program must outlive it.
class Frame {
public:
  explicit Frame(const Program &program);
  ~Frame();
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
  /// Gives the arena to other frames; the next run needs a bind() before.
  void releaseArena() {
    arena = Arena();
    tail.giveBack();
  }
  /// Runs with feeds of the bound shapes. Fetch i goes to results[i] unless
  /// places[i] is -1; places[i] is the program's number of the fetch.
  Status run(std::span<const Tensor> feeds, std::span<const int> places,
             std::span<Tensor> results, const RunControl &control = {});

  /// Adds what the program and the bound shapes tell.
  void fillStats(RunStats &stats) const;

private:
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

  /// Finds the shapes of the results that are late, or of the others.
  Status bindResults(bool isLate);
  Status layOutArena();
  Status takeArena();
  /// Whether a temporary lies in the tail.
  bool isLate(size_t temporary) const;
  std::string_view largestTemporary() const;
  Status bindFeedPointers(std::span<const Tensor> feeds);
  Status alignFeed(size_t index, const Tensor &feed);
  /// True when the tensor stands on a feed's memory, which then outlives it.
  bool isFeed(const Tensor &result);
  StatusOr<Tensor> allocateResult(size_t number) const;
  Status bindResultPointers(std::span<const int> places,
                            std::span<Tensor> results);
  /// Makes `given` a tensor for result number `place`.
  Status placeResult(size_t place, Tensor &given);
  /// Copies what the run made in its tail.
  Status takeLateResults(std::span<const int> places,
                         std::span<Tensor> results);
  /// Takes the locks and demands that variables have the values they need.
  Status lock(VariableLocks &locks);
  Status execute(std::span<const int> places, std::span<Tensor> results);
  Status evaluate(std::span<const Tensor> feeds, std::span<const int> places,
                  std::span<Tensor> results);
  Status failure();
  /// Has the regions of the coming run timed, where the code can tell them.
  void watchRegions();
  void fillRegions(RunStats &stats) const;

  const Program &owner;
  // Attached for the frame's life: attaching takes a mutex.
  RunContext context;
  KilnRunState state;
  RunStats *figures = nullptr; ///< of the present run; null where nobody asks
  /// Times of the regions' marks; empty while no run asks.
  std::vector<int64_t> regionMarks;
  CancelScope sessionScope;
  /// Of a program that is cut; null for others.
  std::unique_ptr<CutFrame> cut;

  bool isBound = false;
  std::vector<FeedState> feedStates;
  std::vector<int64_t> feedDims;
  std::vector<int64_t> symbols;
  std::vector<ResultState> results;
  std::vector<void *> buffers;
  size_t firstResult = 0, firstTemporary = 0;

  std::vector<ArenaTenant> tenants;
  ArenaLayout layout;
  Arena arena;
  ArenaTail tail;
  bool hasLateResults = false;
  std::vector<size_t> lateTemporaries;
  /// Whether the buffer table has the layout in the arena at arenaStart.
  bool isPlaced = false;
  void *arenaStart = nullptr;
  std::vector<BufferRef> aligned; ///< copies of feeds; empty until needed
  FrameStrings strings;
  SlotTable slots;
  std::vector<BufferRef> kept; ///< feeds whose tensors became results
};

} // namespace kiln

#endif // KILN_LIB_SESSION_FRAME_H
