// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the kiln ops of one function become loads from KilnRunArgs and calls
// through its tables.
#ifndef KILN_PASSES_TO_LLVM_FUNCTIONLOWERING_H
#define KILN_PASSES_TO_LLVM_FUNCTIONLOWERING_H

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "passes/LayoutAttributes.h"
#include "passes/analysis/RunSymbols.h"
#include "runtime/abi/Abi.h"
#include "runtime/abi/Symbols.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace kiln::passes {

/// What the functions of a module share: where each kind of buffer begins in
/// the table, and the nodes and kernels named so far.
struct ModuleFacts {
  llvm::SmallVector<int64_t, 6> counts,
      bases; // by ir::BufferKind; the count of temporaries is not checked
  llvm::MapVector<mlir::StringAttr, int32_t> nodes, kernels;
  llvm::SmallVector<int32_t> kernelNodes; ///< the first that calls each kernel
  RunSymbols runSymbols;

  llvm::LogicalResult initialize(mlir::ModuleOp module);
  /// The number of the node that the location names; -1 where it names none.
  int32_t nodeIndex(mlir::Location location);
  int32_t kernelIndex(mlir::StringAttr name, mlir::Location location) {
    auto [entry, isNew] =
        kernels.insert({name, static_cast<int32_t>(kernels.size())});
    if (isNew)
      kernelNodes.push_back(nodeIndex(location));
    return entry->second;
  }
};

/// Rewrites the kiln ops of one function.
class FunctionLowering {
public:
  FunctionLowering(mlir::func::FuncOp function, ModuleFacts &facts,
                   const mlir::LLVMTypeConverter &converter)
      : function(function), facts(facts), converter(converter),
        rewriter(function.getContext()),
        pointer(mlir::LLVM::LLVMPointerType::get(function.getContext())),
        i32(rewriter.getI32Type()), i64(rewriter.getI64Type()) {}

  llvm::LogicalResult run();

private:
  /// Gives a kernel without a body the type that it has with one.
  void declare();
  /// Makes plain arrays among the arguments pointers: a call takes one register
  /// for each, not five.
  void takePointers();
  void addArgs();

  llvm::LogicalResult lower(mlir::Operation *op);

  /// Where a buffer's address stands; null, with an error, where it has no
  /// place.
  template <class Op> mlir::Value placeOf(Op op) {
    auto kind = static_cast<size_t>(op.getKind());
    auto index = static_cast<int64_t>(op.getIndex());
    if (index >= 0 && index < facts.counts[kind])
      return byteOffset(op.getLoc(), buffers, 8 * (facts.bases[kind] + index));
    op.emitOpError("expected an index below ")
        << facts.counts[kind] << ", got " << index;
    return mlir::Value();
  }

  llvm::LogicalResult lowerBuffer(ir::BufferOp op);
  /// The plain array that begins at `data`.
  mlir::Value arrayAt(mlir::Value data, mlir::MemRefType type);

  llvm::LogicalResult callIntrinsic(mlir::Operation *op, llvm::StringRef name);

  llvm::LogicalResult lowerReport(ir::ReportErrorOp op);

  /// cancel and errorCode in one load; atomic, so that no loop keeps an old
  /// value.
  mlir::Value mustStop(mlir::Location loc);

  llvm::LogicalResult lowerPoll(mlir::Operation *op);

  /// The extents of a tensor on the stack; those that a call binds are -1 - j.
  mlir::Value storeDims(mlir::Operation *op, llvm::ArrayRef<ir::Extent> extents,
                        ir::RuntimeCallOp binder = {});

  llvm::LogicalResult lowerAllocate(ir::AllocateOp op);

  /// The call as runtime/abi/Abi.h has it, on the stack: its tensors with their
  /// extents, its numbers, what it binds.
  llvm::LogicalResult lowerRuntimeCall(ir::RuntimeCallOp op);

  /// Writes the KilnTensor of value i of a call.
  void storeTensor(ir::RuntimeCallOp op, size_t i, mlir::Value tensor);

  llvm::LogicalResult lowerTrySlot(ir::TrySlotOp op);
  /// The run's KilnSlot of that number.
  mlir::Value slotAt(mlir::Location loc, uint64_t number);

  llvm::LogicalResult lowerReserveStream(ir::ReserveStreamOp op);

  /// parallel_for @task(n, grain) captures(c...) stores the run's args and c in
  /// a struct on the stack and passes a trampoline that reads them back and
  /// calls the task.
  llvm::LogicalResult lowerParallelFor(ir::ParallelForOp op);

  /// A call of the runtime; null for a function without result.
  mlir::Value call(mlir::Location loc, RuntimeSymbol symbol,
                   llvm::ArrayRef<mlir::Value> operands);

  /// Replaces the op by a call that ends the function when it says so.
  llvm::LogicalResult callOrStop(mlir::Operation *op, RuntimeSymbol symbol,
                                 llvm::ArrayRef<mlir::Value> operands) {
    mlir::Location loc = op->getLoc();
    leaveUnlessZero(call(loc, symbol, operands), op);
    return llvm::success();
  }

  /// Replaces the op by the end of the function where `status` says so.
  void leaveUnlessZero(mlir::Value status, mlir::Operation *op) {
    mlir::Location loc = op->getLoc();
    leaveIf(mlir::LLVM::ICmpOp::create(rewriter, loc,
                                       mlir::LLVM::ICmpPredicate::ne, status,
                                       number(loc, i32, 0)),
            op);
  }

  /// Replaces the op by the end of the function where `stop` says so, which is
  /// seldom.
  void leaveIf(mlir::Value stop, mlir::Operation *op);

  mlir::Block *exitBlock();

  mlir::Value cast(mlir::Value value, mlir::Type type) {
    if (value.getType() == type)
      return value;
    return mlir::UnrealizedConversionCastOp::create(rewriter, value.getLoc(),
                                                    type, value)
        .getResult(0);
  }
  mlir::Value number(mlir::Location loc, mlir::Type type, int64_t value) {
    return mlir::LLVM::ConstantOp::create(rewriter, loc, type,
                                          rewriter.getIntegerAttr(type, value));
  }
  mlir::Value byteOffset(mlir::Location loc, mlir::Value base, int64_t bytes) {
    if (bytes == 0)
      return base;
    return mlir::LLVM::GEPOp::create(
        rewriter, loc, pointer, rewriter.getI8Type(), base,
        llvm::ArrayRef<mlir::LLVM::GEPArg>{static_cast<int32_t>(bytes)},
        mlir::LLVM::GEPNoWrapFlags::inbounds);
  }
  mlir::Value load(mlir::Location loc, mlir::Type type, mlir::Value address,
                   bool isInvariant = false) {
    return mlir::LLVM::LoadOp::create(rewriter, loc, type, address, 8,
                                      /*isVolatile=*/false,
                                      /*isNonTemporal=*/false, isInvariant);
  }
  /// The tables do not change while the run lasts, late places apart.
  mlir::Value loadInvariant(mlir::Location loc, mlir::Type type,
                            mlir::Value address) {
    return load(loc, type, address, /*isInvariant=*/true);
  }
  mlir::Value symbolAddress(mlir::Location loc, uint64_t id) {
    return byteOffset(loc, symbols, 8 * static_cast<int64_t>(id));
  }
  mlir::Value symbolValue(mlir::Location loc, int64_t id) {
    return load(loc, i64, symbolAddress(loc, static_cast<uint64_t>(id)),
                /*isInvariant=*/!facts.runSymbols.contains(id));
  }
  mlir::Value null(mlir::Location loc) {
    return mlir::LLVM::ZeroOp::create(rewriter, loc, pointer);
  }
  mlir::Value extentValue(mlir::Location loc, const ir::Extent &extent) {
    return extent.isKnown() ? number(loc, i64, extent.value)
                            : symbolValue(loc, extent.symbol);
  }
  mlir::Value product(mlir::Location loc, llvm::ArrayRef<ir::Extent> extents) {
    mlir::Value result;
    for (const ir::Extent &extent : extents) {
      mlir::Value factor = extentValue(loc, extent);
      result = result ? mlir::LLVM::MulOp::create(rewriter, loc, result, factor)
                            .getResult()
                      : factor;
    }
    return result ? result : number(loc, i64, 1);
  }
  /// Memory of the function's frame, for an op's call.
  mlir::Value stackBytes(mlir::Operation *op, size_t bytes) {
    mlir::OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&function.front());
    auto words = static_cast<int64_t>(std::max<size_t>(bytes / 8, 1));
    return mlir::LLVM::AllocaOp::create(rewriter, op->getLoc(), pointer, i64,
                                        number(op->getLoc(), i64, words));
  }
  void store(mlir::Value value, mlir::Value address) {
    mlir::LLVM::StoreOp::create(rewriter, value.getLoc(), value, address);
  }
  mlir::Value address(mlir::Value buffer) {
    mlir::Value descriptor =
        cast(buffer, converter.convertType(buffer.getType()));
    return mlir::MemRefDescriptor(descriptor)
        .alignedPtr(rewriter, buffer.getLoc());
  }

  mlir::func::FuncOp function;
  ModuleFacts &facts;
  const mlir::LLVMTypeConverter &converter;
  mlir::IRRewriter rewriter;
  mlir::Type pointer, i32, i64;
  mlir::Value args, buffers, symbols, state, runtime;
  mlir::Block *exit = nullptr;
  llvm::DenseMap<uint64_t, mlir::Value> slots; ///< by their numbers
};

} // namespace kiln::passes

#endif // KILN_PASSES_TO_LLVM_FUNCTIONLOWERING_H
