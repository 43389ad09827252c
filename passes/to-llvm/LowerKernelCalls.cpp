// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kernels, and of the runtime with the extents of tensors.
#include "passes/to-llvm/FunctionLowering.h"

#include "runtime/random/Random.h"

using namespace mlir;

namespace kiln::passes {

LogicalResult FunctionLowering::lowerRuntimeCall(ir::RuntimeCallOp op) {
  Location loc = op.getLoc();
  auto numIns = op.getIns().size(), numOuts = op.getOuts().size();
  Value tensors = stackBytes(op, sizeof(KilnTensor) * (numIns + numOuts));
  for (auto [i, buffer] : llvm::enumerate(op->getOperands()))
    storeTensor(op, i,
                byteOffset(loc, tensors, int64_t(sizeof(KilnTensor) * i)));
  ArrayRef<int64_t> fixed = op.getNumbers();
  Value numbers = stackBytes(op, 8 * fixed.size());
  for (auto [i, value] : llvm::enumerate(fixed))
    store(number(loc, i64, value), byteOffset(loc, numbers, 8 * int64_t(i)));

  ArrayRef<int64_t> binds = op.getBinds();
  Value bound = stackBytes(op, 8 * binds.size());
  auto boundAddress = [&](size_t j) {
    return byteOffset(loc, bound, 8 * int64_t(j));
  };
  for (size_t j = 0; j < binds.size(); ++j)
    store(number(loc, i64, 0), boundAddress(j));

  Value call = stackBytes(op, sizeof(KilnKernelCall));
  auto field = [&](size_t offset, Value value) {
    store(value, byteOffset(loc, call, static_cast<int64_t>(offset)));
  };
  auto count = [&](size_t value) {
    return number(loc, i32, static_cast<int64_t>(value));
  };
  field(offsetof(KilnKernelCall, state), state);
  field(offsetof(KilnKernelCall, ins), tensors);
  field(offsetof(KilnKernelCall, outs),
        byteOffset(loc, tensors, int64_t(sizeof(KilnTensor) * numIns)));
  field(offsetof(KilnKernelCall, numbers), numbers);
  field(offsetof(KilnKernelCall, bound), bound);
  field(offsetof(KilnKernelCall, allocator), null(loc));
  field(offsetof(KilnKernelCall, numIns), count(numIns));
  field(offsetof(KilnKernelCall, numOuts), count(numOuts));
  field(offsetof(KilnKernelCall, numNumbers), count(fixed.size()));
  field(offsetof(KilnKernelCall, node), number(loc, i32, facts.nodeIndex(loc)));

  int32_t kernel = facts.kernelIndex(op.getCalleeAttr(), loc);
  Value table = loadInvariant(
      loc, pointer, byteOffset(loc, args, offsetof(KilnRunArgs, kernels)));
  Value callee =
      loadInvariant(loc, pointer, byteOffset(loc, table, 8 * kernel));
  auto status = LLVM::CallOp::create(
      rewriter, loc, LLVM::LLVMFunctionType::get(i32, {pointer}),
      ValueRange{callee, call});
  // What a call has found out that failed is not looked at.
  for (auto [j, id] : llvm::enumerate(binds))
    store(load(loc, i64, boundAddress(j)),
          symbolAddress(loc, static_cast<uint64_t>(id)));
  for (size_t i = numIns; i < numIns + numOuts; ++i) {
    if (!op.isFoundOut(i))
      continue;
    auto buffer = op.getOuts()[i - numIns].getDefiningOp<ir::BufferOp>();
    Value place = buffer ? placeOf(buffer) : Value();
    if (!place)
      return op.emitOpError("expected late buffers for what the call finds "
                            "out");
    Value tensor = byteOffset(loc, tensors, int64_t(sizeof(KilnTensor) * i));
    store(load(loc, pointer, tensor), place);
  }
  leaveUnlessZero(status.getResult(), op);
  return success();
}

void FunctionLowering::storeTensor(ir::RuntimeCallOp op, size_t i,
                                   Value tensor) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getTensorType(i);
  Value dims = storeDims(op, ir::extentsOf(type), op);
  bool isString = llvm::is_contained(op.getStrings(), static_cast<int64_t>(i));
  DType dtype = isString ? DType::String : ir::dtypeOf(type);
  auto field = [&](size_t offset, Value value) {
    store(value, byteOffset(loc, tensor, static_cast<int64_t>(offset)));
  };
  field(offsetof(KilnTensor, data),
        op.isFoundOut(i) ? null(loc) : address(op->getOperand(unsigned(i))));
  field(offsetof(KilnTensor, dims), dims);
  field(offsetof(KilnTensor, dtype),
        number(loc, i32, static_cast<int64_t>(dtype)));
  field(offsetof(KilnTensor, rank), number(loc, i32, type.getRank()));
}

Value FunctionLowering::storeDims(Operation *op, ArrayRef<ir::Extent> extents,
                                  ir::RuntimeCallOp binder) {
  Location loc = op->getLoc();
  Value dims = stackBytes(op, 8 * extents.size());
  for (auto [d, extent] : llvm::enumerate(extents)) {
    int64_t bound = binder ? binder.boundPlace(extent) : -1;
    store(bound < 0 ? extentValue(loc, extent) : number(loc, i64, -1 - bound),
          byteOffset(loc, dims, 8 * int64_t(d)));
  }
  return dims;
}

LogicalResult FunctionLowering::lowerAllocate(ir::AllocateOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value place = placeOf(op);
  if (!place)
    return failure();
  Value node = number(loc, i32, facts.nodeIndex(loc));
  if (op.getKind() == ir::BufferKind::variable)
    return callOrStop(op, RuntimeSymbol::ResizeVariable,
                      {state, node,
                       number(loc, i64, static_cast<int64_t>(op.getIndex())),
                       place, storeDims(op, ir::extentsOf(type)),
                       number(loc, i64, type.getRank())});
  RuntimeSymbol take = op.getOptional() ? RuntimeSymbol::Provide
                       : op.getKept()   ? RuntimeSymbol::Keep
                                        : RuntimeSymbol::Allocate;
  return callOrStop(
      op, take,
      {state, node, place, storeDims(op, ir::extentsOf(type)),
       number(loc, i64, type.getRank()),
       number(loc, i64, ir::storageBytes(type.getElementType()))});
}

LogicalResult FunctionLowering::lowerReserveStream(ir::ReserveStreamOp op) {
  Location loc = op.getLoc();
  ir::Extents dims;
  for (auto [id, value] : llvm::zip_equal(op.getSymbols(), op.getValues()))
    dims.push_back({value, id});
  Value samples =
      LLVM::MulOp::create(rewriter, loc, product(loc, dims),
                          number(loc, i64, random::samplesTaken(1)));
  return callOrStop(op, RuntimeSymbol::ReserveRandom,
                    {state, number(loc, i32, int64_t(op.getStream())), samples,
                     address(op.getOut())});
}

} // namespace kiln::passes
