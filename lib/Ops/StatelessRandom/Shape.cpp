// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of stateless random ops.
//
// While a graph is built, wrong shapes have the words of TensorFlow's shape
// functions; in a run, where these did not see them, those of its kernels.
#include "lib/Ops/StatelessRandom/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Ops/Random/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

const Dims none;

/// A check of a run whose message shows nothing but what it says.
GuardInfo says(std::string_view message) {
  return {.prefix = message, .lhs = &none, .rhs = &none, .asNumbers = true};
}

/// Input i is a vector of n elements; otherwise a kernel says `demand`, then
/// the shape.
Status checkVector(InferenceContext &context, int i, int64_t n,
                   std::string_view demand, std::string_view after = {}) {
  const SymShape &shape = context.inputShape(i);
  if (!shape.rankKnown)
    return okStatus();
  if (context.isBuilding())
    KILN_RETURN_IF_ERROR(context.withRank(shape, 1).status());
  if (shape.rank() != 1)
    return context.error(
        strCat(demand, context.dims().format(shape.dims), after));
  if (context.isBuilding()) {
    if (shape.dims[0].isKnown() && shape.dims[0].value != n)
      return context.error(
          strCat("Dimension must be ", n, " but is ", shape.dims[0].value));
    return okStatus();
  }
  const std::string prefix = strCat(demand, "["), suffix = strCat("]", after);
  return context.dims()
      .unify(shape.dims[0], Dim::known(n),
             {.prefix = prefix,
              .suffix = suffix,
              .lhs = &shape.dims,
              .rhs = &none,
              .asNumbers = true})
      .status();
}

Status checkSeed(InferenceContext &context, int i) {
  // Schemas have more types than TensorFlow's kernels.
  const DType dtype = context.input(i).dtype;
  if (!context.isBuilding() && dtype != DType::Int32 && dtype != DType::Int64)
    return context.error(strCat("Invalid seed type: ", dtypeTfName(dtype)));
  return checkVector(context, i, 2, "seed must have shape [2], not ");
}

Status checkKey(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalar(context, 3));
  KILN_RETURN_IF_ERROR(
      checkVector(context, 1, 1, "key must have shape [1], not ",
                  ". (Note that batched keys are not supported yet.)"));
  const SymShape &counter = context.inputShape(2);
  if (context.isBuilding())
    return context.withRank(counter, 1).status();
  if (counter.rankKnown && counter.rank() != 1)
    return context.error(
        strCat("counter must be a vector with length at least 1; got shape: ",
               context.dims().format(counter.dims),
               ". (Note that batched counters are not supported yet.)"));
  return okStatus();
}

/// The shape of input 0 ends with that of the parameter, unless nothing is
/// drawn.
Status checkSamples(InferenceContext &context, int parameter) {
  const SymShape &shape = context.inputShape(parameter);
  KILN_ASSIGN_OR_RETURN(SymShape out, shapeFromContents(context, 0));
  const bool isEmpty =
      out.rankKnown &&
      std::ranges::any_of(out.dims, [](Dim dim) { return dim.isKnown(0); });
  if (isEmpty || !shape.rankKnown)
    return okStatus();
  return checkBatch(context, 0, parameter, {});
}

} // namespace

Status checkScalar(InferenceContext &context, int i) {
  const SymShape &shape = context.inputShape(i);
  if (context.isBuilding())
    return context.withRank(shape, 0).status();
  if (shape.rankKnown && shape.rank() != 0)
    return context.error(strCat("input ", i,
                                " (0-based) must have shape [], not ",
                                context.dims().format(shape.dims)));
  return okStatus();
}

Status checkBounds(InferenceContext &context, int i) {
  constexpr std::string_view names[] = {"minval", "maxval"};
  for (int k = 0; k < 2; ++k)
    if (const SymShape &shape = context.inputShape(i + k);
        shape.rankKnown && shape.rank() != 0)
      return context.error(strCat(
          names[k],
          context.isBuilding() ? " must be a scalar; got a tensor of shape "
                               : " must be 0-D, got shape ",
          context.dims().format(shape.dims)));
  return okStatus();
}

Status setShapeOf(InferenceContext &context, int i, std::string_view demand) {
  const SymShape &vector = context.inputShape(i);
  if (vector.rankKnown && vector.rank() != 1)
    return context.isBuilding()
               ? context.withRank(vector, 1).status()
               : context.error(
                     strCat(demand, context.dims().format(vector.dims)));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, i));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status checkBatch(InferenceContext &context, int i, int first,
                  std::string_view mismatch) {
  DimSpace &dims = context.dims();
  std::string text(mismatch);
  for (int k = first; k < context.numInputs(); ++k) {
    if (!context.inputShape(k).rankKnown)
      return okStatus();
    text += strCat(k == first ? "" : " vs. ",
                   dims.format(context.inputShape(k).dims));
  }
  Dims batch = context.inputShape(first).dims;
  for (int k = first + 1; k < context.numInputs(); ++k) {
    Dims other = context.inputShape(k).dims;
    if (other.size() > batch.size())
      std::swap(batch, other);
    for (size_t back = 1; back <= other.size(); ++back) {
      Dim &dim = batch[batch.size() - back];
      KILN_ASSIGN_OR_RETURN(
          dim, dims.broadcast(dim, other[other.size() - back], says(text)));
    }
  }
  if (context.isBuilding())
    return okStatus();
  constexpr std::string_view ending =
      "Shape passed in must end with broadcasted shape.";
  KILN_ASSIGN_OR_RETURN(SymShape out, shapeFromContents(context, i));
  if (!out.rankKnown)
    return okStatus();
  if (out.dims.size() < batch.size())
    return context.error(std::string(ending));
  for (size_t back = 1; back <= batch.size(); ++back)
    KILN_RETURN_IF_ERROR(dims.unify(out.dims[out.dims.size() - back],
                                    batch[batch.size() - back], says(ending))
                             .status());
  return okStatus();
}

Status inferBySeed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(setShapeOf(context, 0));
  return checkSeed(context, 1);
}

Status inferIntegersBySeed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkBounds(context, 2));
  return inferBySeed(context);
}

Status inferSamplesBySeed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferBySeed(context));
  return checkSamples(context, 2);
}

Status inferBinomialBySeed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(setShapeOf(context, 0, inputDemand));
  KILN_RETURN_IF_ERROR(checkSeed(context, 1));
  return checkBatch(context, 0, 2,
                    "counts and probs must have compatible batch dimensions: ");
}

Status inferBoundedNormalBySeed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(setShapeOf(context, 0, inputDemand));
  KILN_RETURN_IF_ERROR(checkSeed(context, 1));
  return checkBatch(context, 0, 2,
                    "means, stddevs, minvals, maxvals must have compatible "
                    "batch dimensions: ");
}

Status inferMultinomialBySeed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkSeed(context, 2));
  return inferMultinomial(context);
}

Status inferByKey(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkKey(context));
  return setShapeOf(context, 0);
}

Status inferIntegersByKey(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkBounds(context, 4));
  return inferByKey(context);
}

Status inferSamplesByKey(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferByKey(context));
  return checkSamples(context, 4);
}

Status inferShuffleByKey(InferenceContext &context) {
  // TensorFlow has no shape function for keys here.
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(checkKey(context));
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferKeyAndCounter(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkSeed(context, 0));
  context.setOutputShape(0, SymShape::of({Dim::known(1)}));
  context.setOutputShape(1, SymShape::of({Dim::known(2)}));
  return context.numOutputs() > 2 ? inferAlgorithm(context) : okStatus();
}

Status inferAlgorithm(InferenceContext &context) {
  const int last = context.numOutputs() - 1;
  context.setOutputShape(last, SymShape::scalar());
  context.setOutputContents(last, {Dim::known(1)});
  return okStatus();
}

Status inferIndexShuffle(InferenceContext &context) {
  constexpr int ranks[] = {0, 1, 0}; // of inputs that are not a vector of them
  bool isVector = false;
  for (int i = 0; i < 3; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!shape.rankKnown)
      return okStatus();
    if (shape.rank() > ranks[i] + 1 || shape.rank() < ranks[i])
      return context.error(
          context.isBuilding()
              ? strCat("Shape must be ",
                       shape.rank() < ranks[i] ? "at least" : "at most",
                       " rank ",
                       shape.rank() < ranks[i] ? ranks[i] : ranks[i] + 1,
                       " but is rank ", shape.rank())
          : i == 0 ? std::string("Index bust be a scalar or vector.")
          : i == 1
              ? strCat("Seed must be a vector of size [3] or a matrix of size "
                       "[n, 3] but got ",
                       context.dims().format(shape.dims), ".")
              : strCat("Maxval must be a scalar or a vector of the same size "
                       "as index but got ",
                       context.dims().format(shape.dims)));
    isVector |= shape.rank() > ranks[i];
  }
  const SymShape &seed = context.inputShape(1);
  if (Dim columns = seed.dims.back(); columns.isKnown() && columns.value != 3) {
    std::string text = "Seed must have shape [3] or [n, 3] but got [";
    if (seed.rank() == 2)
      text += strCat(seed.dims[0].isKnown() ? seed.dims[0].value : -1, ", ");
    return context.error(strCat(text, columns.value, "]."));
  }
  KILN_RETURN_IF_ERROR(
      context.dims()
          .unify(seed.dims.back(), Dim::known(3),
                 says("Seed must be a vector of size [3] or a matrix of size "
                      "[n, 3]."))
          .status());
  if (!isVector) {
    context.setOutputShape(0, SymShape::scalar());
    return okStatus();
  }
  Dim count = Dim::known(1);
  for (int i = 0; i < 3; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (shape.rank() == ranks[i])
      continue;
    KILN_ASSIGN_OR_RETURN(
        count, context.dims().broadcast(
                   count, shape.dims[0],
                   says("index, seed and max_index must be of one size.")));
  }
  context.setOutputShape(0, SymShape::of({count}));
  return okStatus();
}

} // namespace kiln::shapes
