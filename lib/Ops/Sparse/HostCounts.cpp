// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts how often numbers occur: in sparse tensors, and as sparse tensors.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostNumbers.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <limits>
#include <map>

namespace kiln::host {
namespace {

template <class T> class Bins {
public:
  /// Without weights every number counts 1.
  Bins(const Tensor &weights, bool isBinary)
      : weights(weights.data<T>()), isBinary(isBinary) {}
  void count(T &bin, int64_t i) const {
    if (isBinary)
      bin = T(1);
    else
      bin =
          sumOf(bin, weights.empty() ? T(1) : weights[static_cast<size_t>(i)]);
  }

private:
  std::span<const T> weights;
  bool isBinary;
};

template <class T> Status sparseBins(const HostCall &call) {
  const Tensor &sizeTensor = call.inputs[3], &weights = call.inputs[4];
  if (sizeTensor.rank() != 0)
    return invalidArgumentError(
        strCat("Shape must be rank 0 but is rank ", sizeTensor.rank()));
  const int64_t size = integerAt(sizeTensor, 0);
  if (size < 0)
    return invalidArgumentError(
        strCat("size (", size, ") must be non-negative"));
  KILN_ASSIGN_OR_RETURN(SparseView view,
                        checkedView(call, 0, Indices::InBounds));
  if (weights.numElements() != 0 && weights.numElements() != view.count)
    return invalidArgumentError(strCat(
        "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in "
        "which case it acts as all weights equal to 1. Received ",
        weights.shape().toString()));
  if (view.rank == 0)
    return invalidArgumentError(
        "expected a dense shape of at least one dimension");
  const bool isVector = view.rank == 1;
  std::vector<int64_t> extents = {size};
  if (!isVector)
    extents.insert(extents.begin(), view.shape[0]);
  KILN_RETURN_IF_ERROR(checkExtents(extents).status());
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::zeros(dtypeOf<T>, Shape(std::span<const int64_t>(extents))));
  std::span<T> out = call.outputs[0].mutableData<T>();
  const Bins<T> bins(weights, call.node.attrOr<bool>("binary_output", false));
  for (int64_t i = 0; i < view.count; ++i) {
    const int64_t bin = integerAt(*view.values, i),
                  row = isVector ? 0 : view.index(i)[0];
    // Bincount of a vector refuses what a matrix leaves out.
    if (isVector && bin < 0)
      return invalidArgumentError("Input arr must be non-negative!");
    if (bin >= 0 && bin < size)
      bins.count(out[static_cast<size_t>(row * size + bin)], i);
  }
  return okStatus();
}

/// The counts of each row, as a sparse tensor.
template <class T> class SparseCounts {
public:
  SparseCounts(const HostCall &call, const Tensor &values,
               const Tensor &weights, int64_t rows)
      : call(call), values(values),
        bins(weights, call.node.attrOr<bool>("binary_output", false)),
        longest(call.node.attrOr<int64_t>("maxlength", -1)),
        rows(static_cast<size_t>(rows)) {}

  void count(int64_t row, int64_t i) {
    const int64_t value = integerAt(values, i);
    if (longest >= 0 && value >= longest)
      return;
    bins.count(rows[static_cast<size_t>(row)][value], i);
    largest = std::max(largest, value);
  }

  Status give(bool isVector) const {
    std::vector<int64_t> indices;
    std::vector<T> counts;
    for (size_t row = 0; row < rows.size(); ++row)
      for (const auto &[value, number] : rows[row]) {
        if (!isVector)
          indices.push_back(static_cast<int64_t>(row));
        indices.push_back(value);
        counts.push_back(number);
      }
    const auto count = static_cast<int64_t>(counts.size());
    const auto least = call.node.attrOr<int64_t>("minlength", -1);
    std::vector<int64_t> shape = {
        static_cast<int64_t>(rows.size()),
        longest >= 0
            ? longest
            : std::max(static_cast<int64_t>(static_cast<uint64_t>(largest) + 1),
                       least)};
    if (isVector)
      shape.erase(shape.begin());
    KILN_ASSIGN_OR_RETURN(
        call.outputs[0],
        Tensor::fromValues<int64_t>({count, isVector ? 1 : 2},
                                    std::span<const int64_t>(indices)));
    KILN_ASSIGN_OR_RETURN(
        call.outputs[1],
        Tensor::fromValues<T>({count}, std::span<const T>(counts)));
    KILN_ASSIGN_OR_RETURN(call.outputs[2], integers(DType::Int64, shape));
    return okStatus();
  }

private:
  const HostCall &call;
  const Tensor &values;
  const Bins<T> bins;
  const int64_t longest;
  std::vector<std::map<int64_t, T>> rows;
  int64_t largest = 0;
};

Status checkValues(const Tensor &values, const Tensor &weights,
                   std::string_view name) {
  for (int64_t i = 0; i < values.numElements(); ++i)
    if (integerAt(values, i) < 0)
      return invalidArgumentError("Input values must all be non-negative");
  if (weights.numElements() > 0 &&
      !std::ranges::equal(weights.shape().dims(), values.shape().dims()))
    return invalidArgumentError(strCat(
        "Weights and ", name,
        " must have the same shape. Weight shape: ", weights.shape().toString(),
        "; ", name, " shape: ", values.shape().toString()));
  return okStatus();
}

template <class T> Status countDense(const HostCall &call) {
  const Tensor &values = call.inputs[0], &weights = call.inputs[1];
  if (!isVector(values) && !isMatrix(values))
    return invalidArgumentError(
        strCat("Input must be a 1 or 2-dimensional tensor. Got: ",
               values.shape().toString()));
  KILN_RETURN_IF_ERROR(checkValues(values, weights, "data"));
  const int64_t rows = isVector(values) ? 1 : values.dim(0);
  if (rows == 0)
    return invalidArgumentError("Invalid input: Shapes dimension cannot be 0.");
  SparseCounts<T> counts(call, values, weights, rows);
  const int64_t width = values.numElements() / rows;
  for (int64_t i = 0; i < values.numElements(); ++i)
    counts.count(i / width, i);
  return counts.give(isVector(values));
}

/// As TensorFlow shows a vector: "Tensor<type: int64 shape: [2] values: 3 4>".
std::string tensorText(std::span<const int64_t> numbers) {
  std::string text =
      strCat("Tensor<type: int64 shape: [", numbers.size(), "] values:");
  for (int64_t number : numbers)
    text += strCat(" ", number);
  return text + ">";
}

template <class T> Status countSparse(const HostCall &call) {
  const Tensor &indices = call.inputs[0], &values = call.inputs[1],
               &shape = call.inputs[2], &weights = call.inputs[3];
  if (!isMatrix(indices))
    return invalidArgumentError(
        strCat("Input indices must be a 2-dimensional tensor. Got: ",
               indices.shape().toString()));
  if (!isVector(values))
    return invalidArgumentError(strCat("Input values must be a vector. Got: ",
                                       values.shape().toString()));
  if (!isVector(shape))
    return invalidArgumentError(strCat("Input shape must be a vector. Got: ",
                                       shape.shape().toString()));
  if (values.dim(0) != indices.dim(0))
    return invalidArgumentError(strCat(
        "Number of values must match first dimension of indices.Got ",
        values.dim(0), " values, indices shape: ", indices.shape().toString()));
  if (shape.dim(0) != indices.dim(1))
    return invalidArgumentError(strCat(
        "Number of dimensions must match second dimension of indices.Got ",
        shape.dim(0),
        " dimensions, indices shape: ", indices.shape().toString()));
  if (shape.dim(0) == 0)
    return invalidArgumentError(
        "The shape argument requires at least one element.");
  KILN_ASSIGN_OR_RETURN(SparseView view, createView(indices, values, shape));
  for (int64_t i = 0; i < view.count; ++i)
    for (size_t d = 0; d < view.shape.size(); ++d)
      if (int64_t index = view.index(i)[d]; index < 0 || index >= view.shape[d])
        return invalidArgumentError(
            strCat("Invalid index value at ", i, ": dimension ", d,
                   " has value ", index, " which is not in [0, ", view.shape[d],
                   ") (as given by dense shape ", tensorText(view.shape)));
  KILN_RETURN_IF_ERROR(checkValues(values, weights, "values"));
  const int64_t rows = view.rank == 1 ? 1 : view.shape[0];
  // Each row has a map here: more of them than this are not meant.
  constexpr int64_t maxRows = int64_t(1) << 28;
  if (rows <= 0 || rows >= std::numeric_limits<int32_t>::max())
    return invalidArgumentError(strCat(
        "Cannot allocate ", rows, " batches, is the dense shape too wide?"));
  if (rows > maxRows)
    return resourceExhaustedError(
        strCat("expected at most ", maxRows, " rows, got ", rows));
  SparseCounts<T> counts(call, values, weights, rows);
  for (int64_t i = 0; i < view.count; ++i)
    counts.count(view.rank == 1 ? 0 : view.index(i)[0], i);
  return counts.give(view.rank == 1);
}

template <class T> Status countRagged(const HostCall &call) {
  const Tensor &splits = call.inputs[0], &values = call.inputs[1],
               &weights = call.inputs[2];
  const int64_t rows = splits.numElements() - 1, count = values.numElements();
  if (rows < 1)
    return invalidArgumentError(
        "Must provide at least 2 elements for the splits argument");
  KILN_RETURN_IF_ERROR(checkSplitEnds(splits, count));
  KILN_RETURN_IF_ERROR(checkValues(values, weights, "values"));
  SparseCounts<T> counts(call, values, weights, rows);
  int64_t row = 0;
  for (int64_t i = 0; i < count; ++i) {
    while (i >= integerAt(splits, row))
      ++row;
    counts.count(row - 1, i);
  }
  return counts.give(false);
}

} // namespace

Status sparseBincount(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return sparseBins<T>(call); });
}

Status denseCountSparseOutput(const HostCall &call) {
  return withNumber(call.node, "output_type",
                    [&]<class T>(T) { return countDense<T>(call); });
}

Status sparseCountSparseOutput(const HostCall &call) {
  return withNumber(call.node, "output_type",
                    [&]<class T>(T) { return countSparse<T>(call); });
}

Status raggedCountSparseOutput(const HostCall &call) {
  return withNumber(call.node, "output_type",
                    [&]<class T>(T) { return countRagged<T>(call); });
}

} // namespace kiln::host
