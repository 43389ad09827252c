// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape functions of ops that C code registers see and compute.
#include "capi/Plugins.h"

using namespace kiln;
using namespace kiln::capi;

struct TF_ShapeHandle {
  Shape shape = Shape::unknownRank();
};
struct TF_DimensionHandle {
  int64_t value = Shape::unknownDim;
};
struct TF_ShapeInferenceContext {
  const Node &node;
  std::span<const Shape> inputs;
  std::vector<Shape> outputs;
};

namespace {

/// Which ranks a function demands: "", "at least " or "at most ".
enum class Demand { Equal, AtLeast, AtMost };

void withRank(const TF_ShapeHandle &handle, int64_t rank, Demand demand,
              TF_ShapeHandle &result, TF_Status *status) {
  clearStatus(status);
  const Shape shape = handle.shape;
  if (rank < 0 || rank > Shape::maxRank)
    return setStatus(status,
                     invalidArgumentError("Rank cannot exceed kint32max"));
  const bool fits =
      !shape.hasRank() || (demand == Demand::Equal     ? shape.rank() == rank
                           : demand == Demand::AtLeast ? shape.rank() >= rank
                                                       : shape.rank() <= rank);
  if (!fits) {
    constexpr const char *texts[] = {"", "at least ", "at most "};
    return setStatus(
        status, invalidArgumentError(std::string("Shape must be ") +
                                     texts[static_cast<int>(demand)] + "rank " +
                                     std::to_string(rank) + " but is rank " +
                                     std::to_string(shape.rank())));
  }
  result.shape = shape.hasRank() || demand != Demand::Equal
                     ? shape
                     : Shape::unknownDims(static_cast<int>(rank));
}

bool hasInput(const TF_ShapeInferenceContext &context, int i) {
  return i >= 0 && static_cast<size_t>(i) < context.inputs.size();
}

} // namespace

StatusOr<std::vector<Shape>>
kiln::capi::inferShapes(const Node &node, std::span<const Shape> inputs) {
  TF_ShapeInferenceContext context{
      node, inputs,
      std::vector<Shape>(static_cast<size_t>(std::max(node.numOutputs(), 0)),
                         Shape::unknownRank())};
  TF_Status status;
  if (ShapeFunction shape = shapeFunctionOf(node.op()))
    shape(&context, &status);
  if (status.code != TF_OK)
    return Status(static_cast<StatusCode>(status.code), status.message);
  return std::move(context.outputs);
}

TF_ShapeHandle *TF_NewShapeHandle(void) { return new TF_ShapeHandle; }
TF_DimensionHandle *TF_NewDimensionHandle(void) {
  return new TF_DimensionHandle;
}
void TF_DeleteShapeHandle(TF_ShapeHandle *handle) { delete handle; }
void TF_DeleteDimensionHandle(TF_DimensionHandle *handle) { delete handle; }

int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext *ctx) {
  return static_cast<int64_t>(ctx->inputs.size());
}

void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext *ctx, int i,
                                      TF_ShapeHandle *handle,
                                      TF_Status *status) {
  clearStatus(status);
  if (!hasInput(*ctx, i))
    return setStatus(status, invalidArgumentError("input index out of range"));
  handle->shape = ctx->inputs[static_cast<size_t>(i)];
}

void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext *ctx, int i,
                                       TF_ShapeHandle *handle,
                                       TF_Status *status) {
  clearStatus(status);
  if (i < 0 || static_cast<size_t>(i) >= ctx->outputs.size())
    return setStatus(status, invalidArgumentError("output index out of range"));
  ctx->outputs[static_cast<size_t>(i)] = handle->shape;
}

TF_ShapeHandle *TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext *) {
  return new TF_ShapeHandle{Shape()};
}

TF_ShapeHandle *
TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext *,
                                       size_t size) {
  return new TF_ShapeHandle{Shape({static_cast<int64_t>(size)})};
}

void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext *ctx,
                                          const char *attr_name,
                                          TF_DataType *val, TF_Status *status) {
  TF_OperationGetAttrType(operationOf(&ctx->node), attr_name, val, status);
}

int64_t TF_ShapeInferenceContextRank(TF_ShapeInferenceContext *,
                                     TF_ShapeHandle *handle) {
  return handle->shape.rank();
}

int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext *,
                                      TF_ShapeHandle *handle) {
  return handle->shape.hasRank();
}

void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext *,
                                      TF_ShapeHandle *handle, int64_t rank,
                                      TF_ShapeHandle *result,
                                      TF_Status *status) {
  withRank(*handle, rank, Demand::Equal, *result, status);
}

void TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext *,
                                             TF_ShapeHandle *handle,
                                             int64_t rank,
                                             TF_ShapeHandle *result,
                                             TF_Status *status) {
  withRank(*handle, rank, Demand::AtLeast, *result, status);
}

void TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext *,
                                            TF_ShapeHandle *handle,
                                            int64_t rank,
                                            TF_ShapeHandle *result,
                                            TF_Status *status) {
  withRank(*handle, rank, Demand::AtMost, *result, status);
}

void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext *,
                                 TF_ShapeHandle *shape_handle, int64_t i,
                                 TF_DimensionHandle *result) {
  const Shape &shape = shape_handle->shape;
  const bool isThere = i >= -shape.rank() && i < shape.rank();
  result->value = isThere ? shape.dim(static_cast<int>(i)) : Shape::unknownDim;
}

void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext *,
                                      TF_ShapeHandle *shape_handle,
                                      int64_t start, int64_t end,
                                      TF_ShapeHandle *result,
                                      TF_Status *status) {
  clearStatus(status);
  const Shape shape = shape_handle->shape;
  if (!shape.hasRank()) {
    result->shape = shape;
    return;
  }
  const int64_t rank = shape.rank();
  auto fail = [&](const std::string &text) {
    setStatus(status, invalidArgumentError(text + ", for shape with rank " +
                                           std::to_string(rank)));
  };
  const int64_t first = start < 0 ? rank + start : std::min(start, rank),
                last = end < 0 ? rank + end : std::min(end, rank);
  if (first < 0)
    return fail("Subshape start out of bounds: " + std::to_string(start));
  if (last < 0)
    return fail("Subshape end out of bounds: " + std::to_string(end));
  if (first > last)
    return setStatus(
        status, invalidArgumentError(
                    "Subshape must have computed start <= end, but is " +
                    std::to_string(first) + " and " + std::to_string(last) +
                    " (computed from start " + std::to_string(start) +
                    " and end " + std::to_string(end) +
                    " over shape with rank " + std::to_string(rank) + ")"));
  result->shape = Shape(shape.dims().subspan(
      static_cast<size_t>(first), static_cast<size_t>(last - first)));
}

void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext *ctx,
                                             TF_Status *status) {
  clearStatus(status);
  for (Shape &output : ctx->outputs)
    output = Shape::unknownRank();
}

void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext *,
                                               TF_ShapeHandle *first,
                                               TF_ShapeHandle *second,
                                               TF_ShapeHandle *result,
                                               TF_Status *status) {
  clearStatus(status);
  if (!first->shape.hasRank() || !second->shape.hasRank()) {
    result->shape = Shape::unknownRank();
    return;
  }
  Shape both = first->shape;
  for (int64_t dim : second->shape.dims())
    both.appendDim(dim);
  if (both.rank() > Shape::maxRank)
    return setStatus(status,
                     invalidArgumentError("expected at most " +
                                          std::to_string(Shape::maxRank) +
                                          " dimensions"));
  result->shape = std::move(both);
}

int TF_DimensionHandleValueKnown(TF_DimensionHandle *dim_handle) {
  return dim_handle->value >= 0;
}

int64_t TF_DimensionHandleValue(TF_DimensionHandle *dim_handle) {
  return dim_handle->value;
}
