// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets whose elements are sparse tensors: three tensors, or three variants.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Elements.h"
#include "lib/Support/SparseIndices.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

class SparseRows final : public Dataset,
                         public std::enable_shared_from_this<SparseRows> {
public:
  SparseRows(SparseParts parts, Tensor rowShape)
      : parts(std::move(parts)), rowShape(std::move(rowShape)) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;
  int64_t cardinality() const override {
    return parts.shape.data<int64_t>()[0];
  }

  const SparseParts parts;
  const Tensor rowShape;
};

class SparseRowsIterator final : public DatasetIterator {
public:
  explicit SparseRowsIterator(std::shared_ptr<const SparseRows> dataset)
      : dataset(std::move(dataset)) {}

  StatusOr<bool> next(Element &element, PullContext &) override {
    element.clear();
    if (row == dataset->cardinality())
      return false;
    const SparseParts &parts = dataset->parts;
    const auto indices = parts.indices.data<int64_t>();
    const auto rank = static_cast<size_t>(parts.indices.dim(1));
    int64_t end = at;
    while (end < parts.values.dim(0) &&
           indices[static_cast<size_t>(end) * rank] == row)
      ++end;
    std::vector<int64_t> own;
    for (int64_t i = at; i < end; ++i) {
      const auto index = indices.subspan(static_cast<size_t>(i) * rank, rank);
      own.insert(own.end(), index.begin() + 1, index.end());
    }
    KILN_ASSIGN_OR_RETURN(
        element.emplace_back(),
        Tensor::fromValues<int64_t>({end - at, static_cast<int64_t>(rank) - 1},
                                    std::span<const int64_t>(own)));
    KILN_ASSIGN_OR_RETURN(element.emplace_back(),
                          elementsOf(parts.values, at, end));
    element.push_back(dataset->rowShape);
    at = end;
    ++row;
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("SparseSlices");
    to.number(row);
    to.number(at);
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("SparseSlices"));
    KILN_RETURN_IF_ERROR(from.number(row, 0, dataset->cardinality()));
    return from.number(at, 0, dataset->parts.values.dim(0));
  }

private:
  const std::shared_ptr<const SparseRows> dataset;
  int64_t row = 0, at = 0; ///< the first value that is not in a row before
};

StatusOr<IteratorPtr> SparseRows::iterate(IterationState &) const {
  return std::make_unique<SparseRowsIterator>(shared_from_this());
}

/// What becomes of a batch of dense elements.
struct SparseBatch {
  Tensor indices, values;
  std::vector<int64_t> shape; ///< with the number of elements first
};

class SparseBatches final : public Dataset {
public:
  SparseBatches(DatasetPtr input, BatchSpec spec, Shape rowShape)
      : Dataset(input), input(std::move(input)), spec(spec),
        rowShape(std::move(rowShape)) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    const int64_t all = input->cardinality();
    return all < 0 ? all : all / spec.size + (all % spec.size != 0);
  }

  const DatasetPtr input;
  const BatchSpec spec;
  const Shape rowShape;
};

class SparseBatchIterator final : public DatasetIterator {
public:
  SparseBatchIterator(IteratorPtr input, BatchSpec spec, Shape rowShape)
      : input(std::move(input)), spec(spec), rowShape(std::move(rowShape)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    std::vector<Element> elements;
    HeldBytes held(spec.maxBytes);
    while (static_cast<int64_t>(elements.size()) < spec.size) {
      KILN_RETURN_IF_ERROR(pull.poll());
      Element taken;
      KILN_ASSIGN_OR_RETURN(bool has, input->next(taken, pull));
      if (!has)
        break;
      if (taken.size() != 1)
        return invalidArgumentError("DenseToSparseBatchDataset only supports "
                                    "inputs with a single component.");
      KILN_RETURN_IF_ERROR(held.add(taken));
      elements.push_back(std::move(taken));
    }
    if (elements.empty())
      return false;
    KILN_RETURN_IF_ERROR(checkAlike(elements));
    KILN_ASSIGN_OR_RETURN(SparseBatch batch, join(elements));
    std::vector<VariantPtr> parts;
    KILN_ASSIGN_OR_RETURN(
        Tensor shape,
        Tensor::fromValues<int64_t>({static_cast<int64_t>(batch.shape.size())},
                                    std::span<const int64_t>(batch.shape)));
    for (Tensor *part : {&batch.indices, &batch.values, &shape})
      parts.push_back(std::make_shared<TensorVariant>(std::move(*part)));
    element.assign(1, Tensor());
    KILN_ASSIGN_OR_RETURN(element[0],
                          tensorOfVariants(Shape({3}), std::move(parts)));
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("DenseToSparseBatch");
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("DenseToSparseBatch"));
    return input->restore(from, pull);
  }

private:
  /// Widens the shape by an element's.
  Status widen(const Tensor &part, std::vector<int64_t> &shape) const {
    if (part.rank() != rowShape.rank())
      return invalidArgumentError(
          strCat("Input element had shape (", part.shape().toString(),
                 ") that is incompatible with the row shape (",
                 rowShape.toString(), ")."));
    for (int d = 0; d < part.rank(); ++d) {
      int64_t &extent = shape[static_cast<size_t>(d) + 1];
      if (rowShape.dim(d) < 0)
        extent = std::max(extent, part.dim(d));
      else if (part.dim(d) > rowShape.dim(d))
        return dataLossError(strCat("Input element had shape (",
                                    part.shape().toString(),
                                    ") that is larger than the row shape (",
                                    rowShape.toString(), ")."));
    }
    return okStatus();
  }

  StatusOr<SparseBatch> join(const std::vector<Element> &elements) const {
    SparseBatch batch;
    batch.shape.push_back(static_cast<int64_t>(elements.size()));
    for (int64_t extent : rowShape.dims())
      batch.shape.push_back(std::max<int64_t>(extent, 0));
    int64_t count = 0;
    for (const Element &element : elements) {
      KILN_RETURN_IF_ERROR(widen(element[0], batch.shape));
      count += element[0].numElements();
    }
    const auto width = static_cast<int64_t>(batch.shape.size());
    KILN_ASSIGN_OR_RETURN(batch.indices,
                          Tensor::create(DType::Int64, Shape({count, width})));
    KILN_ASSIGN_OR_RETURN(
        batch.values, Tensor::create(elements[0][0].dtype(), Shape({count})));
    auto index = batch.indices.mutableData<int64_t>().begin();
    int64_t at = 0;
    for (size_t i = 0; i < elements.size(); ++i) {
      const Tensor &part = elements[i][0];
      std::vector<int64_t> place(static_cast<size_t>(part.rank()), 0);
      for (int64_t k = 0; k < part.numElements(); ++k) {
        *index++ = static_cast<int64_t>(i);
        index = std::ranges::copy(place, index).out;
        for (size_t d = place.size(); d-- > 0;) {
          if (++place[d] < part.dim(static_cast<int>(d)))
            break;
          place[d] = 0;
        }
      }
      copyElements(batch.values, at, part, 0, part.numElements());
      at += part.numElements();
    }
    return batch;
  }

  const IteratorPtr input;
  const BatchSpec spec;
  const Shape rowShape;
};

StatusOr<IteratorPtr> SparseBatches::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<SparseBatchIterator>(std::move(of), spec, rowShape);
}

} // namespace

StatusOr<DatasetPtr> sparseRows(SparseParts parts) {
  if (parts.indices.rank() != 2)
    return invalidArgumentError(strCat("Input indices must be a matrix. Got: ",
                                       parts.indices.shape().toString()));
  if (parts.values.rank() != 1)
    return invalidArgumentError(strCat("Input values must be a vector. Got: ",
                                       parts.values.shape().toString()));
  if (parts.shape.rank() != 1)
    return invalidArgumentError(strCat("Input shape must be a vector. Got: ",
                                       parts.shape.shape().toString()));
  if (parts.values.dim(0) != parts.indices.dim(0))
    return invalidArgumentError(
        strCat("Number of values must match first dimension of indices. Got ",
               parts.values.dim(0),
               " values, indices shape: ", parts.indices.shape().toString()));
  if (parts.shape.dim(0) != parts.indices.dim(1))
    return invalidArgumentError(strCat(
        "Number of dimensions must match second dimension of indices. Got ",
        parts.shape.dim(0),
        " dimensions, indices shape: ", parts.indices.shape().toString()));
  const auto shape = parts.shape.data<int64_t>();
  if (shape.empty())
    return invalidArgumentError(
        "The shape argument requires at least one element.");
  KILN_RETURN_IF_ERROR(Shape::fromDims(shape).status());
  const auto indices = parts.indices.data<int64_t>();
  int64_t before = -1;
  for (size_t i = 0; i < indices.size(); i += shape.size()) {
    if (indices[i] < before)
      return unimplementedError(
          "The SparseTensor must be ordered in the batch dimension; handling "
          "arbitrarily ordered input is not currently supported.");
    before = indices[i];
  }
  KILN_ASSIGN_OR_RETURN(
      Tensor rowShape,
      Tensor::fromValues<int64_t>({static_cast<int64_t>(shape.size()) - 1},
                                  shape.subspan(1)));
  return DatasetPtr(
      std::make_shared<SparseRows>(std::move(parts), std::move(rowShape)));
}

StatusOr<DatasetPtr> sparseBatches(DatasetPtr input, BatchSpec batch,
                                   const Tensor &rowShape) {
  if (batch.size <= 0)
    return invalidArgumentError("Batch size must be greater than zero.");
  if (rowShape.rank() != 1)
    return invalidArgumentError("row_shape must be a vector");
  const auto dims = rowShape.data<int64_t>();
  for (int64_t extent : dims)
    if (extent < -1)
      return invalidArgumentError(
          strCat("Dimension ", extent, " must be >= -1"));
  return DatasetPtr(
      std::make_shared<SparseBatches>(std::move(input), batch, Shape(dims)));
}

} // namespace kiln
