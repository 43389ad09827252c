// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of reductions and running sums.
#include "kiln/ConstantValue.h"
#include "kiln/ops/ElementwiseOps.h"
#include "lib/Autodiff/GradientCall.h"

#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>

namespace kiln {
namespace {

bool keepsAxes(const GradientCall &call) {
  return call.attr<bool>("keep_dims");
}
Output reshaped(const Output &tensor, const Input &shape) {
  return addOp("Reshape", {tensor, shape});
}

std::vector<int32_t> extentsOf(const Shape &shape) {
  std::vector<int32_t> extents;
  for (int64_t dim : shape.dims())
    extents.push_back(static_cast<int32_t>(dim));
  return extents;
}

/// The extents and the axes of the sums whose sizes each graph has computed.
using KnownSums =
    std::map<std::weak_ptr<Graph>,
             std::set<std::pair<std::vector<int32_t>, std::vector<int64_t>>>,
             std::owner_less<>>;

/// TensorFlow finds out by what a sum is repeated with nodes that nothing then
/// uses, once for each pair of extents and axes of a graph. **Source**:
/// _SafeShapeDiv.
void addSizes(const std::vector<int32_t> &extents,
              const std::vector<int64_t> &axes,
              const std::vector<int32_t> &kept) {
  GraphBuilder graph = GraphBuilder::current();
  std::shared_ptr<void> &known = graph.attachment("sums with known sizes");
  if (!known)
    known = std::make_shared<KnownSums>();
  if (!(*static_cast<KnownSums *>(known.get()))[graph.graph()]
           .emplace(extents, axes)
           .second)
    return;
  Output atLeast = addOp("Maximum", {Input(kept), Input(1)});
  detail::binaryOperator("floordiv", Input(extents), atLeast, true);
}

/// **Source**: _SumGrad.
Output spreadSum(GradientCall &call) {
  Output x = call.in(0), axes = call.in(1), dy = call.grad();
  const Shape &shape = x.shape();
  std::optional<Tensor> value;
  if (shape.hasRank())
    value = ops::constantValue(axes);
  if (auto known = value ? knownIntegers(Input(*value)) : std::nullopt) {
    std::vector<int64_t> all(static_cast<size_t>(shape.rank()));
    std::iota(all.begin(), all.end(), 0);
    if (value->shape().rank() == 1 && *known == all) {
      Input ones = all.empty() ? Input(Input::List{})
                               : Input(std::vector<int32_t>(all.size(), 1));
      dy = addOp("Reshape", {dy, ones});
      return addOp("Tile", {dy, shape.isFullyDefined()
                                    ? ops::constant(extentsOf(shape),
                                                    {.dtype = DType::Int32})
                                    : ops::shape(x)});
    }
    if (shape.isFullyDefined()) {
      std::vector<int32_t> kept = extentsOf(shape), repeats;
      repeats.assign(kept.size(), 1);
      for (int64_t axis : *known) {
        size_t at = static_cast<size_t>(axis < 0 ? axis + shape.rank() : axis);
        if (at >= kept.size())
          continue;
        if (kept[at] != 1)
          repeats[at] = kept[at];
        kept[at] = 1;
      }
      addSizes(extentsOf(shape), *known, kept);
      return addOp("Tile",
                   {addOp("Reshape", {dy, Input(kept)}), Input(repeats)});
    }
  }
  Output sizes = ops::shape(x);
  if (!keepsAxes(call)) {
    Input kept = 0;
    {
      ColocationScope place(sizes);
      kept = reducedShape(sizes, axes);
    }
    dy = reshaped(dy, kept);
  }
  return addOp("BroadcastTo", {dy, sizes});
}

void meanGradient(GradientCall &call) {
  Output sum = spreadSum(call);
  const Shape &in = call.in(0).shape(), out = call.out().shape();
  auto inSize = in.numElements(), outSize = out.numElements();
  if (in.isFullyDefined() && out.isFullyDefined() && inSize.ok() &&
      outSize.ok()) {
    int64_t factor = *inSize / std::max<int64_t>(*outSize, 1);
    Output count = ops::constant(factor, {.dtype = sum.dtype()});
    return call.set(0, ops::trueDiv(sum, count));
  }
  Output shape = ops::shape(call.in(0));
  Output rank = ops::size(shape);
  Output axes = ops::cast(call.in(1), DType::Int32);
  axes = (axes + rank) % rank;
  Output count = ops::reduceProd(ops::gather(shape, axes));
  call.set(0, ops::trueDiv(sum, ops::cast(count, sum.dtype())));
}

/// Shared among equals. **Source**: _MinOrMaxGrad.
void extremumGradient(GradientCall &call) {
  Output shape = ops::shape(call.in(0)), y = call.out(), dy = call.grad();
  Input kept = 0;
  if (keepsAxes(call)) {
    kept = ops::shape(y);
  } else {
    kept = reducedShape(shape, call.in(1));
    y = reshaped(y, kept);
    dy = reshaped(dy, kept);
  }
  Output isChosen = ops::cast(addOp("Equal", {y, call.in(0)}), dy.dtype());
  Output count = reshaped(ops::reduceSum(isChosen, call.in(1)), kept);
  call.set(0, ops::divide(isChosen, count) * dy);
}

/// The product of the others, from both sides, so that zeros do no harm.
/// **Source**: _ProdGrad.
void productGradient(GradientCall &call) {
  Output x = call.in(0), dy = call.grad();
  Output shape = ops::shape(x);
  Output given = reshaped(call.in(1), vectorOf({-1}));
  if (!keepsAxes(call))
    dy = reshaped(dy, reducedShape(shape, call.in(1)));
  dy = addOp("BroadcastTo", {dy, shape});
  Output order, reducedSize, otherSize;
  {
    DeviceScope host("/cpu:0");
    Output rank = ops::rank(x);
    Output reduced = ops::cast((given + rank) % rank, DType::Int32);
    Output all = ops::range(0, rank);
    Output other = addOp("ListDiff", {all, reduced});
    order = ops::concat({reduced, other}, 0);
    reducedSize = ops::reduceProd(ops::gather(shape, reduced));
    otherSize = ops::reduceProd(ops::gather(shape, other));
  }
  Output moved = ops::permute(x, order);
  Output movedShape = ops::shape(moved);
  Output rows = reshaped(moved, Input(Input::List{reducedSize, otherSize}));
  Output left = ops::cumprod(rows, 0, {.exclusive = true});
  Output right = ops::cumprod(rows, 0, {.exclusive = true, .reverse = true});
  Output others = reshaped(conjugated(left) * conjugated(right), movedShape);
  Output back = addOp("InvertPermutation", {order});
  call.set(0, reshaped(dy * ops::permute(others, back), shape));
}

void runningLogSumGradient(GradientCall &call) {
  Output x = call.in(0), y = call.out(), dy = call.grad();
  AttrMap attrs = call.attrs({"exclusive"});
  attrs.set("reverse", !call.attr<bool>("reverse"));
  double lowest = dy.dtype() == DType::Float64
                      ? std::numeric_limits<double>::lowest()
                      : std::numeric_limits<float>::lowest();
  // Logarithms need the signs apart.
  auto part = [&](const Output &isPart, const Output &size) {
    Output logarithm =
        addOp("SelectV2", {isPart, addOp("Log", {size}),
                           ops::constant(lowest, {.dtype = dy.dtype()})});
    return addOp(
        "Exp",
        {addOp("CumulativeLogsumexp", {logarithm - y, call.in(1)}, attrs) + x});
  };
  Output positive = part(dy > 0.0, dy);
  call.set(0, positive - part(dy < 0.0, -dy));
}

} // namespace

void registerReductionGradients(GradientRegistry &registry) {
  registry.add({"Sum"},
               [](GradientCall &call) { call.set(0, spreadSum(call)); });
  registry.add({"Mean"}, meanGradient);
  registry.add({"Max", "Min"}, extremumGradient);
  registry.add({"Prod"}, productGradient);
  registry.add({"Cumsum"}, [](GradientCall &call) {
    AttrMap attrs = call.attrs({"exclusive"});
    attrs.set("reverse", !call.attr<bool>("reverse"));
    call.set(0, addOp("Cumsum", {call.grad(), call.in(1)}, attrs));
  });
  registry.add({"Cumprod"}, [](GradientCall &call) {
    AttrMap attrs = call.attrs({"exclusive", "reverse"});
    Output products = addOp("Cumprod", {call.in(0), call.in(1)}, attrs);
    attrs.set("reverse", !call.attr<bool>("reverse"));
    Output sums = addOp("Cumsum", {products * call.grad(), call.in(1)}, attrs);
    call.set(0, ops::divNoNan(sums, call.in(0)));
  });
  registry.add({"CumulativeLogsumexp"}, runningLogSumGradient);
  registry.add({"EuclideanNorm"}, [](GradientCall &call) {
    Output dy = call.grad(), y = call.out();
    if (!keepsAxes(call)) {
      Input kept = reducedShape(ops::shape(call.in(0)), call.in(1));
      y = reshaped(y, kept);
      dy = reshaped(dy, kept);
    }
    call.set(0, ops::trueDiv(call.in(0), y / dy));
  });
  // Places have no derivative.
  registry.add({"ArgMax", "ArgMin"}, [](GradientCall &) {});
}

} // namespace kiln
