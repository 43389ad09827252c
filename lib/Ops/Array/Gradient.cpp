// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of ops that move elements as wholes: shapes, joins, parts.
#include "lib/Ops/Array/Gradient.h"

#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

/// To the shape of the input, of which one extent may be left to Reshape.
void reshapeBack(GradientCall &call, bool mayLeaveOne) {
  const Shape &shape = call.in(0).shape();
  Output dy = call.grad();
  if (mayLeaveOne && shape.hasRank() && !shape.isFullyDefined()) {
    std::vector<int32_t> dims;
    int unknown = 0, zeros = 0;
    for (int64_t dim : shape.dims()) {
      dims.push_back(static_cast<int32_t>(dim));
      unknown += dim == Shape::unknownDim;
      zeros += dim == 0;
    }
    if (unknown == 1 && zeros == 0)
      return call.set(0, addOp("Reshape", {dy, Input(dims)}));
  }
  call.set(0, reshapeLike(dy, call.in(0)));
}

/// The axis of a join, counted from 0.
Output positiveAxis(const Output &axis, const Output &first) {
  return axis % ops::rank(first);
}

/// **Source**: _ConcatGradHelper.
void concatGradient(GradientCall &call, int first, int count, int axisAt) {
  if (count == 1)
    return call.set(first, call.sparseGrad());
  std::vector<Output> values, sizes;
  for (int i = 0; i < count; ++i)
    values.push_back(call.in(first + i));
  Output dy = call.grad();
  Output axis = positiveAxis(constantBeside(call.in(axisAt), dy), values[0]);
  for (const Output &value : values) {
    Output size = ops::shape(value);
    if (!size.node || size.node->op() != "Const")
      break;
    sizes.push_back(size);
  }
  if (sizes.size() < values.size())
    sizes = addOpOutputs("ShapeN", {InputList(values)}, values.size());
  if (sizes.size() > 16) {
    Output rows = ops::stack(InputList(sizes), {.axis = 1});
    Output row =
        addOp("Slice", {rows, Input(Input::List{axis, 0}), vectorOf({1, -1})});
    auto parts = ops::splitBySizes(dy, ops::squeeze(row), {.axis = axis});
    for (int i = 0; i < count && parts.size() == values.size(); ++i)
      call.set(first + i, parts[static_cast<size_t>(i)]);
    return;
  }
  auto offsets =
      addOpOutputs("ConcatOffset", {axis, InputList(sizes)}, sizes.size());
  for (int i = 0; i < count; ++i)
    call.set(first + i, addOp("Slice", {dy, offsets[static_cast<size_t>(i)],
                                        sizes[static_cast<size_t>(i)]}));
}

void splitGradient(GradientCall &call, int valueAt, int axisAt) {
  std::vector<Output> parts;
  for (int i = 0; i < call.node.numOutputs(); ++i)
    parts.push_back(call.grad(i));
  call.set(valueAt, ops::concat(parts, call.in(axisAt)));
}

void sliceGradient(GradientCall &call) {
  Output x = call.in(0), begin = call.in(1);
  DType dtype = begin.dtype();
  Output rank = ops::rank(x), size = ops::shape(call.out(), {.outType = dtype});
  Output column = ops::stack({rank, 1});
  Output before = addOp("Reshape", {begin, column});
  Output rest = ops::shape(x, {.outType = dtype}) - size - begin;
  Output after = addOp("Reshape", {rest, column});
  call.set(0, ops::pad(call.grad(), ops::concat({before, after}, 1)));
}

void padGradient(GradientCall &call) {
  Output x = call.in(0), paddings = call.in(1);
  Output column = addOp(
      "Slice", {paddings, vectorOf({0, 0}), ops::stack({ops::rank(x), 1})});
  Output begin = addOp("Reshape", {column, vectorOf({-1})});
  Output sizes = ops::shape(x, {.outType = begin.dtype()});
  call.set(0, addOp("Slice", {call.grad(), begin, sizes}));
}

void tileGradient(GradientCall &call) {
  Output x = call.in(0), multiples = call.in(1);
  Output shape = ops::shape(x, {.outType = multiples.dtype()});
  // [copies, extent] of each axis one behind the other; the copies are summed.
  Output pairs =
      addOp("Reshape",
            {ops::transpose(ops::stack({multiples, shape})), vectorOf({-1})});
  Output axes = ops::rangeFrom(0, ops::size(pairs), 2);
  Output split = addOp("Reshape", {call.grad(), pairs});
  Output sum = ops::reduceSum(split, axes);
  // The sum of a computed set of axes has no known shape.
  call.set(0, x.shape().isFullyDefined() && !sum.shape().isFullyDefined()
                  ? reshapeLike(sum, x)
                  : sum);
}

void registerShapes(GradientRegistry &registry) {
  registry.add({"Reshape"},
               [](GradientCall &call) { reshapeBack(call, true); });
  registry.add({"ExpandDims", "Squeeze"},
               [](GradientCall &call) { reshapeBack(call, false); });
  registry.add({"EnsureShape"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
  registry.add({"Transpose", "ConjugateTranspose"}, [](GradientCall &call) {
    Output back = addOp("InvertPermutation", {call.in(1)});
    call.set(0, addOp(call.node.op(), {call.grad(), back}, {}, "transpose"));
  });
  registry.add({"BroadcastTo"}, [](GradientCall &call) {
    Output x = call.in(0), wanted = call.in(1);
    Output shape = ops::shape(x, {.outType = wanted.dtype()});
    if (auto known = knownIntegers(wanted))
      wanted = ops::constant(*known, {.dtype = wanted.dtype()});
    Output axes = addOpOutputs("BroadcastGradientArgs", {wanted, shape}, 2)[1];
    Output sum = ops::reduceSum(call.grad(), axes, {.keepDims = true});
    call.set(0, addOp("Reshape", {sum, shape}));
  });
  registry.add({"Fill"}, [](GradientCall &call) {
    call.set(1, ops::reduceSum(call.grad()));
  });
  registry.add({"Tile"}, tileGradient);
  registry.add({"Reverse", "ReverseV2"}, [](GradientCall &call) {
    call.set(0, addOp(call.node.op(), {call.grad(), call.in(1)}));
  });
}

} // namespace

void registerArrayGradients(GradientRegistry &registry) {
  registerShapes(registry);
  registry.add({"ConcatV2"}, [](GradientCall &call) {
    concatGradient(call, 0, call.node.numInputs() - 1, -1);
  });
  registry.add({"Concat"}, [](GradientCall &call) {
    concatGradient(call, 1, call.node.numInputs() - 1, 0);
  });
  registry.add({"Split"},
               [](GradientCall &call) { splitGradient(call, 1, 0); });
  registry.add({"SplitV"},
               [](GradientCall &call) { splitGradient(call, 0, 2); });
  registry.add({"Pack"}, [](GradientCall &call) {
    size_t count = static_cast<size_t>(call.node.numInputs());
    AttrMap attrs = call.attrs({"axis"});
    attrs.set("num", static_cast<int64_t>(count));
    auto parts = addOpOutputs("Unpack", {call.grad()}, count, std::move(attrs),
                              "unstack");
    for (size_t i = 0; i < count; ++i)
      call.set(static_cast<int>(i), parts[i]);
  });
  registry.add({"Unpack"}, [](GradientCall &call) {
    std::vector<Output> parts;
    for (int i = 0; i < call.node.numOutputs(); ++i)
      parts.push_back(call.grad(i));
    call.set(0,
             addOp("Pack", {InputList(parts)}, call.attrs({"axis"}), "stack"));
  });
  registry.add({"Slice"}, sliceGradient);
  registry.add({"Pad", "PadV2"}, padGradient);
  registerArrayIndexing(registry);
}

} // namespace kiln
