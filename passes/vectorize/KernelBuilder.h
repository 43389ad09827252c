// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the special kernels share: index arithmetic, loops over vectors and
// moves between flat buffers.
#ifndef KILN_PASSES_VECTORIZE_KERNELBUILDER_H
#define KILN_PASSES_VECTORIZE_KERNELBUILDER_H

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "passes/schedule/Schedule.h"
#include "passes/vectorize/Streaming.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace kiln::passes {

/// What a line is fetched for: into the first cache, or one behind it.
enum class Fetch { ToRead, ToReadLater, ToWrite };

/// Emits at the insertion point of a builder, with the location of one op.
/// Indices are folded where they are known.
class KernelBuilder {
public:
  /// `streaming`: null where stores go into the caches. Borrowed.
  KernelBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                VectorRegisters registers, const Streaming *streaming = nullptr)
      : builder(builder), loc(loc), registers(registers), streaming(streaming) {
  }

  mlir::Value index(int64_t value);
  mlir::Value extent(const ir::Extent &extent);
  mlir::Value product(llvm::ArrayRef<ir::Extent> extents);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);

  /// for i in [low, high) by step: body(i); marked kiln.parallel where asked.
  /// `most`, here and below: the largest that high - low can be, where the
  /// caller knows more than they show.
  void forEach(mlir::Value low, mlir::Value high, int64_t step,
               llvm::function_ref<void(mlir::Value)> body,
               bool parallel = false, std::optional<int64_t> most = {});
  /// The same with values that are carried from one iteration to the next.
  mlir::ValueRange forCarried(mlir::Value low, mlir::Value high, int64_t step,
                              mlir::ValueRange initial,
                              llvm::function_ref<llvm::SmallVector<mlir::Value>(
                                  mlir::Value, mlir::ValueRange)>
                                  body);
  /// Covers [low, high) with vectors of 16 lanes: body(base, no mask) for whole
  /// ones, body(base, mask) for the rest.
  void forVectors(mlir::Value low, mlir::Value high,
                  llvm::function_ref<void(mlir::Value, mlir::Value)> body,
                  std::optional<int64_t> most = {});
  /// Nested loops over the extents, the outermost parallel; body gets the
  /// indices.
  void forNest(llvm::ArrayRef<ir::Extent> extents,
               llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

  /// The first \p count lanes; null where that is known to be all of them.
  mlir::Value maskOf(mlir::Value count);
  mlir::Value splat(mlir::Value scalar);
  mlir::Value loadScalar(mlir::Value buffer, mlir::Value offset);
  void storeScalar(mlir::Value value, mlir::Value buffer, mlir::Value offset);
  /// Asks for the line of an element, which need not be there.
  void fetch(mlir::Value buffer, mlir::Value offset, Fetch how);
  /// Loads 16 lanes; a null mask is a full one, masked lanes are those of \p
  /// rest, or zero.
  mlir::Value load(mlir::Value buffer, mlir::Value offset, mlir::Value mask,
                   mlir::Value rest = {});
  void store(mlir::Value vector, mlir::Value buffer, mlir::Value offset,
             mlir::Value mask);

  /// Makes rows of 16 elements, 16 of them, columns.
  void transposeSquare(llvm::MutableArrayRef<mlir::Value> square);

  /// Copies \p count elements that lie one after the other.
  void copyRun(mlir::Value to, mlir::Value toOffset, mlir::Value from,
               mlir::Value fromOffset, mlir::Value count,
               std::optional<int64_t> most = {});
  /// Does \p body for chunks [low, high) of [0, count) that threads may share,
  /// of at most chunkElements; once where the count is known and small.
  void forChunks(mlir::Value count,
                 llvm::function_ref<void(mlir::Value, mlir::Value)> body);
  /// As copyRun(), in chunks that threads may share.
  void copyShared(mlir::Value to, mlir::Value toOffset, mlir::Value from,
                  mlir::Value fromOffset, mlir::Value count);

  mlir::OpBuilder &builder;
  const mlir::Location loc;
  const VectorRegisters registers;
  const Streaming *const streaming;
};

/// The buffers of a fusion of one op: what its operand is read from, and one of
/// those its result goes to.
struct KernelBuffers {
  explicit KernelBuffers(ir::FusionOp fusion)
      : ins(fusion.getIns()), outs(fusion.getOuts()) {}
  mlir::Value in(mlir::Value operand) const {
    return ins[llvm::cast<mlir::BlockArgument>(operand).getArgNumber()];
  }
  mlir::Value out() const { return outs[target]; }
  /// Makes the result go to the buffer that \p operand is read from, where it
  /// is among those that it goes to. False where it is not.
  bool writeOver(mlir::Value operand);

  mlir::ValueRange ins, outs;
  size_t target = 0;
};

// Factors.cpp
void emitMatmul(ir::MatmulOp op, ir::FusionOp fusion,
                const KernelBuffers &buffers, KernelBuilder &kernel);
void emitConvolve(ir::ConvolveOp op, ir::FusionOp fusion,
                  const KernelBuffers &buffers, KernelBuilder &kernel);
// ArgReduce.cpp
void emitArgReduce(ir::ArgReduceOp op, const KernelBuffers &buffers,
                   KernelBuilder &kernel);
// Scatter.cpp
void emitScatter(ir::ScatterOp op, KernelBuffers &buffers,
                 KernelBuilder &kernel);
// Concat.cpp
void emitConcat(ir::ConcatOp op, ir::FusionOp fusion,
                const KernelBuffers &buffers, KernelBuilder &kernel);
// Transpose.cpp
void emitTranspose(ir::TransposeOp op, const KernelBuffers &buffers,
                   KernelBuilder &kernel);
// Moves.cpp
void emitPad(ir::PadOp op, const KernelBuffers &buffers, KernelBuilder &kernel);
void emitComputedSlice(ir::SliceOp op, const KernelBuffers &buffers,
                       KernelBuilder &kernel);
void emitSmallConstant(ir::ConstantOp op, const KernelBuffers &buffers,
                       KernelBuilder &kernel);
void emitDims(ir::DimsOp op, const KernelBuffers &buffers,
              KernelBuilder &kernel);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_KERNELBUILDER_H
