// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tuples against their queue, cuts batches into elements and joins
// elements into batches.
#include "lib/Ops/Queue/HostQueueBatches.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/Elements.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

Shape withBatch(int64_t count, const Shape &shape) {
  Shape batch;
  batch.appendDim(count);
  for (int64_t dim : shape.dims())
    batch.appendDim(dim);
  return batch;
}

Status shapeMismatch(size_t component, const Shape &expected,
                     const Shape &got) {
  return invalidArgumentError(
      strCat("Shape mismatch in tuple component ", component, ". Expected ",
             expected.toString(), ", got ", got.toString()));
}

/// The shape that all of these elements fit into.
Shape shapeOfAll(Shape shape, size_t component, size_t step,
                 std::span<const Tensor> items) {
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape.dim(d) != Shape::unknownDim)
      continue;
    int64_t largest = 0;
    for (size_t i = component; i < items.size(); i += step)
      largest = std::max(largest, items[i].dim(d));
    shape.setDim(d, largest);
  }
  return shape;
}

/// Copies an element into the corner of a larger place of the batch, which
/// begins at element `at`.
void copyIntoCorner(Tensor &batch, int64_t at, const Tensor &item) {
  if (item.numElements() == 0)
    return;
  const int rank = item.rank();
  const int64_t row = rank == 0 ? 1 : item.dim(rank - 1);
  std::vector<int64_t> index(static_cast<size_t>(rank), 0);
  for (int64_t from = 0; from < item.numElements(); from += row) {
    int64_t to = 0;
    for (int d = 0; d < rank; ++d)
      to = to * batch.dim(d + 1) + index[static_cast<size_t>(d)];
    copyElements(batch, at + to, item, from, row);
    for (int d = rank - 2; d >= 0; --d) {
      if (++index[static_cast<size_t>(d)] < item.dim(d))
        break;
      index[static_cast<size_t>(d)] = 0;
    }
  }
}

/// Component `component` of elements, one behind the other.
StatusOr<Tensor> joinBatch(const QueueSpec &spec, size_t component,
                           std::span<const Tensor> items) {
  const size_t step = spec.types.size(), count = items.size() / step;
  const Shape &declared = spec.shapes[component];
  const bool isPadded = !declared.isFullyDefined();
  const Shape shape = withBatch(static_cast<int64_t>(count),
                                shapeOfAll(declared, component, step, items));
  KILN_ASSIGN_OR_RETURN(
      Tensor batch, isPadded ? Tensor::zeros(spec.types[component], shape)
                             : Tensor::create(spec.types[component], shape));
  const int64_t place =
      count == 0 ? 0 : batch.numElements() / static_cast<int64_t>(count);
  for (size_t i = 0; i < count; ++i) {
    const Tensor &item = items[i * step + component];
    const int64_t at = static_cast<int64_t>(i) * place;
    if (item.numElements() == place)
      copyElements(batch, at, item, 0, place);
    else
      copyIntoCorner(batch, at, item);
  }
  return batch;
}

} // namespace

Status checkElement(const QueueSpec &spec, std::span<const Tensor> tuple) {
  for (size_t i = 0; i < spec.shapes.size(); ++i)
    if (!tuple[i].shape().isCompatibleWith(spec.shapes[i]))
      return shapeMismatch(i, spec.shapes[i], tuple[i].shape());
  return okStatus();
}

Status checkBatch(const QueueSpec &spec, std::span<const Tensor> tuple) {
  for (size_t i = 0; i < tuple.size(); ++i) {
    const Shape &shape = tuple[i].shape();
    if (shape.rank() == 0 && (i == 0 || spec.shapes.empty()))
      return invalidArgumentError(
          strCat("Shape mismatch in tuple component ", i,
                 ". Expected a batch of elements, got []"));
    int64_t count = tuple[0].shape().dim(0);
    if (!spec.shapes.empty())
      if (Shape expected = withBatch(count, spec.shapes[i]);
          !shape.isCompatibleWith(expected))
        return shapeMismatch(i, expected, shape);
    if (shape.dim(0) != count)
      return invalidArgumentError(strCat(
          "All input tensors must have the same size in the 0th dimension. "
          "Component ",
          i, " has ", shape.dim(0), ", and should have ", count));
  }
  return okStatus();
}

StatusOr<std::vector<Tensor>> splitBatch(std::span<const Tensor> tuple) {
  std::vector<Tensor> items;
  uint64_t failedBytes = 0;
  if (!reserveData(items, static_cast<size_t>(tuple[0].dim(0)) * tuple.size(),
                   failedBytes))
    return outOfMemory("the list of a batch's elements", failedBytes);
  for (int64_t element = 0; element < tuple[0].dim(0); ++element)
    for (const Tensor &batch : tuple) {
      Shape shape(batch.shape().dims().subspan(1));
      KILN_ASSIGN_OR_RETURN(Tensor item, Tensor::create(batch.dtype(), shape));
      copyElements(item, 0, batch, element * item.numElements(),
                   item.numElements());
      items.push_back(std::move(item));
    }
  return items;
}

Status joinBatches(const QueueSpec &spec, std::span<const Tensor> items,
                   std::span<Tensor> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(outputs[i], joinBatch(spec, i, items));
  }
  return okStatus();
}

} // namespace kiln
