// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of ops that put elements elsewhere: blocks, borders, diagonals,
// windows, orders.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

/// An op whose gradient is another with the same other inputs and attributes.
void addInverse(GradientRegistry &registry, std::string_view type,
                std::string_view inverse,
                std::initializer_list<std::string_view> attrs = {}) {
  registry.add({type}, [inverse = std::string(inverse),
                        names = std::vector<std::string>(
                            attrs.begin(), attrs.end())](GradientCall &call) {
    std::vector<std::variant<Input, InputList>> inputs = {call.grad()};
    for (int i = 1; i < call.node.numInputs(); ++i)
      inputs.push_back(call.in(i));
    AttrMap copied;
    for (const std::string &name : names)
      if (const AttrValue *value = call.node.findAttr(name))
        copied.set(name, *value);
    call.set(0, addOp(inverse, std::move(inputs), copied));
  });
}

/// The last two extents where they are known.
std::optional<std::pair<int64_t, int64_t>> matrixSize(const Shape &shape) {
  if (shape.rank() < 2 || shape.dim(-1) < 0 || shape.dim(-2) < 0)
    return std::nullopt;
  return std::pair(shape.dim(-2), shape.dim(-1));
}

void registerDiagonals(GradientRegistry &registry) {
  addInverse(registry, "Diag", "DiagPart");
  addInverse(registry, "DiagPart", "Diag");
  addInverse(registry, "MatrixBandPart", "MatrixBandPart");
  registry.add({"MatrixDiag"}, [](GradientCall &call) {
    call.set(0, addOp("MatrixDiagPart", {call.grad()}));
  });
  registry.add({"MatrixDiagV2", "MatrixDiagV3"}, [](GradientCall &call) {
    const char *op = call.node.op() == "MatrixDiagV2" ? "MatrixDiagPartV2"
                                                      : "MatrixDiagPartV3";
    call.set(0, addOp(op, {call.grad(), call.in(1), 0}, call.attrs({"align"}),
                      "diag_part"));
  });
  registry.add({"MatrixDiagPart"}, [](GradientCall &call) {
    auto size = matrixSize(call.in(0).shape());
    if (size && size->first == size->second)
      return call.set(0, addOp("MatrixDiag", {call.grad()}));
    call.set(0,
             addOp("MatrixSetDiag", {ops::zerosLike(call.in(0)), call.grad()}));
  });
  registry.add({"MatrixDiagPartV2", "MatrixDiagPartV3"},
               [](GradientCall &call) {
                 bool isV2 = call.node.op() == "MatrixDiagPartV2";
                 Output dy = call.grad();
                 if (auto size = matrixSize(call.in(0).shape()))
                   return call.set(
                       0, addOp(isV2 ? "MatrixDiagV2" : "MatrixDiagV3",
                                {dy, call.in(1), size->first, size->second, 0},
                                call.attrs({"align"}), "diag"));
                 call.set(0, addOp(isV2 ? "MatrixSetDiagV2" : "MatrixSetDiagV3",
                                   {ops::zerosLike(call.in(0)), dy, call.in(1)},
                                   call.attrs({"align"}), "set_diag"));
               });
  registry.add({"MatrixSetDiag"}, [](GradientCall &call) {
    Output dy = call.grad();
    Output diagonal = addOp("MatrixDiagPart", {dy});
    call.set(0, addOp("MatrixSetDiag", {dy, ops::zerosLike(call.in(1))}));
    call.set(1, diagonal);
  });
  registry.add({"MatrixSetDiagV2", "MatrixSetDiagV3"}, [](GradientCall &call) {
    Output dy = call.grad(), k = call.in(2);
    bool isV2 = call.node.op() == "MatrixSetDiagV2";
    call.set(0, addOp(call.node.op(), {dy, ops::zerosLike(call.in(1)), k},
                      call.attrs({"align"})));
    call.set(1, addOp(isV2 ? "MatrixDiagPartV2" : "MatrixDiagPartV3",
                      {dy, k, 0}, call.attrs({"align"})));
  });
}

/// The number of each place, sent the way of the elements, says where each
/// element of a patch came from; padding has the number 0 and comes from
/// nowhere.
void patchesGradient(GradientCall &call) {
  Output x = call.in(0), dy = call.grad();
  const Shape &shape = x.shape();
  Output sizes = ops::shape(x, {.outType = DType::Int64});
  int rank = shape.rank();
  if (rank < 0)
    return call.fail(invalidArgumentError("the rank must be known"));
  Output places =
      ops::stridedSlice(sizes, {int64_t{1}}, {int64_t{rank - 1}}, {int64_t{1}});
  Output count = ops::reduceProd(places);
  Output batch = sizes[0], channels = sizes[rank - 1];
  Output one = ops::ones(vectorOf({1}), {.dtype = DType::Int64});
  Output numbers = ops::rangeFrom(ops::ones(Shape(), {.dtype = DType::Int64}),
                                  count + int64_t{1},
                                  ops::ones(Shape(), {.dtype = DType::Int64}));
  numbers = addOp("Reshape", {numbers, ops::concat({one, places, one}, 0)});
  Output sent = addOp(call.node.op(), {numbers},
                      call.attrs({"ksizes", "strides", "rates", "padding"}));
  Output ids = addOp("Reshape", {sent, vectorOf({-1})}) - int64_t{1};
  Output parts =
      addOp("Reshape",
            {dy, ops::stack({batch, ops::size(ids, {.outType = DType::Int64}),
                             channels})});
  Output sums = addOp("UnsortedSegmentSum",
                      {ops::permute(parts, vectorOf({1, 0, 2})), ids, count});
  call.set(0,
           addOp("Reshape", {ops::permute(sums, vectorOf({1, 0, 2})), sizes}));
}

/// To the places that the op gives. **Source**: _TopKGrad.
void topKGradient(GradientCall &call) {
  Output x = call.in(0);
  Output indices = ops::cast(call.out(1), DType::Int32);
  Output shape = ops::shape(x), chosen = ops::shape(indices);
  Output chosenLast = ops::gather(chosen, ops::size(chosen) - 1);
  Output rows = addOp("Reshape", {indices, ops::stack({-1, chosenLast})});
  Output last = ops::gather(shape, ops::size(shape) - 1);
  Output count = ops::shape(rows)[0];
  Output starts = ops::expandDims(ops::rangeFrom(0, count * last, last), -1);
  Output flat = addOp("Reshape", {rows + starts, vectorOf({-1})});
  Output values = addOp("Reshape", {call.grad(0), vectorOf({-1})});
  Output size = ops::expandDims(ops::reduceProd(shape), 0);
  Output sums = addOp("ScatterNd", {ops::expandDims(flat, -1), values, size});
  call.set(0, addOp("Reshape", {sums, shape}));
}

/// The same along any axis of known shapes. **Source**: _ApproxTopKGradient.
void approximateTopKGradient(GradientCall &call) {
  Output x = call.in(0), places = call.out(1);
  const Shape &shape = places.shape();
  if (!shape.isFullyDefined() || !x.shape().isFullyDefined())
    return call.fail(
        invalidArgumentError("the gradient of ApproxTopK needs a known shape"));
  int rank = shape.rank();
  int64_t reduced = call.attr<int64_t>("reduction_dimension", -1);
  reduced += reduced < 0 ? rank : 0;
  std::vector<int64_t> each(shape.dims().begin(), shape.dims().end());
  each.push_back(1);
  std::vector<Output> coordinates;
  for (int axis = 0; axis < rank; ++axis) {
    Output numbers = places;
    std::vector<int64_t> own = each;
    if (axis != reduced) {
      numbers = ops::range(0, static_cast<int32_t>(shape.dim(axis)));
      own.assign(each.size(), 1);
      own[static_cast<size_t>(axis)] = shape.dim(axis);
    }
    numbers = addOp("Reshape", {numbers, Input(own)});
    coordinates.push_back(addOp("BroadcastTo", {numbers, Input(each)}));
  }
  Output indices = ops::concat(coordinates, rank);
  call.set(0, addOp("ScatterNd", {indices, call.grad(0), ops::shape(x)}));
}

} // namespace

void registerLayoutGradients(GradientRegistry &registry) {
  addInverse(registry, "SpaceToDepth", "DepthToSpace",
             {"block_size", "data_format"});
  addInverse(registry, "DepthToSpace", "SpaceToDepth",
             {"block_size", "data_format"});
  addInverse(registry, "SpaceToBatch", "BatchToSpace", {"block_size"});
  addInverse(registry, "BatchToSpace", "SpaceToBatch", {"block_size"});
  addInverse(registry, "SpaceToBatchND", "BatchToSpaceND");
  addInverse(registry, "BatchToSpaceND", "SpaceToBatchND");
  addInverse(registry, "MirrorPad", "MirrorPadGrad", {"mode"});
  addInverse(registry, "MirrorPadGrad", "MirrorPad", {"mode"});
  addInverse(registry, "ReverseSequence", "ReverseSequence",
             {"seq_dim", "batch_dim"});
  registry.add({"Roll"}, [](GradientCall &call) {
    call.set(0, addOp("Roll", {call.grad(), -call.in(1), call.in(2)}));
  });
  registry.add({"ExtractImagePatches", "ExtractVolumePatches"},
               patchesGradient);
  registry.add({"TopK", "TopKV2"}, topKGradient);
  registry.add({"ApproxTopK"}, approximateTopKGradient);
  registry.add({"NthElement"}, [](GradientCall &call) {
    Output dy = call.grad(), y = ops::expandDims(call.out(), -1);
    Output isChosen = ops::cast(addOp("Equal", {y, call.in(0)}), dy.dtype());
    Output count = ops::expandDims(ops::reduceSum(isChosen, -1), -1);
    call.set(0, ops::divide(isChosen, count) * ops::expandDims(dy, -1));
  });
  registerDiagonals(registry);
}

} // namespace kiln
