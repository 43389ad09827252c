// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the left factor of a product is: a matrix, or the windows of a tensor.
#include "passes/vectorize/Contraction.h"
#include "passes/vectorize/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

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

/// What the op leaves out along the first dimension, and perhaps the last,
/// where rows are places.
static SmallVector<Padding, 2> paddingsOf(ConvolveOp op, KernelBuilder &k) {
  Extents whole = extentsOf(op.getLhs()), filter = extentsOf(op.getFilter());
  SmallVector<Padding, 2> paddings;
  ArrayRef<int64_t> padded = op.getPadded().value_or(ArrayRef<int64_t>());
  for (size_t i = 0; i < padded.size(); i += 2) {
    size_t dim = i == 0 ? 0 : op.getStrides().size() - 1;
    int64_t tap = op.getDilations()[dim];
    Value taps = k.max(k.extent(filter[dim]), k.index(1)),
          high = k.index(padded[i + 1]);
    paddings.push_back(
        {.begin = k.index(padded[i]),
         .end = k.sub(k.max(k.extent(whole[dim + 1]), high), high),
         .first = k.mul(k.sub(taps, k.index(1)),
                        k.index(std::max<int64_t>(-tap, 0))),
         .rowStep = k.index(op.getStrides()[dim]),
         .depthStep = k.index(tap),
         .rowLoop = dim + 1,
         .depthLoop = dim});
  }
  return paddings;
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
  SmallVector<Padding, 2> paddings = paddingsOf(op, k);
  // The loops that padding asks for stay, and what is around them. The last one
  // of two is the run of the places, of which a part is left out.
  if (paddings.empty()) {
    rows.simplify(k);
    depth.simplify(k);
  } else {
    rows.simplify(k, paddings.back().rowLoop + (paddings.size() == 1));
    depth.simplify(k, paddings.back().depthLoop + 1);
  }
  if (op.getTransposed()) {
    std::swap(rows, depth);
    for (Padding &padding : paddings) {
      std::swap(padding.rowStep, padding.depthStep);
      std::swap(padding.rowLoop, padding.depthLoop);
    }
  }
  if (!paddings.empty())
    product.padding = paddings.front();
  if (paddings.size() > 1)
    product.runPadding = paddings.back();
  product.rows = std::move(rows);
  product.depth = std::move(depth);
  emitContraction(std::move(product), k);
}

} // namespace kiln::passes
