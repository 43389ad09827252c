// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the loops of one fusion by its schedule: what the two forms of loops
// (Tiles.cpp, Rows.cpp) share.
#ifndef KILN_PASSES_VECTORIZE_NESTEMITTER_H
#define KILN_PASSES_VECTORIZE_NESTEMITTER_H

#include "passes/schedule/Schedule.h"
#include "passes/vectorize/Streaming.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

struct Combination;

/// A value at one point of the loops: a scalar, or registers of 16 lanes along
/// the inner axis.
struct Emitted {
  llvm::SmallVector<mlir::Value, 4> registers;
  bool isVector = false;
  explicit operator bool() const { return !registers.empty(); }
};

/// A stretch of the inner axis that is computed at once: `base` is the index of
/// its first element. `masks` are empty where all lanes are real.
struct Columns {
  mlir::Value base;
  int64_t registers = 1;
  llvm::SmallVector<mlir::Value, 4> masks;
};

/// Emits ops of a bufferized fusion at points of its loops. Values are
/// remembered by scope: what is emitted inside a loop is forgotten when its
/// scope ends.
class NestEmitter {
public:
  /// `streaming`: null where stores go into the caches. Borrows all.
  NestEmitter(ir::FusionOp fusion, const LoopNest &nest,
              const Schedule &schedule, mlir::OpBuilder &builder,
              const Streaming *streaming);

  /// Emits everything before the builder's insertion point.
  void emit();

private:
  // NestEmitter.cpp: values
  mlir::Value index(int64_t value);
  mlir::Value extentValue(const ir::Extent &extent);
  mlir::Value axisExtent(int axis);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, mlir::Value b);
  bool isVectorized(mlir::Value value) const {
    return nest.has(nest.values.lookup(value), nest.inner);
  }
  const Emitted &valueOf(mlir::Operation *op);
  mlir::OpOperand *
  firstUseLike(mlir::OpOperand &use,
               llvm::SmallVectorImpl<mlir::OpOperand *> &known);
  Emitted operandOf(mlir::OpOperand &use);
  Emitted computeOp(mlir::Operation *op);
  Emitted computeElements(mlir::Operation *op);
  Emitted splat(Emitted value, int64_t registers);
  bool isInside(mlir::Value value) const {
    return value.getDefiningOp() != nullptr;
  }

  // Access.cpp: memory
  struct Address {
    mlir::Value offset; ///< of the first element, in elements
    mlir::Value
        innerStride; ///< null where the value is the same along the inner axis
    int64_t knownStride = 0; ///< of the inner axis, where it is a constant
    bool isStrideKnown = false;
    /// Whether the elements lie inside of the tensor; null where all do.
    mlir::Value inside;
    /// Where the inner axis may leave it: the index of the first lane along the
    /// dimension, its step, the dimension's extent.
    struct {
      mlir::Value first, step, extent;
    } lanesInside;
  };
  Address addressOf(mlir::Value tensor, const AxisList &list,
                    mlir::OpOperand *use = nullptr);
  Emitted loadLeaf(mlir::OpOperand &use);
  Emitted computeWindow(ir::WindowOp op);
  void limit(Address &address, const ir::DimAccess &how,
             const ir::Extent &extent, int axis);
  /// As loadAt(), of what has elements if `extent` is not 0; else zeros.
  Emitted loadUnlessEmpty(ir::Extent extent, mlir::Value buffer,
                          mlir::Type element, const Address &address);
  Emitted loadAt(mlir::Value buffer, mlir::Type element,
                 const Address &address);
  void store(unsigned result);
  mlir::Value lanesFrom(mlir::Value start, mlir::Value stride,
                        mlir::Type element);

  // Generators.cpp: what makes elements from their position
  Emitted computeConstant(ir::ConstantOp op);
  Emitted computeDims(ir::DimsOp op);
  Emitted computeIota(ir::IotaOp op);
  Emitted computeRandom(mlir::Operation *op, mlir::OpOperand &state);
  Emitted computeGather(ir::GatherOp op);
  struct Gather;
  /// Reports an error where `bad` says so; `find` gives the position of the bad
  /// index among the indices, and the index.
  void reportBadIndex(
      const Gather &gather, mlir::Value bad,
      llvm::function_ref<std::pair<mlir::Value, mlir::Value>(mlir::OpBuilder &)>
          find);
  Emitted gatherAtOneIndex(Gather gather, mlir::Value index);
  /// Register number `part` of the result.
  mlir::Value gatherLanes(const Gather &gather, mlir::Value indices,
                          int64_t part);
  Emitted perRegister(bool isVector,
                      llvm::function_ref<mlir::Value(int64_t)> make);

  // Rows.cpp, Tiles.cpp: the forms of loops
  /// What one stage of a row reduces and stores.
  struct RowStage {
    llvm::SmallVector<ir::ReduceOp> reductions;
    llvm::SmallVector<unsigned> stores; ///< by the number of the yielded value
    Schedule::Stage widths;
    mlir::Value end;              ///< of the inner axis
    std::optional<int64_t> known; ///< the same where it is a constant
    /// Whether the inner axis is a multiple of a vector. Chunks and blocks are:
    /// without a rest at the end there is none.
    bool isWhole() const { return known && *known % lanes == 0; }
  };
  void emitRows();
  void emitRow();
  void emitStage(int stage);
  void emitStores(const RowStage &stage);
  void emitStretch(const RowStage &stage, mlir::Value low, mlir::Value high,
                   std::optional<int64_t> most);
  void emitReductions(const RowStage &stage);
  llvm::SmallVector<mlir::Value> emitRowStep(const RowStage &stage, Columns at,
                                             mlir::ValueRange accumulators);
  /// Steps of `registers` vectors from low to high, at most `most` elements
  /// where that is given; `end`, where given, masks the last step. Gives the
  /// accumulators.
  llvm::SmallVector<mlir::Value>
  emitRowSteps(const RowStage &stage, mlir::Value low, mlir::Value high,
               int64_t registers, mlir::ValueRange initial, mlir::Value end,
               std::optional<int64_t> most);
  mlir::Value floorTo(mlir::Value value, int64_t unit);
  /// The values of `body` where low is less than high.
  llvm::SmallVector<mlir::Value>
  perhaps(mlir::Value low, mlir::Value high, mlir::ValueRange otherwise,
          llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);
  void emitTiles();
  void emitTile(Columns columns);
  void openParallelLoops(llvm::function_ref<void()> body);
  llvm::SmallVector<mlir::Value>
  emitReducedLoop(llvm::ArrayRef<ir::ReduceOp> reductions,
                  llvm::function_ref<bool(mlir::Operation *)> isMain);
  /// Emits a block of rows by its number; gives what it adds up.
  using EmitBlock =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value)>;
  llvm::SmallVector<mlir::Value> emitBlocks(llvm::ArrayRef<Combination> kinds,
                                            mlir::TypeRange types,
                                            mlir::Value count, EmitBlock block);
  llvm::SmallVector<mlir::Value> emitChunks(llvm::ArrayRef<Combination> kinds,
                                            mlir::TypeRange types,
                                            mlir::Value blocks,
                                            EmitBlock block);
  Emitted reduceRegisters(ir::ReduceOp op);
  mlir::Value accumulate(ir::ReduceOp op, mlir::Value accumulator,
                         mlir::Value value, mlir::Value mask);
  mlir::Type accumulatorType(ir::ReduceOp op, bool isVector) const;
  Emitted fromAccumulators(ir::ReduceOp op, mlir::ValueRange values);
  Columns columnsAt(mlir::Value base, int64_t registers, mlir::Value end);

  /// Forgets, when it ends, what was emitted during its life.
  struct Scope {
    explicit Scope(NestEmitter &emitter)
        : emitter(emitter), mark(emitter.emitted.size()) {}
    ~Scope();
    NestEmitter &emitter;
    size_t mark;
  };
  void remember(mlir::Operation *op, Emitted value);

  ir::FusionOp fusion;
  const LoopNest &nest;
  const Schedule &schedule;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Streaming *streaming; ///< null where stores go into the caches
  llvm::SmallVector<mlir::Operation *> ops;
  ir::YieldOp yield;

  llvm::SmallVector<mlir::Value, 4>
      position;    ///< of each axis but the inner one; null outside of its loop
  Columns columns; ///< along the inner axis
  llvm::DenseMap<mlir::Operation *, Emitted> values;
  llvm::DenseMap<mlir::OpOperand *, mlir::OpOperand *> firstUses;
  llvm::DenseMap<mlir::OpOperand *, Emitted> leaves; ///< by first use
  llvm::SmallVector<llvm::PointerUnion<mlir::Operation *, mlir::OpOperand *>>
      emitted; ///< in order, for scopes
};

/// Emits the fusion's loops before the builder's insertion point.
void emit(ir::FusionOp fusion, const LoopNest &nest, const Schedule &schedule,
          mlir::OpBuilder &builder);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_NESTEMITTER_H
