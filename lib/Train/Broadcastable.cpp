// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of weights: now where shapes are known, otherwise in the run.
#include "lib/Train/Broadcastable.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Logging.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
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

/// The check in the run.
const Node *assertInRun(const Described &weights, const Described &values) {
  Output isScalar = ops::equal(0, weights.rank, {.name = "is_scalar"});
  Outputs isValid = ops::cond(
      isScalar, [&] { return ops::BranchResult(ops::identity(isScalar)); },
      [&] {
        Output sameRank = ops::equal(values.rank, weights.rank);
        return ops::BranchResult(ops::cond(
            sameRank,
            [&] {
              Output isOne = ops::equal(weights.shape, 1);
              Output isSame = ops::equal(weights.shape, values.shape);
              return ops::BranchResult(
                  ops::reduceAll(ops::logicalOr(isOne, isSame)));
            },
            [&] { return ops::BranchResult(ops::identity(sameRank)); }));
      },
      {.name = "is_valid_shape"});
  if (isValid.empty() || !isValid[0].node)
    return nullptr;
  return rawOps::assert_(isValid[0],
                         {"weights can not be broadcast to values.",
                          "weights.shape=", weights.tensor.name(),
                          weights.shape, "values.shape=", values.tensor.name(),
                          values.shape, "is_scalar=", isScalar},
                         {.name = "AssertGuard"});
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
    GraphBuilder::current().fail(invalidArgumentError(strCat(prefix, text))
                                     .withNode(weights.tensor.node->name()));
    return nullptr;
  };
  const Shape &w = weights.tensor.shape(), &v = values.tensor.shape();
  if (!w.hasRank() || !v.hasRank())
    return assertInRun(weights, values);
  if (w.rank() == 0)
    return noOp("static_scalar_check_success");
  if (w.rank() != v.rank())
    return refuse(strCat("values.rank=", v.rank(), ". weights.rank=", w.rank(),
                         ". values.shape=", v.toTupleString(),
                         ". weights.shape=", w.toTupleString(), "."));
  if (!w.isFullyDefined() || !v.isFullyDefined())
    return assertInRun(weights, values);
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
