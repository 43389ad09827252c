// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements put together, as they are or padded.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace kiln {
namespace {

/// Puts one component of some elements together.
using Stack = std::function<StatusOr<Tensor>(std::span<const Element> elements,
                                             size_t component)>;

/// A tensor of so many rows of a shape.
StatusOr<Tensor> makeBatch(DType dtype, size_t rows, const Shape &shape,
                           int64_t maxBytes) {
  std::vector<int64_t> dims{static_cast<int64_t>(rows)};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  KILN_ASSIGN_OR_RETURN(const Shape whole, Shape::fromDims(dims));
  KILN_ASSIGN_OR_RETURN(const int64_t count, whole.numElements());
  if (count >
      maxBytes / static_cast<int64_t>(std::max<size_t>(dtypeSize(dtype), 1)))
    return resourceExhaustedError(strCat("expected a batch of at most ",
                                         maxBytes, " bytes, got shape ",
                                         whole.toString()));
  return Tensor::create(dtype, whole);
}

/// **Errors**: INVALID_ARGUMENT for elements of different shapes, with
/// TensorFlow's text.
Status checkShapes(std::span<const Element> elements, size_t component) {
  const Shape &first = elements[0][component].shape();
  for (size_t i = 0; i < elements.size(); ++i)
    if (const Shape &shape = elements[i][component].shape(); shape != first)
      return invalidArgumentError(
          strCat("Cannot batch tensors with different shapes in component ",
                 component, ". First element had shape ", first.toString(),
                 " and element ", i, " had shape ", shape.toString(), "."));
  return okStatus();
}

/// The variants of tensors of one shape.
StatusOr<Tensor> stackVariants(std::span<const Element> elements,
                               size_t component) {
  const Shape &shape = elements[0][component].shape();
  std::vector<int64_t> dims{static_cast<int64_t>(elements.size())};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  std::vector<VariantPtr> all;
  for (const Element &element : elements)
    std::ranges::copy(variantsOf(element[component]), std::back_inserter(all));
  return tensorOfVariants(Shape(dims), std::move(all));
}

StatusOr<Tensor> stackEqual(std::span<const Element> elements,
                            size_t component) {
  KILN_RETURN_IF_ERROR(checkShapes(elements, component));
  const Tensor &first = elements[0][component];
  if (first.dtype() == DType::Variant)
    return stackVariants(elements, component);
  KILN_ASSIGN_OR_RETURN(Tensor batch, makeBatch(first.dtype(), elements.size(),
                                                first.shape(), anyBytes));
  for (size_t i = 0; i < elements.size(); ++i)
    copyElements(elements[i][component], batch,
                 static_cast<int64_t>(i) * first.numElements());
  return batch;
}

/// Pads each element to one shape. **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts.
class PaddedStack {
public:
  PaddedStack(Padding padding, int64_t maxBytes)
      : padding(std::move(padding)), maxBytes(maxBytes) {}

  StatusOr<Tensor> operator()(std::span<const Element> elements,
                              size_t component) const {
    if (component >= padding.values.size() ||
        padding.values[component].dtype() != elements[0][component].dtype())
      return invalidArgumentError(
          strCat("expected a padding value for component ", component, ", ",
                 dtypeName(elements[0][component].dtype())));
    KILN_ASSIGN_OR_RETURN(Shape shape, shapeFor(elements, component));
    const Tensor &value = padding.values[component];
    KILN_ASSIGN_OR_RETURN(
        Tensor batch,
        makeBatch(value.dtype(), elements.size(), shape, maxBytes));
    fill(value, batch);
    KILN_ASSIGN_OR_RETURN(const int64_t each, shape.numElements());
    for (size_t i = 0; i < elements.size(); ++i)
      place(elements[i][component], batch, static_cast<int64_t>(i) * each,
            shape);
    return batch;
  }

private:
  StatusOr<Shape> shapeFor(std::span<const Element> elements,
                           size_t component) const {
    auto wanted = padding.shapes[component].data<int64_t>();
    std::vector<int64_t> dims(wanted.begin(), wanted.end());
    std::ranges::replace_if(dims, [](int64_t extent) { return extent < 0; }, 0);
    for (const Element &element : elements) {
      const Tensor &part = element[component];
      if (static_cast<size_t>(part.rank()) != dims.size())
        return invalidArgumentError(
            strCat("All elements in a batch must have the same rank as the "
                   "padded shape for component",
                   component, ": expected rank ", dims.size(),
                   " but got element with rank ", part.rank()));
      for (size_t d = 0; d < dims.size(); ++d) {
        const int64_t extent = part.dim(static_cast<int>(d));
        if (wanted[d] < 0)
          dims[d] = std::max(dims[d], extent);
        else if (extent > wanted[d])
          return dataLossError(
              "Attempted to pad to a smaller size than the input element.");
      }
    }
    return Shape::fromDims(dims);
  }

  static void fill(const Tensor &value, Tensor &batch) {
    const int64_t count = batch.numElements();
    if (batch.dtype() == DType::String) {
      std::ranges::fill(batch.mutableData<String>(), value.data<String>()[0]);
      return;
    }
    const size_t size = dtypeSize(batch.dtype());
    auto *to = static_cast<char *>(batch.mutableRawData());
    for (int64_t i = 0; i < count; ++i, to += size)
      std::copy_n(static_cast<const char *>(value.rawData()), size, to);
  }

  /// Rows of the last dimension lie together in both.
  static void place(const Tensor &part, Tensor &batch, int64_t begin,
                    const Shape &shape) {
    if (part.numElements() == 0)
      return;
    const int rank = part.rank();
    const int64_t row = rank == 0 ? 1 : part.dim(rank - 1);
    std::vector<int64_t> index(static_cast<size_t>(std::max(rank - 1, 0)));
    for (int64_t from = 0; from < part.numElements(); from += row) {
      int64_t to = 0;
      for (size_t d = 0; d < index.size(); ++d)
        to = (to + index[d]) * shape.dim(static_cast<int>(d) + 1);
      copyRow(part, from, batch, begin + to, row);
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < part.dim(static_cast<int>(d)))
          break;
        index[d] = 0;
      }
    }
  }

  static void copyRow(const Tensor &part, int64_t from, Tensor &batch,
                      int64_t to, int64_t count) {
    if (part.dtype() == DType::String) {
      std::copy_n(part.data<String>().begin() + from, count,
                  batch.mutableData<String>().begin() + to);
      return;
    }
    const auto size = static_cast<int64_t>(dtypeSize(part.dtype()));
    std::copy_n(static_cast<const char *>(part.rawData()) + from * size,
                count * size,
                static_cast<char *>(batch.mutableRawData()) + to * size);
  }

  Padding padding;
  int64_t maxBytes;
};

class Batched final : public Dataset {
public:
  Batched(DatasetPtr input, BatchSpec spec, Stack stack)
      : Dataset(input), input(std::move(input)), spec(spec),
        stack(std::move(stack)) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    const int64_t all = input->cardinality();
    if (all < 0)
      return all;
    return all / spec.size + (!spec.dropsRemainder && all % spec.size != 0);
  }
  int64_t rowsOfElements() const override {
    return spec.dropsRemainder ? spec.size : unknown;
  }

  const DatasetPtr input;
  const BatchSpec spec;
  const Stack stack;
};

class BatchedIterator final : public DatasetIterator {
public:
  BatchedIterator(IteratorPtr input, BatchSpec spec, Stack stack)
      : input(std::move(input)), spec(spec), stack(std::move(stack)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    element.clear();
    // A batch that fails takes its elements with it.
    std::vector<Element> elements;
    HeldBytes held(spec.maxBytes);
    while (input && static_cast<int64_t>(elements.size()) < spec.size) {
      KILN_RETURN_IF_ERROR(pull.poll());
      auto has = input->next(elements.emplace_back(), pull);
      KILN_RETURN_IF_ERROR(has.status());
      if (*has) {
        KILN_RETURN_IF_ERROR(held.add(elements.back()));
        continue;
      }
      elements.pop_back();
      input.reset();
    }
    const auto count = static_cast<int64_t>(elements.size());
    if (count == 0 || (spec.dropsRemainder && count < spec.size))
      return false;
    KILN_RETURN_IF_ERROR(checkAlike(elements));
    for (size_t component = 0; component < elements[0].size(); ++component) {
      KILN_ASSIGN_OR_RETURN(element.emplace_back(), stack(elements, component));
    }
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Batch");
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Batch"));
    return restoreInput(input, from, pull);
  }

private:
  IteratorPtr input; ///< null behind its last element
  const BatchSpec spec;
  const Stack stack;
};

StatusOr<IteratorPtr> Batched::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<BatchedIterator>(std::move(of), spec, stack);
}

StatusOr<DatasetPtr> batchedBy(DatasetPtr input, BatchSpec batch, Stack stack) {
  if (batch.size <= 0)
    return invalidArgumentError("Batch size must be greater than zero.");
  return DatasetPtr(
      std::make_shared<Batched>(std::move(input), batch, std::move(stack)));
}

} // namespace

StatusOr<DatasetPtr> batched(DatasetPtr input, BatchSpec batch) {
  return batchedBy(std::move(input), batch, stackEqual);
}

StatusOr<DatasetPtr> paddedBatches(DatasetPtr input, BatchSpec batch,
                                   Padding padding) {
  for (const Tensor &shape : padding.shapes)
    if (shape.rank() != 1)
      return invalidArgumentError("All padded shapes must be vectors");
  for (const Tensor &value : padding.values)
    if (value.rank() != 0)
      return invalidArgumentError("All padding values must be scalars");
  if (padding.shapes.size() != padding.values.size())
    return invalidArgumentError(
        strCat("expected a padding value for each of ", padding.shapes.size(),
               " padded shapes, got ", padding.values.size()));
  return batchedBy(std::move(input), batch,
                   PaddedStack(std::move(padding), batch.maxBytes));
}

} // namespace kiln
