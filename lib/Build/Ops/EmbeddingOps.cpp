// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of parameters, as TensorFlow's Python looks them up.
#include "kiln/ops/EmbeddingOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Selection.h"
#include "kiln/ops/State.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

/// A part of the parameters, which stays a handle where it is one.
struct Part {
  Variable resource;
  Output tensor;

  const Shape &shape() const {
    return resource.isValid() ? resource.shape() : tensor.shape();
  }
  Input input() const {
    return resource.isValid() ? Input(resource) : Input(tensor);
  }
  ControlInput place() const {
    return resource.isValid() ? resource.handle() : tensor;
  }
  Output rows(const Output &ids, const std::string &name) const {
    if (!resource.isValid())
      return gather(tensor, ids, {.name = name});
    return rawOps::resourceGather(resource.handle(), ids, resource.dtype(),
                                  {.name = name.empty() ? "Gather" : name});
  }
};

std::vector<Part> partsOf(const std::vector<Input> &params) {
  std::vector<Part> parts;
  bool hasHandles = false;
  for (const Input &each : params) {
    Part part;
    if (const auto *data =
            std::get_if<std::shared_ptr<const VariableData>>(&each.value());
        data && Variable::of(*data).isResource())
      part.resource = Variable::of(*data);
    hasHandles |= part.resource.isValid();
    parts.push_back(part);
  }
  for (size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].resource.isValid())
      parts[i].tensor = hasHandles ? valueOf(params[i])
                                   : convert(params[i], strCat("params_", i));
  return parts;
}

/// In which part each id is, and which of its rows it is.
struct Assignment {
  Output part, row;
};

Assignment assignByRemainder(const Output &ids, int64_t parts) {
  Output part = ids % parts;
  return {part, floorDiv(ids, parts)};
}

/// How many rows all parts have together.
Output countRows(const std::vector<Part> &parts, DType dtype) {
  int64_t known = 0;
  bool isKnown = true;
  for (const Part &part : parts) {
    int64_t rows = part.shape().rank() > 0 ? part.shape().dim(0) : -1;
    isKnown &= rows >= 0;
    known += rows;
  }
  if (isKnown && known > 0)
    return constant(known, {.dtype = dtype});
  std::vector<Input> counts;
  for (const Part &part : parts) {
    if (part.shape().rank() > 0 && part.shape().dim(0) >= 0) {
      counts.emplace_back(part.shape().dim(0));
    } else {
      ColocationScope place(part.place());
      counts.emplace_back(shape(part.input())[0]);
    }
  }
  return reduceSum(cast(stack(counts), dtype));
}

Assignment assignByQuotient(const Output &ids, const std::vector<Part> &parts) {
  auto count = static_cast<int64_t>(parts.size());
  Output total = countRows(parts, ids.dtype());
  Output perPart = floorDiv(total, count);
  Output extras = total % count;
  Output ofLarger = floorDiv(ids, perPart + 1);
  Output behind = ids - extras;
  Output part = maximum(ofLarger, floorDiv(behind, perPart));
  Output isLarger = part < extras;
  Output inLarger = ids % (perPart + 1);
  behind = ids - extras;
  return {part, where(isLarger, inLarger, behind % perPart)};
}

/// The shape of a row: numbers where all parts tell, otherwise the first's.
Input rowShape(const std::vector<Part> &parts) {
  Shape known = Shape::unknownRank();
  for (const Part &part : parts) {
    if (!part.shape().hasRank() || part.shape().rank() == 0)
      continue;
    auto dims = part.shape().dims().subspan(1);
    auto merged = known.merge(Shape(std::vector(dims.begin(), dims.end())));
    if (!merged.ok()) {
      GraphBuilder::current().fail(merged.status());
      return Output();
    }
    known = *merged;
  }
  if (known.isFullyDefined())
    return Input(
        std::vector<int32_t>(known.dims().begin(), known.dims().end()));
  Output whole;
  {
    ColocationScope place(parts[0].place());
    whole = shape(parts[0].input());
  }
  return whole[{sliceFrom(1)}];
}

Output lookupInParts(const std::vector<Part> &parts, const Output &ids,
                     const std::string &strategy, const std::string &scope) {
  auto count = static_cast<int64_t>(parts.size());
  Output flat = rawOps::reshape(ids, {-1});
  Output places = range(size(flat));
  if (!places.node)
    return {};
  Assignment assigned = strategy == "mod" ? assignByRemainder(flat, count)
                                          : assignByQuotient(flat, parts);
  Output partition = cast(assigned.part, DType::Int32);
  std::vector<Output> rows =
      rawOps::dynamicPartition(assigned.row, partition, count);
  std::vector<Output> placesOfPart =
      rawOps::dynamicPartition(places, partition, count);
  if (static_cast<int64_t>(rows.size()) != count ||
      static_cast<int64_t>(placesOfPart.size()) != count)
    return {};
  std::vector<Output> found;
  for (size_t i = 0; i < parts.size(); ++i) {
    DeviceScope noWish("");
    ColocationScope place(parts[i].place());
    found.push_back(parts[i].rows(rows[i], ""));
  }
  Output all =
      rawOps::parallelDynamicStitch(placesOfPart, found, {.name = scope});
  Input row = rowShape(parts);
  Output idsShape = shape(ids);
  return rawOps::reshape(all, concat({idsShape, row}, 0));
}

} // namespace

Output embeddingLookup(const EmbeddingParameters &params, const Input &ids,
                       const EmbeddingOptions &options) {
  if (params.list().empty())
    return failed(invalidArgumentError("Length of params is currently 0. Need "
                                       "at least one param."),
                  options.name);
  FunctionScope scope(options.name, "embedding_lookup",
                      {&params.list()[0], &ids});
  std::vector<Part> parts = partsOf(params.list());
  Output indices = convert(ids, "ids");
  if (!indices.node || !GraphBuilder::current().status().ok())
    return {};
  if (parts.size() == 1) {
    Output found;
    {
      ColocationScope place(parts[0].place());
      found = parts[0].rows(indices, scope);
      if (found.node && options.rowFunction)
        found = options.rowFunction(found, indices);
    }
    return {found.node ? addIdentity(found, "") : nullptr, 0};
  }
  if (options.partitionStrategy != "mod" && options.partitionStrategy != "div")
    return failed(
        invalidArgumentError(strCat(
            "Unrecognized partition strategy: ", options.partitionStrategy,
            ".Must be one of either `mod` or `div`.")),
        scope);
  Output found =
      lookupInParts(parts, indices, options.partitionStrategy, scope);
  return found.node && options.rowFunction ? options.rowFunction(found, indices)
                                           : found;
}

namespace {

/// Sums rows by segment, each times its weight.
Output combineWeighted(Output rows, Output segments, Output weights,
                       const std::string &combiner, const std::string &scope) {
  DType dtype = rows.dtype();
  bool isNarrow = dtype == DType::Float16 || dtype == DType::BFloat16;
  if (isNarrow)
    rows = cast(rows, DType::Float32);
  weights = cast(weights, rows.dtype());
  Output ones =
      ops::ones(expandDims(rank(rows) - 1, 0), {.dtype = DType::Int32});
  weights = rawOps::reshape(weights, concat({shape(weights), ones}, 0));
  rows = rows * weights;
  Output result;
  if (combiner == "sum") {
    result = rawOps::segmentSum(rows, segments, {.name = scope});
  } else {
    Output sum = rawOps::segmentSum(rows, segments);
    Output divisor;
    if (combiner == "mean")
      divisor = rawOps::segmentSum(weights, segments);
    else
      divisor = rawOps::sqrt(rawOps::segmentSum(pow(weights, 2), segments));
    result = rawOps::divNoNan(sum, divisor, {.name = scope});
  }
  return result.node ? cast(result, dtype) : result;
}

} // namespace

Output embeddingLookupSparse(const EmbeddingParameters &params,
                             const SparseTensor &ids,
                             const SparseEmbeddingOptions &options) {
  const std::string &combiner = options.combiner;
  if (combiner != "sum" && combiner != "mean" && combiner != "sqrtn")
    return failed(invalidArgumentError(
                      strCat("combiner must be one of 'mean', 'sqrtn' or "
                             "'sum', got ",
                             combiner)),
                  options.name);
  if (params.list().empty())
    return embeddingLookup(params, Input(ids.values));
  Input given(ids.indices);
  FunctionScope scope(options.name, "embedding_lookup_sparse",
                      {&params.list()[0], &given});
  if (!ids.indices.node || !ids.values.node)
    return {};
  Output segments = ids.indices[{sliceAll(), 0}];
  EmbeddingParameters whole = params;
  Output table;
  if (params.list().size() == 1) {
    const auto *data = std::get_if<std::shared_ptr<const VariableData>>(
        &params.list()[0].value());
    if (!data || !Variable::of(*data).isResource()) {
      table = convert(params.list()[0], "params");
      whole = EmbeddingParameters(table);
    }
  }
  if (!segments.node || !GraphBuilder::current().status().ok())
    return {};
  // Where the rows are, they are taken as often as they are named.
  bool isDirect = table.node && !options.weights && !options.rowFunction &&
                  table.node->device() == segments.node->device();
  Output rows = table, places = ids.values;
  if (!isDirect) {
    auto distinct = rawOps::unique(ids.values);
    rows = embeddingLookup(whole, distinct.y,
                           {.partitionStrategy = options.partitionStrategy,
                            .rowFunction = options.rowFunction});
    places = distinct.idx;
  }
  if (!rows.node)
    return {};
  if (options.weights) {
    segments = cast(segments, DType::Int32);
    return combineWeighted(gather(rows, places), segments,
                           options.weights->values, combiner, scope);
  }
  if (combiner == "sum")
    return rawOps::sparseSegmentSum(
        rows, places, segments, {.sparseGradient = isDirect, .name = scope});
  if (combiner == "mean")
    return rawOps::sparseSegmentMean(
        rows, places, segments, {.sparseGradient = isDirect, .name = scope});
  return rawOps::sparseSegmentSqrtN(
      rows, places, segments, {.sparseGradient = isDirect, .name = scope});
}

} // namespace kiln::ops
