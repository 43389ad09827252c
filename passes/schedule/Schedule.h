// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a processor with vector registers runs a loop nest: chosen from what is
// legal (passes/analysis/LoopNest.h), emitted by passes/vectorize.
#ifndef KILN_PASSES_SCHEDULE_SCHEDULE_H
#define KILN_PASSES_SCHEDULE_SCHEDULE_H

#include "dialect/Cost.h"
#include "passes/analysis/LoopNest.h"
#include "passes/schedule/StreamingChoice.h"

namespace kiln::passes {

/// The elements of a vector.
using reduction::lanes;
/// The widest inner axis that is held in registers, in elements.
inline constexpr int64_t maxRegisterColumns = 64;
/// Elements of one chunk of a loop without parallel axes: enough work to hand
/// to a thread.
inline constexpr int64_t chunkElements = 16384;
/// Blocks of reduced rows that are worth a chunk, and the chunks of them that
/// threads share at most.
inline constexpr int64_t leastBlocksOfChunk = 4, mostChunksOfBlocks = 64;

/// What a processor computes in. A vector of 16 lanes takes one register or
/// several.
struct VectorRegisters {
  int64_t bytes = 64;
  int64_t count = 32;
};

/// What schedules are chosen for.
struct VectorTarget {
  VectorRegisters registers;
  /// Vectors that one step of an elementwise loop takes at most.
  int64_t unroll = 4;
  /// Bytes of results from which on stores pass the caches by.
  int64_t minStreamedBytes = ir::assumedLastCacheBytes;
};

/// How the inner axis is walked.
enum class LoopForm {
  Rows, ///< parallel loops around stages of vector loops over the inner axis;
        ///< inner reductions only
  Tiles ///< tiles of the inner axis held in registers, reduced rows looped
        ///< inside; a narrow inner axis is one tile, which alone may mix inner
        ///< and outer reductions
};

/// Which loops stand around which. It is the same on all processors, so that
/// fusions are.
struct LoopOrder {
  LoopForm form = LoopForm::Rows;
  /// Registers of 16 lanes that hold a static inner axis whole, 1 where there
  /// is no inner axis, or 0 where it is too wide or dynamic.
  int64_t innerRegisters = 0;
  /// The axes around each store. Every value that is stored has all of them.
  llvm::SmallVector<int, 4> storeAxes;
};

/// The order of a nest's loops, or failure with the reason in \p why.
mlir::FailureOr<LoopOrder> orderLoops(const LoopNest &nest,
                                      std::string *why = nullptr);

/// A nest that can be emitted.
struct OrderedNest {
  LoopNest nest;
  LoopOrder order;
};

/// Both at once, for \p ops in program order; failure where there is no nest,
/// or no order of its loops.
mlir::FailureOr<OrderedNest> orderedNest(llvm::ArrayRef<mlir::Operation *> ops,
                                         std::string *why = nullptr);

/// How the loops of a nest run.
struct Schedule {
  /// What an op belongs to in LoopForm::Rows: one loop over the inner axis.
  struct Stage {
    /// Vectors that a step takes, where the stage reduces nothing.
    int64_t vectors = 1;
    /// Whether there is one body, whose loads and stores are always masked.
    bool isAlwaysMasked = false;
  };

  LoopOrder order;
  /// Whether threads share the iterations of the first two parallel axes.
  bool sharesTwoAxes = false;
  /// LoopForm::Rows: the stages in order, and those of the ops: how many inner
  /// reductions come before each.
  llvm::SmallVector<Stage, 2> stages;
  llvm::DenseMap<mlir::Operation *, int> stageOf;
  /// LoopForm::Rows: whether threads share chunks of the inner axis.
  bool sharesColumns = false;
  /// LoopForm::Tiles: registers of a tile.
  int64_t tileRegisters = 1;
  /// LoopForm::Tiles: whether threads share blocks of the reduced axis.
  bool sharesBlocks = false;
  /// Whether results are stored past the caches.
  StreamingChoice streaming;

  /// Whether the inner axis is one tile.
  bool isOneTile() const { return order.innerRegisters != 0; }
};

/// The schedule of a bufferized fusion whose ops have this nest, or failure
/// with the reason in \p why.
mlir::FailureOr<Schedule> chooseSchedule(ir::FusionOp fusion,
                                         const LoopNest &nest,
                                         const VectorTarget &target,
                                         std::string *why = nullptr);

} // namespace kiln::passes

#endif // KILN_PASSES_SCHEDULE_SCHEDULE_H
