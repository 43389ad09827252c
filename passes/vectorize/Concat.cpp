// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of concat: a copy for each part; where there are many, calls of
// one function, since every copy is loops, a task and a decision about threads.
// Nothing is copied of products that lie in the result
// (bufferize/ConcatParts.cpp).
#include "passes/schedule/KernelFusions.h"
#include "passes/vectorize/KernelBuilder.h"
#include "passes/vectorize/Kernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// The lines of a result that is written part by part: one for each index of
/// the dimensions before the axis.
class Lines {
public:
  Lines(ConcatOp op, KernelBuilder &k) : k(k), dims(extentsOf(op.getResult())) {
    axis = op.getAxis();
    for (const Extent &extent : ArrayRef(dims).take_front(axis))
      if (!extent.isKnown(1))
        lead.push_back(extent);
  }

  /// Elements of a line that \p operand has.
  Value runOf(Value operand) {
    return k.mul(k.extent(extentsOf(operand)[axis]), inner());
  }

  bool isScalar(Value run) const {
    return lead.empty() && getConstantIntValue(run) == 1;
  }

  /// Copies \p run elements a line behind the first \p offset of each. One
  /// line is shared among threads in stretches, several are one by one.
  void copy(Value to, Value from, Value run, Value offset) {
    if (lead.empty())
      return k.copyShared(to, offset, from, k.index(0), run);
    Value row = k.mul(k.extent(dims[axis]), inner());
    k.forNest(lead, [&](ArrayRef<Value> indices) {
      Value line = k.index(0);
      for (auto [index, extent] : llvm::zip_equal(indices, lead))
        line = k.add(k.mul(line, k.extent(extent)), index);
      k.copyRun(to, k.add(k.mul(line, row), offset), from, k.mul(line, run),
                run);
    });
  }

private:
  Value inner() { return k.product(ArrayRef(dims).drop_front(axis + 1)); }

  KernelBuilder &k;
  Extents dims;
  size_t axis;
  SmallVector<Extent, 4> lead;
};

MemRefType anyLength(Value buffer) {
  return MemRefType::get({ShapedType::kDynamic},
                         cast<MemRefType>(buffer.getType()).getElementType());
}

/// copy(from, run, offset) into the buffer \p to, which the function finds in
/// the run's table by itself: analyses of what is written see it.
func::FuncOp makeCopyFunction(BufferOp to, Lines &lines, KernelBuilder &k) {
  OpBuilder::InsertionGuard guard(k.builder);
  auto module =
      k.builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name;
  int number = 0;
  do
    name = "concat$" + std::to_string(number++);
  while (module.lookupSymbol(name));
  k.builder.setInsertionPointToEnd(module.getBody());
  Type index = k.builder.getIndexType();
  auto function = func::FuncOp::create(
      k.builder, k.loc, name,
      k.builder.getFunctionType({anyLength(to), index, index}, {}));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  k.builder.setInsertionPointToStart(body);
  Value own = k.builder.clone(*to)->getResult(0);
  lines.copy(own, body->getArgument(0), body->getArgument(1),
             body->getArgument(2));
  func::ReturnOp::create(k.builder, k.loc);
  return function;
}

} // namespace

void emitConcat(ConcatOp op, FusionOp fusion, const KernelBuffers &buffers,
                KernelBuilder &k) {
  SmallVector<int64_t> written;
  if (auto known = fusion->getAttrOfType<DenseI64ArrayAttr>(writtenName))
    llvm::append_range(written, known.asArrayRef());
  Lines lines(op, k);
  Value to = buffers.out(), offset = k.index(0);
  auto table = to.getDefiningOp<BufferOp>();
  func::FuncOp function;
  if (table && op->getNumOperands() > maxInlineParts)
    function = makeCopyFunction(table, lines, k);
  for (Value operand : op.getOperands()) {
    Value run = lines.runOf(operand), from = buffers.in(operand);
    if (llvm::is_contained(written,
                           cast<BlockArgument>(operand).getArgNumber())) {
      // Its product lies there.
    } else if (!function || lines.isScalar(run)) {
      lines.copy(to, from, run, offset);
    } else {
      if (from.getType() != anyLength(from))
        from = memref::CastOp::create(k.builder, k.loc, anyLength(from), from);
      func::CallOp::create(k.builder, k.loc, function,
                           ValueRange{from, run, offset});
    }
    offset = k.add(offset, run);
  }
}

} // namespace kiln::passes
