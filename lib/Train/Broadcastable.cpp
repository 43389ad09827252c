// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of weights: now where shapes are known, otherwise in the run.
#include "lib/Train/Broadcastable.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/SetOps.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

constexpr std::string_view prefix = "weights can not be broadcast to values. ";

struct Described {
  Output tensor, shape, rank;
};

Described describe(const Input &value, std::string_view name) {
  NameScope scope(name);
  Described found;
  found.tensor = GraphBuilder::current().convert(value, {.name = scope.name()});
  found.shape = ops::shape(found.tensor, {.name = "shape"});
  found.rank = ops::rank(found.tensor, {.name = "rank"});
  return found;
}

const Node *noOp(const char *name) {
  return GraphBuilder::current().addOp({.op = "NoOp", .name = name});
}

/// As NumPy prints a vector.
std::string extents(const Shape &shape) {
  std::string text = "[";
  for (int i = 0; i < shape.rank(); ++i)
    text += strCat(i > 0 ? " " : "", shape.dim(i));
  return text + "]";
}

/// Whether each extent of the weights is 1 or among those of the values.
Output hasValidExtents(const Described &weights, const Described &values) {
  NameScope scope("has_invalid_dims");
  Output extents = ops::expandDims(values.shape, -1);
  Output valid = ops::concat({extents, ops::onesLike(extents)}, 1);
  Output given = ops::expandDims(weights.shape, -1);
  SparseTensor invalid = ops::setDifference(given, valid);
  Output count = ops::size(invalid.values, {.name = "num_invalid_dims"});
  return ops::equal(0, count, {.name = scope.name()});
}

Output hasValidShape(const Described &weights, const Described &values) {
  NameScope scope("has_valid_nonscalar_shape");
  Output sameRank =
      ops::equal(values.rank, weights.rank, {.name = "is_same_rank"});
  Outputs valid = ops::cond(
      sameRank,
      [&] { return ops::BranchResult(hasValidExtents(weights, values)); },
      [&] { return ops::BranchResult(sameRank); }, {.name = scope.name()});
  return valid.empty() ? Output() : valid[0];
}

/// The check in the run.
const Node *assertInRun(const Described &weights, const Described &values,
                        const std::string &name) {
  Output isScalar = ops::equal(0, weights.rank, {.name = "is_scalar"});
  Outputs isValid = ops::cond(
      isScalar, [&] { return ops::BranchResult(isScalar); },
      [&] { return ops::BranchResult(hasValidShape(weights, values)); },
      {.name = "is_valid_shape"});
  if (isValid.empty() || !isValid[0].node)
    return nullptr;
  return ops::assertThat(isValid[0],
                         {"weights can not be broadcast to values.",
                          "weights.shape=", weights.tensor.name(),
                          weights.shape, "values.shape=", values.tensor.name(),
                          values.shape, "is_scalar=", isScalar},
                         {.name = name});
}

} // namespace

const Node *assertBroadcastable(const Input &givenWeights,
                                const Input &givenValues) {
  NameScope scope("assert_broadcastable");
  Described weights = describe(givenWeights, "weights");
  Described values = describe(givenValues, "values");
  if (!weights.rank.node || !values.rank.node)
    return nullptr;
  auto refuse = [&](std::string text) {
    GraphBuilder::current().fail(
        invalidArgumentError(strCat(prefix, text, " Received weights=",
                                    tensorText(weights.tensor),
                                    ", values=", tensorText(values.tensor)))
            .withNode(weights.tensor.node->name()));
    return nullptr;
  };
  const Shape &w = weights.tensor.shape(), &v = values.tensor.shape();
  if (!w.hasRank() || !v.hasRank())
    return assertInRun(weights, values, scope.name());
  if (w.rank() == 0)
    return noOp("static_scalar_check_success");
  if (w.rank() != v.rank())
    return refuse(strCat("values.rank=", v.rank(), ". weights.rank=", w.rank(),
                         ". values.shape=", v.toTupleString(),
                         ". weights.shape=", w.toTupleString(), "."));
  if (!w.isFullyDefined() || !v.isFullyDefined())
    return assertInRun(weights, values, scope.name());
  for (int i = 0; i < w.rank(); ++i)
    if (w.dim(i) != 1 && w.dim(i) != v.dim(i))
      return refuse(strCat("Mismatch at dim ", i, ". values.shape=", extents(v),
                           ", weights.shape=", extents(w), "."));
  return noOp("static_dims_check_success");
}

Output broadcastWeights(const Output &weights, const Output &values) {
  if (!weights.node || !values.node)
    return {};
  NameScope scope("broadcast_weights");
  if (weights.shape().isFullyDefined() && values.shape().isFullyDefined() &&
      weights.shape().isCompatibleWith(values.shape()))
    return weights;
  const Node *check = assertBroadcastable(weights, values);
  if (!check)
    return {};
  ControlScope after({check});
  Output ones = ops::onesLike(values);
  return ops::multiply(weights, ones, {.name = scope.name()});
}

} // namespace kiln
