// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers windows as matrices, of which convolutions are products.
#include "lib/Ops/Convolution/LoweringOpen.h"

namespace kiln {

OpenWindows::OpenWindows(WindowLowering &w, const Dims &image)
    : w(w), ir(w.ir), image(image) {
  Dims all = {image.front()}, outputs = all, extents, rows = all;
  for (const WindowDim &window : w.windows) {
    outputs.push_back(window.output);
    extents.push_back(window.window);
    rows.push_back(window.input);
  }
  numPlaces = w.dims.product(outputs);
  numTaps = w.dims.product(extents);
  numRows = w.dims.product(rows);
  all = outputs;
  all.insert(all.end(), extents.begin(), extents.end());
  indices = ir.tensorType(all, ir.opBuilder().getI64Type());
}

Value OpenWindows::everywhere(Dim number) {
  return ir.broadcast(ir.dimScalar(number, indices.getElementType()), indices);
}

Value OpenWindows::placesAlong(size_t i) {
  const WindowDim &window = w.windows[i];
  const auto place = static_cast<int64_t>(i + 1),
             element = place + static_cast<int64_t>(w.windows.size());
  Value begin =
      ir.mul(ir.iota(indices, place), ir.splatInt(indices, window.stride));
  Value inside =
      ir.mul(ir.iota(indices, element), ir.splatInt(indices, window.dilation));
  return ir.sub(ir.add(begin, inside), everywhere(window.low));
}

Value OpenWindows::rows() {
  Value row = ir.iota(indices, 0), isInside;
  for (size_t i = 0; i < w.windows.size(); ++i) {
    Value at = placesAlong(i), extent = everywhere(w.windows[i].input);
    Value isIn = ir.binary<ir::AndOp>(
        ir.compare(ir::Predicate::ge, at, ir.splatInt(indices, 0)),
        ir.compare(ir::Predicate::lt, at, extent));
    isInside = isInside ? ir.binary<ir::AndOp>(isInside, isIn) : isIn;
    row = ir.add(ir.mul(row, extent), at);
  }
  row = ir.select(isInside, row, everywhere(numRows));
  return ir.reshape(row, ir.tensorType({w.dims.mul(numPlaces, numTaps)},
                                       indices.getElementType()));
}

Value OpenWindows::elementsOf(Value of, Dim channels) {
  mlir::Type element = IrBuilder::elementOf(of);
  Value matrix = w.reshape(of, {numRows, image.back()}).value;
  // What lies outside finds a row of zeros behind all others.
  matrix = ir.pad(
      matrix, ir.scalar(element, 0), {0, 0},
      ir.tensorType({w.dims.add(numRows, Dim::known(1)), channels}, element));
  return ir.gather(
      matrix, rows(), 0,
      ir.tensorType({w.dims.mul(numPlaces, numTaps), channels}, element));
}

Value OpenWindows::imageOf(Value elements, Dim channels) {
  mlir::Type element = IrBuilder::elementOf(elements);
  Value sums =
      ir.scatter(ir::ScatterKind::add, ir.scalar(element, 0), rows(), elements,
                 ir.tensorType({numRows, channels}, element));
  sums = ir.slice(sums, {0, 0}, {1, 1},
                  ir.tensorType({numRows, image.back()}, element));
  return w.reshape(sums, image).value;
}

OpenConvolution::OpenConvolution(WindowLowering &w, const Dims &image,
                                 const Dims &filter)
    : w(w), ir(w.ir), windows(w, image), filter(filter),
      own(filter[filter.size() - 2]) {
  groups = w.dims.max(w.dims.floorDiv(image.back(), own), Dim::known(1));
  filters = w.dims.floorDiv(filter.back(), groups);
}

Value OpenConvolution::byGroup(Value elements) {
  const Dims to = {windows.places(), windows.taps(), groups, own};
  Shaped parts = w.transpose(w.reshape(elements, to), {2, 0, 1, 3});
  return w
      .reshape(parts.value,
               {groups, windows.places(), w.dims.mul(windows.taps(), own)})
      .value;
}

Value OpenConvolution::elementsOfGroups(Value value) {
  const Dims from = {groups, windows.places(), windows.taps(), own};
  Shaped parts = w.transpose(w.reshape(value, from), {1, 2, 0, 3});
  return w
      .reshape(parts.value, {w.dims.mul(windows.places(), windows.taps()),
                             w.dims.mul(groups, own)})
      .value;
}

Value OpenConvolution::placesByGroup(Value value) {
  return w
      .transpose(w.reshape(value, {windows.places(), groups, filters}),
                 {1, 0, 2})
      .value;
}

Value OpenConvolution::filterByGroup(Value value) {
  const Dim rows = w.dims.mul(windows.taps(), own);
  return w.transpose(w.reshape(value, {rows, groups, filters}), {1, 0, 2})
      .value;
}

Value OpenConvolution::places(Value image, Value filter, const Dims &to) {
  mlir::Type element = IrBuilder::elementOf(image);
  Value product =
      ir.matmul(byGroup(windows.elementsOf(image, w.dims.mul(groups, own))),
                filterByGroup(filter), false, false,
                ir.tensorType({groups, windows.places(), filters}, element));
  const Dims parts = {groups, windows.places(), filters};
  return w.reshape(w.transpose({product, parts}, {1, 0, 2}).value, to).value;
}

Value OpenConvolution::filterGradient(Value image, Value gradient) {
  mlir::Type element = IrBuilder::elementOf(image);
  const Dims parts = {groups, w.dims.mul(windows.taps(), own), filters};
  Value product =
      ir.matmul(byGroup(windows.elementsOf(image, w.dims.mul(groups, own))),
                placesByGroup(gradient), /*transposeLhs=*/true, false,
                ir.tensorType(parts, element));
  return w.reshape(w.transpose({product, parts}, {1, 0, 2}).value, filter)
      .value;
}

Value OpenConvolution::imageGradient(Value filter, Value gradient) {
  mlir::Type element = IrBuilder::elementOf(gradient);
  Value product = ir.matmul(
      placesByGroup(gradient), filterByGroup(filter), false,
      /*transposeRhs=*/true,
      ir.tensorType({groups, windows.places(), w.dims.mul(windows.taps(), own)},
                    element));
  return windows.imageOf(elementsOfGroups(product), w.dims.mul(groups, own));
}

Value chooseIfEqual(WindowLowering &w, Dim a, Dim b, RankedTensorType type,
                    llvm::function_ref<Value()> ifEqual,
                    llvm::function_ref<Value()> otherwise) {
  if (w.dims.equal(a, b))
    return ifEqual();
  if (w.dims.resolve(a).isKnown() && w.dims.resolve(b).isKnown())
    return otherwise();
  mlir::OpBuilder &builder = w.ir.opBuilder();
  mlir::Type index = builder.getI64Type();
  auto branch =
      ir::IfOp::create(builder, w.ir.location(), type,
                       w.ir.compare(ir::Predicate::eq, w.ir.dimScalar(a, index),
                                    w.ir.dimScalar(b, index)));
  mlir::OpBuilder::InsertionGuard guard(builder);
  for (mlir::Block *block : {&branch.thenBlock(), &branch.elseBlock()}) {
    builder.setInsertionPointToEnd(block);
    Value value = block == &branch.thenBlock() ? ifEqual() : otherwise();
    ir::YieldOp::create(builder, w.ir.location(), value);
  }
  return branch.getResult(0);
}

} // namespace kiln
