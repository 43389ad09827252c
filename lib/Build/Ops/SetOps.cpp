// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets, crosses, texts of sparse tensors and labels of sequences, as
// TensorFlow's Python adds them.
#include "kiln/ops/SetOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/SequenceOps.h"
#include "kiln/ops/Sparse.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

bool isOfSet(DType dtype) {
  return (isInteger(dtype) && dtype != DType::UInt32 &&
          dtype != DType::UInt64) ||
         dtype == DType::String;
}

/// Two operands of a set operation; a dense one is the first.
struct Operands {
  Output dense[2];
  const SparseTensor *sparse[2] = {nullptr, nullptr};
  bool areSwapped = false;
  bool areThere = false;
};

GraphBuilder builderOf(const TensorOrSparse &a, const TensorOrSparse &b) {
  for (const TensorOrSparse *each : {&a, &b}) {
    if (each->sparse() && each->sparse()->values.node)
      return GraphBuilder::of(each->sparse()->values);
    if (each->tensor() && each->tensor()->output() &&
        each->tensor()->output()->node)
      return GraphBuilder::of(*each->tensor()->output());
  }
  return GraphBuilder::current();
}

/// **Source**: sets_impl._convert_to_tensors_or_sparse_tensors.
Operands operandsOf(const TensorOrSparse &a, const TensorOrSparse &b) {
  Operands found;
  DType dtypes[2] = {DType::Invalid, DType::Invalid};
  const TensorOrSparse *given[] = {&a, &b};
  for (size_t i = 0; i < 2; ++i) {
    found.sparse[i] = given[i]->sparse();
    if (!found.sparse[i])
      found.dense[i] = convert(*given[i]->tensor(), i == 0 ? "a" : "b");
    const Output &values =
        found.sparse[i] ? found.sparse[i]->values : found.dense[i];
    if (!values.node)
      return found;
    dtypes[i] = values.dtype();
    if (i == 0 && !isOfSet(dtypes[0])) {
      failed(invalidArgumentError(strCat(
                 "'a' has invalid dtype `<dtype: '", dtypeName(dtypes[0]),
                 "'>` not in supported dtypes of sets")),
             "");
      return found;
    }
  }
  if (dtypes[0] != dtypes[1]) {
    failed(invalidArgumentError(strCat("Types don't match, <dtype: '",
                                       dtypeName(dtypes[0]), "'> vs <dtype: '",
                                       dtypeName(dtypes[1]), "'>.")),
           "");
    return found;
  }
  if (found.sparse[0] && !found.sparse[1]) {
    std::swap(found.sparse[0], found.sparse[1]);
    std::swap(found.dense[0], found.dense[1]);
    found.areSwapped = true;
  }
  found.areThere = true;
  return found;
}

SparseTensor setOperation(const Operands &given, const std::string &operation,
                          bool validates) {
  if (!given.areThere)
    return {};
  const SparseTensor *a = given.sparse[0], *b = given.sparse[1];
  auto made = [](const auto &found) {
    return makeSparseTensor(found.resultIndices, found.resultValues,
                            found.resultShape);
  };
  if (a)
    return made(rawOps::sparseToSparseSetOperation(
        a->indices, a->values, a->denseShape, b->indices, b->values,
        b->denseShape, operation, {.validateIndices = validates}));
  if (b)
    return made(rawOps::denseToSparseSetOperation(
        given.dense[0], b->indices, b->values, b->denseShape, operation,
        {.validateIndices = validates}));
  return made(rawOps::denseToDenseSetOperation(given.dense[0], given.dense[1],
                                               operation,
                                               {.validateIndices = validates}));
}

} // namespace

Output setSize(const SparseTensor &a, bool validateIndices) {
  GraphScope graph(GraphBuilder::of(a.values));
  if (a.values.node && !isOfSet(a.dtype()))
    return failed(invalidArgumentError(
                      strCat("Invalid dtype `<dtype: '", dtypeName(a.dtype()),
                             "'>` not in supported dtypes of sets")),
                  "SetSize");
  return rawOps::setSize(a.indices, a.values, a.denseShape,
                         {.validateIndices = validateIndices});
}

SparseTensor setIntersection(const TensorOrSparse &a, const TensorOrSparse &b,
                             bool validateIndices) {
  GraphScope graph(builderOf(a, b));
  return setOperation(operandsOf(a, b), "intersection", validateIndices);
}
SparseTensor setDifference(const TensorOrSparse &a, const TensorOrSparse &b,
                           bool aMinusB, bool validateIndices) {
  GraphScope graph(builderOf(a, b));
  Operands given = operandsOf(a, b);
  bool isFirst = aMinusB != given.areSwapped;
  return setOperation(given, isFirst ? "a-b" : "b-a", validateIndices);
}
SparseTensor setUnion(const TensorOrSparse &a, const TensorOrSparse &b,
                      bool validateIndices) {
  GraphScope graph(builderOf(a, b));
  return setOperation(operandsOf(a, b), "union", validateIndices);
}

namespace {

/// The parts of features that are crossed; what is no text is an int64.
struct Features {
  std::vector<Output> indices, values, shapes, dense;
  bool hasNumbers = false;
};

Features featuresOf(const std::vector<TensorOrSparse> &inputs) {
  Features all;
  for (const TensorOrSparse &each : inputs) {
    if (const SparseTensor *sparse = each.sparse()) {
      all.indices.push_back(sparse->indices);
      all.values.push_back(sparse->values);
      all.shapes.push_back(sparse->denseShape);
    } else {
      all.dense.push_back(valueOf(*each.tensor()));
    }
  }
  for (std::vector<Output> *list : {&all.values, &all.dense})
    for (Output &each : *list)
      if (each.node && each.dtype() != DType::String) {
        each = cast(each, DType::Int64);
        all.hasNumbers = true;
      }
  return all;
}

} // namespace

SparseTensor sparseCross(const std::vector<TensorOrSparse> &inputs,
                         const SparseCrossOptions &options) {
  if (inputs.empty()) {
    failed(invalidArgumentError("expected features to cross, got none"),
           options.name.empty() ? "SparseCrossV2" : options.name);
    return {};
  }
  GraphScope graph(builderOf(inputs[0], inputs.back()));
  Output separator =
      convert(options.separator.value_or(Input("_X_")), "", DType::String);
  Features all = featuresOf(inputs);
  auto found =
      rawOps::sparseCrossV2(all.indices, all.values, all.shapes, all.dense,
                            separator, {.name = options.name});
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          found.outputShape);
}

SparseTensor sparseCrossHashed(const std::vector<TensorOrSparse> &inputs,
                               const SparseCrossHashedOptions &options) {
  if (inputs.empty()) {
    failed(invalidArgumentError("expected features to cross, got none"),
           options.name.empty() ? "SparseCross" : options.name);
    return {};
  }
  constexpr int64_t defaultKey = 0xDECAFCAFFE;
  GraphScope graph(builderOf(inputs[0], inputs.back()));
  Features all = featuresOf(inputs);
  auto found = rawOps::sparseCross(
      all.indices, all.values, all.shapes, all.dense, true, options.numBuckets,
      options.hashKey == 0 ? defaultKey : options.hashKey, DType::Int64,
      all.hasNumbers ? DType::Int64 : DType::String, {.name = options.name});
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          found.outputShape);
}

Output serializeSparse(const SparseTensor &input,
                       const SerializeSparseOptions &options) {
  return rawOps::serializeSparse(
      input.indices, input.values, input.denseShape,
      {.outType = options.outType, .name = options.name});
}
Output serializeManySparse(const SparseTensor &input,
                           const SerializeSparseOptions &options) {
  return rawOps::serializeManySparse(
      input.indices, input.values, input.denseShape,
      {.outType = options.outType, .name = options.name});
}

namespace {

/// The three parts of a node, and what is known of their shapes.
SparseTensor withRank(const std::function<const Node *()> &add, int64_t rank) {
  BuildState &state = GraphBuilder::current().internals();
  HoldScope hold(state);
  const Node *node = add();
  if (!node)
    return {};
  SparseTensor parts{{node, 0}, {node, 1}, {node, 2}};
  auto narrow = [&](const Output &output, const Shape &shape) {
    auto merged = output.shape().merge(shape);
    if (merged.ok())
      setShape(state, output, *merged);
  };
  narrow(parts.indices, {Shape::unknownDim, rank});
  narrow(parts.denseShape, {rank});
  return makeSparseTensor(parts.indices, parts.values, parts.denseShape);
}

} // namespace

SparseTensor deserializeSparse(const Input &serializedSparse, DType dtype,
                               const DeserializeSparseOptions &options) {
  GraphScope graph(builderOf(serializedSparse, serializedSparse));
  return withRank(
      [&] {
        return rawOps::deserializeSparse(serializedSparse, dtype,
                                         {.name = options.name})
            .operation;
      },
      options.rank);
}
SparseTensor deserializeManySparse(const Input &serializedSparse, DType dtype,
                                   const DeserializeSparseOptions &options) {
  GraphScope graph(builderOf(serializedSparse, serializedSparse));
  return withRank(
      [&] {
        return rawOps::deserializeManySparse(serializedSparse, dtype,
                                             {.name = options.name})
            .operation;
      },
      options.rank);
}

Output editDistance(const SparseTensor &hypothesis, const SparseTensor &truth,
                    const EditDistanceOptions &options) {
  return rawOps::editDistance(
      hypothesis.indices, hypothesis.values, hypothesis.denseShape,
      truth.indices, truth.values, truth.denseShape,
      {.normalize = options.normalize, .name = options.name});
}

Output ctcLoss(const SparseTensor &labels, const Input &inputs,
               const Input &sequenceLength, const CtcLossOptions &options) {
  GraphScope graph(builderOf(inputs, inputs));
  Output logits = convert(inputs, "logits");
  if (!logits.node)
    return {};
  if (!options.timeMajor)
    logits = permute(logits, {1, 0, 2});
  DType dtype = logits.node ? logits.dtype() : DType::Invalid;
  bool isNarrow = dtype == DType::Float16 || dtype == DType::BFloat16;
  if (isNarrow)
    logits = cast(logits, DType::Float32);
  Output loss =
      rawOps::ctcLoss(
          logits, labels.indices, labels.values, sequenceLength,
          {.preprocessCollapseRepeated = options.preprocessCollapseRepeated,
           .ctcMergeRepeated = options.ctcMergeRepeated,
           .ignoreLongerOutputsThanInputs =
               options.ignoreLongerOutputsThanInputs})
          .loss;
  return isNarrow && loss.node ? cast(loss, dtype) : loss;
}

CtcDecoded ctcGreedyDecoder(const Input &inputs, const Input &sequenceLength,
                            bool mergeRepeated) {
  GraphScope graph(builderOf(inputs, inputs));
  auto found = rawOps::ctcGreedyDecoder(inputs, sequenceLength,
                                        {.mergeRepeated = mergeRepeated});
  return {{makeSparseTensor(found.decodedIndices, found.decodedValues,
                            found.decodedShape)},
          found.logProbability};
}

CtcDecoded ctcBeamSearchDecoder(const Input &inputs,
                                const Input &sequenceLength, int64_t beamWidth,
                                int64_t topPaths, bool mergeRepeated) {
  GraphScope graph(builderOf(inputs, inputs));
  auto found =
      rawOps::ctcBeamSearchDecoder(inputs, sequenceLength, beamWidth, topPaths,
                                   {.mergeRepeated = mergeRepeated});
  CtcDecoded all{{}, found.logProbability};
  for (size_t i = 0; i < found.decodedIndices.size(); ++i)
    all.decoded.push_back(makeSparseTensor(found.decodedIndices[i],
                                           found.decodedValues[i],
                                           found.decodedShape[i]));
  return all;
}

namespace {

/// An extent: a number where it is known and not 0.
Input extentOf(const Output &tensor, int axis) {
  if (int64_t extent = tensor.shape().dim(axis); extent > 0)
    return extent;
  Output all = shape(tensor);
  return all.node ? all[axis] : Output();
}

} // namespace

CollapsedLabels collapseRepeated(const Input &labels, const Input &seqLength,
                                 const OpOptions &options) {
  FunctionScope scope(options.name, "collapse_repeated_labels",
                      {&labels, &seqLength});
  Output given = convert(labels, "labels");
  Output lengths = convert(seqLength, "seq_length");
  if (!given.node || !lengths.node)
    return {};
  Output first =
      onesLike(given[{sliceAll(), sliceTo(1)}], {.dtype = DType::Bool});
  Output next = given[{sliceAll(), sliceFrom(1)}];
  Output differs = rawOps::notEqual(next, given[{sliceAll(), sliceTo(-1)}]);
  Output mask = concat({first, differs}, 1);
  Output isInside = sequenceMask(lengths, {.maxLength = extentOf(given, 1)});
  mask = rawOps::logicalAnd(mask, isInside);
  Output counts = reduceSumOver(cast(mask, DType::Int32), 1);
  Output most = reduceMax(counts);
  Output places = sequenceMask(counts, {.maxLength = most});
  Output flat = rawOps::reshape(given, {-1});
  Output flatMask = rawOps::reshape(mask, {-1});
  Output flatPlaces = rawOps::reshape(places, {-1});
  if (!flatPlaces.node || !flatMask.node)
    return {};
  Output numbers = range(extentOf(flatPlaces, 0));
  Output indices = expandDims(booleanMask(numbers, flatPlaces), 1);
  Output updates = booleanMask(flat, flatMask);
  flat = rawOps::scatterNd(indices, updates, shape(flatPlaces));
  Input batch = extentOf(given, 0);
  Output rows = rawOps::reshape(flat, Input(Input::List{batch, most}));
  return {rows, counts.node ? cast(counts, lengths.dtype()) : Output()};
}

} // namespace kiln::ops
