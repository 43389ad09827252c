// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks sparse tensors, and walks over them.
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>

namespace kiln::host {
namespace {

SparseView viewOf(const Tensor &indices, const Tensor &values,
                  const Tensor &shape) {
  return {indices.data<int64_t>(), &values, shape.data<int64_t>(),
          indices.dim(0), static_cast<int>(indices.dim(1))};
}

std::string numbersText(std::span<const int64_t> numbers,
                        std::string_view separator) {
  std::string text;
  for (int64_t number : numbers)
    text += strCat(text.empty() ? "" : separator, number);
  return text;
}

Status badTuple(const SparseView &view, int64_t i, std::string_view what) {
  return invalidArgumentError(
      strCat("Sparse index tuple indices[", i, ", :] = [",
             numbersText(view.index(i), ", "), "] is ", what));
}

bool isInBounds(const SparseView &view, int64_t i) {
  std::span<const int64_t> index = view.index(i);
  for (size_t d = 0; d < index.size(); ++d)
    if (index[d] < 0 || index[d] >= view.shape[d])
      return false;
  return true;
}

} // namespace

StatusOr<SparseView> checkedView(const Tensor &indices, const Tensor &values,
                                 const Tensor &shape, Indices demand) {
  if (!isMatrix(indices))
    return invalidArgumentError(
        strCat("Sparse indices must be rank 2 but is rank ", indices.rank()));
  if (!isVector(values))
    return invalidArgumentError(
        strCat("Sparse values must be rank 1 but is rank ", values.rank()));
  if (!isVector(shape))
    return invalidArgumentError(
        strCat("Sparse shape must be rank 1 but is rank ", shape.rank()));
  if (values.dim(0) != indices.dim(0))
    return invalidArgumentError(strCat("Number of elements in indices (",
                                       indices.dim(0), ") and values (",
                                       values.dim(0), ") do not match"));
  if (shape.dim(0) != indices.dim(1))
    return invalidArgumentError(strCat("Index rank (", indices.dim(1),
                                       ") and shape rank (", shape.dim(0),
                                       ") do not match"));
  SparseView view = viewOf(indices, values, shape);
  for (int64_t i = 0; i < view.count && demand != Indices::Any; ++i) {
    if (!isInBounds(view, i))
      return badTuple(view, i, "out of bounds");
    if (demand != Indices::Ordered || i == 0)
      continue;
    const auto order = std::lexicographical_compare_three_way(
        view.index(i - 1).begin(), view.index(i - 1).end(),
        view.index(i).begin(), view.index(i).end());
    if (order >= 0)
      return badTuple(view, i, order == 0 ? "repeated" : "out of order");
  }
  return view;
}

StatusOr<SparseView> checkedView(const HostCall &call, size_t first,
                                 Indices indices) {
  return checkedView(call.inputs[first], call.inputs[first + 1],
                     call.inputs[first + 2], indices);
}

StatusOr<SparseView> createView(const Tensor &indices, const Tensor &values,
                                const Tensor &shape) {
  if (!isVector(values))
    return invalidArgumentError(
        strCat("vals must be a vec, but got: ", values.shape().toString()));
  if (!isMatrix(indices))
    return invalidArgumentError(strCat("indices must be a matrix, but got: ",
                                       indices.shape().toString()));
  if (indices.dim(0) != values.dim(0))
    return invalidArgumentError(strCat(
        "indices and values rows (indexing dimension) must match. (indices = ",
        indices.dim(0), ", values = ", values.dim(0), ")"));
  if (!isVector(shape) || shape.dim(0) != indices.dim(1))
    return invalidArgumentError("Shape rank must be SparseTensor rank.");
  return viewOf(indices, values, shape);
}

void Groups::advance(int64_t to) {
  begin = end = to;
  while (end < view.count &&
         std::ranges::equal(key(), view.index(end).first(key().size())))
    ++end;
}

ElementCopy::ElementCopy(const Tensor &from, Tensor &to)
    : source(static_cast<const char *>(from.rawData())),
      target(static_cast<char *>(to.mutableRawData())),
      size(dtypeSize(from.dtype())), isString(from.dtype() == DType::String) {}

void ElementCopy::operator()(int64_t from, int64_t to, int64_t count) const {
  if (count == 0)
    return;
  const auto start = static_cast<size_t>(from), place = static_cast<size_t>(to),
             number = static_cast<size_t>(count);
  if (!isString) {
    std::memcpy(target + place * size, source + start * size, number * size);
    return;
  }
  std::copy_n(reinterpret_cast<const String *>(source) + start, number,
              reinterpret_cast<String *>(target) + place);
}

std::vector<int64_t> stridesOf(std::span<const int64_t> extents) {
  std::vector<int64_t> strides(extents.size(), 1);
  for (size_t d = extents.size(); d-- > 1;)
    strides[d - 1] = strides[d] * extents[d];
  return strides;
}

StatusOr<Tensor> integers(DType dtype, std::span<const int64_t> numbers) {
  const Shape shape({static_cast<int64_t>(numbers.size())});
  if (dtype == DType::Int64)
    return Tensor::fromValues<int64_t>(shape, numbers);
  const std::vector<int32_t> narrow(numbers.begin(), numbers.end());
  return Tensor::fromValues<int32_t>(shape, std::span<const int32_t>(narrow));
}

Status checkPartRanks(const Tensor &indices, const Tensor &values,
                      const Tensor &shape) {
  if (!isMatrix(indices))
    return invalidArgumentError(
        strCat("Input sp_indices should be a matrix but received shape: ",
               indices.shape().toString()));
  if (!isVector(values) || !isVector(shape))
    return invalidArgumentError(
        strCat("Inputs sp_values and sp_shape should be vectors but received "
               "shapes: ",
               values.shape().toString(), " and ", shape.shape().toString()));
  return okStatus();
}

Status checkSplitEnds(const Tensor &splits, int64_t count) {
  const int64_t first = integerAt(splits, 0),
                last = integerAt(splits, splits.numElements() - 1);
  if (first != 0)
    return invalidArgumentError(
        strCat("Splits must start with 0, not with ", first));
  if (last != count)
    return invalidArgumentError(
        strCat("Splits must end with the number of values, got ", last,
               " instead of ", count));
  return okStatus();
}

} // namespace kiln::host
