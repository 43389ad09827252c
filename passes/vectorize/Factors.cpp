// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the left factor of a product is: a matrix, or the windows of a tensor.
#include "passes/vectorize/Contraction.h"
#include "passes/vectorize/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

void Walk::simplify(KernelBuilder &k) {
  SmallVector<Stretch, 4> kept;
  for (const Stretch &loop : loops) {
    if (getConstantIntValue(loop.count) == 1)
      continue;
    // As far as the whole loop inside goes.
    if (!kept.empty() &&
        isEqualConstantIntOrValue(kept.back().stride,
                                  k.mul(loop.count, loop.stride)))
      kept.back() = {k.mul(kept.back().count, loop.count), loop.stride};
    else
      kept.push_back(loop);
  }
  if (kept.empty())
    kept.push_back({k.index(1), k.index(1)});
  loops = kept;
}

static Contraction contractionOf(Value lhs, Value rhs, Value result,
                                 FusionOp fusion, const KernelBuffers &buffers,
                                 KernelBuilder &k) {
  Contraction product;
  product.element =
      storageType(cast<RankedTensorType>(result.getType()).getElementType());
  product.lhs = buffers.in(lhs);
  product.rhs = buffers.in(rhs);
  product.result = buffers.out();
  product.columns = k.extent(extentsOf(result).back());
  product.resultBegin = k.index(0);
  product.resultWidth = product.columns;
  if (auto part = fusion->getAttrOfType<DenseI64ArrayAttr>(partName)) {
    product.resultBegin = k.index(part[0]);
    product.resultWidth = k.index(part[1]);
  }
  if (auto panels = fusion->getAttrOfType<IntegerAttr>(panelsName)) {
    product.panels = fusion.getIns().back();
    product.panelColumns = panels.getInt();
  }
  return product;
}

void emitMatmul(MatmulOp op, FusionOp fusion, const KernelBuffers &buffers,
                KernelBuilder &k) {
  Contraction product = contractionOf(op.getLhs(), op.getRhs(), op.getResult(),
                                      fusion, buffers, k);
  const Epilogue epilogue(fusion, op);
  product.epilogue = &epilogue;
  Extents result = extentsOf(op.getResult()), left = extentsOf(op.getLhs());
  product.lhsBegin = k.index(0);
  product.batch.assign(result.begin(), result.end() - 2);
  bool isTransposed = op.getTransposeLhs();
  Value rows = k.extent(result[result.size() - 2]),
        depth = k.extent(left[left.size() - (isTransposed ? 2 : 1)]),
        one = k.index(1);
  product.rows.loops = {{rows, isTransposed ? one : depth}};
  product.depth.loops = {{depth, isTransposed ? rows : one}};
  product.transposeRhs = op.getTransposeRhs();
  emitContraction(std::move(product), k);
}

// Row (b, o...) of the windows' matrix begins at b * (elements of an image) + o
// * stride * (elements of a row of the image) ..., and element (k..., c) of a
// window lies dilation rows apart from the next.
void emitConvolve(ConvolveOp op, FusionOp fusion, const KernelBuffers &buffers,
                  KernelBuilder &k) {
  Contraction product = contractionOf(op.getLhs(), op.getRhs(), op.getResult(),
                                      fusion, buffers, k);
  const Epilogue epilogue(fusion, op);
  product.epilogue = &epilogue;
  Extents whole = extentsOf(op.getLhs()), places = extentsOf(op.getPlaces()),
          filter = extentsOf(op.getFilter());
  Walk rows, depth;
  product.lhsBegin = k.index(0);
  rows.loops.push_back(
      {k.extent(whole.front()), k.product(ArrayRef(whole).drop_front())});
  for (auto [dim, stride, dilation] :
       llvm::enumerate(op.getStrides(), op.getDilations())) {
    Value step = k.product(ArrayRef(whole).drop_front(dim + 2));
    rows.loops.push_back(
        {k.extent(places[dim + 1]), k.mul(step, k.index(stride))});
    Value elements = k.extent(filter[dim]);
    Value apart = k.mul(step, k.index(dilation));
    depth.loops.push_back({elements, apart});
    if (dilation < 0) // from its last element on
      product.lhsBegin =
          k.sub(product.lhsBegin,
                k.mul(k.sub(k.max(elements, k.index(1)), k.index(1)), apart));
  }
  depth.loops.push_back({k.extent(whole.back()), k.index(1)});
  rows.simplify(k);
  depth.simplify(k);
  if (op.getTransposed())
    std::swap(rows, depth);
  product.rows = std::move(rows);
  product.depth = std::move(depth);
  emitContraction(std::move(product), k);
}

} // namespace kiln::passes
